/* A decoded program: what the PTX of one module says, in the shape the machine runs.
 *
 * ptx_load() is the only door: text in, PtxModule out. It lexes, parses, cuts functions into basic
 * blocks in reverse post-order, gives every virtual register a place in the warp's register file
 * and marks each memory access with the kernel parameter that its address comes from. Nothing here
 * knows how an operation computes: that is the `meaning` column of ops.def, which the machine
 * expands.
 *
 * The register file of a warp is an array of SLOTS. A slot is 32 lanes x 4 bytes = 128 bytes; a
 * 64-bit register takes two neighbouring slots (32 lanes x 8 bytes); 8- and 16-bit registers keep
 * their value zero-extended in 32-bit lanes; a predicate is one 32-bit lane mask in the first word
 * of its slot. Register operands are byte offsets of slots, so the machine adds them to the warp's
 * base and is done. Registers that are never alive together share a slot: an ALU result may lie in
 * the slot of one of its own operands (always the same lane at the same place, never shifted);
 * other forms only where the program itself names one register for both. Constants live in slots
 * too, filled once before a launch (PtxConstant).
 */
#ifndef PTX_PROGRAM_H
#define PTX_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_SLOT_BYTES 128
#define PTX_BASES 8
#define PTX_NO_BASE PTX_BASES
#define PTX_UNROLLED_BYTES 4096 /* at most so far from the first load */
#define PTX_NO_BLOCK UINT32_MAX
#define PTX_NO_REG UINT32_MAX /* operand not present */

/* Generic addresses of shared and local memory: two windows that no host or device pointer can
 * reach (not canonical on x86-64, beyond 48 bits on AArch64). */
#define PTX_SHARED_WINDOW UINT64_C(0x0a00000000000000)
#define PTX_LOCAL_WINDOW UINT64_C(0x0b00000000000000)
#define PTX_WINDOW_BYTES UINT64_C(0x0000010000000000)
/* Constant memory has a window, too, so that 32 bits tell where in it: clang's pointers to it are
 * that short. Here is nothing unless somebody asks for it; who follows such a pointer faults. */
#define PTX_CONST_WINDOW UINT64_C(0x0000200000000000)
#define PTX_CONST_WINDOW_BYTES (UINT64_C(1) << 32)

/* One enumerator per row of ops.def: PTX_OP_ADD_F32 ... */
typedef enum PtxOp {
#define PTX_ROW(id, ...) PTX_OP_##id,
#include "ops.def"
  PTX_OP_COUNT,
  PTX_OP_NONE = PTX_OP_COUNT
} PtxOp;

/* How an instruction is executed, and what its fields mean then. "Alone": it is the only one of its
 * block, since lanes may have to wait there for others. */
typedef enum PtxForm {
  /* op: a pure function of each lane's operands; d, a, b, c */
  PTX_ALU,
  /* d = special register sub (PtxSpecial) */
  PTX_SREG,
  /* d = address in .local space of this frame's byte imm; width from type */
  PTX_LOCAL_ADDR,
  /* mov.b64 d, {list}; type is d's */
  PTX_PACK,
  /* mov.b64 {list}, a; type is a's; a list entry may be NO_REG ("_") */
  PTX_UNPACK,
  /* list[0..count) = memory[a + imm], element type `type`, space. sub: bytes of a list register,
   * which may be wider than the type: s-types are then extended by sign, others by zeros. mask: so many bytes are
   * read, others are zeros; NO_REG: all */
  PTX_LD,
  /* memory[a + imm] = list[0..count), cut off to the type; a constant in the list has the width of
   * the registers beside it */
  PTX_ST,
  /* list = kernel parameter bytes at a + imm (a = NO_REG: imm alone, checked); sub as for LD */
  PTX_LD_PARAM,
  /* list = this lane's argument bytes at imm of the frame (device functions, calls), and back */
  PTX_LD_ARG,
  PTX_ST_ARG,
  /* d (NO_REG for red) = memory[a + imm]; memory op= b (cas: b compare, c value); sub: PtxAtomic */
  PTX_ATOM,
  /* list = four channels fetched from texture object a at b, c, mask (x, y, z); sub: how many of
   * these, and flags such as PTX_TEX_FLOAT */
  PTX_TEX,
  /* membar, fence; sub: 1 when wider than a block */
  PTX_FENCE,
  /* cp.async: what the thread's stores with PTX_ASYNC became; sub: PtxCopies; imm: how many groups may be on their way */
  PTX_COPIES,
  /* bar.sync and relatives; sub: PtxBarrier. a: barrier number, NO_REG for a literal 0; b: thread
   * count or NO_REG; red: d = result (type U32 or PRED), c predicate, PTX_NEG_SOURCE negates it.
   * Alone */
  PTX_BARRIER,
  /* bar.warp.sync a (mask). Alone */
  PTX_SYNCWARP,
  /* d, optional predicate e = shfl.sync a, b, c (clamp and segment), mask; sub: PtxShuffle. Alone
   */
  PTX_SHFL,
  /* d = vote.sync a, mask; sub: PtxVote; PTX_NEG_SOURCE negates a. elect.sync: d the lane, e which one it is. Alone */
  PTX_VOTE,
  /* d, optional predicate e = match.sync a, mask; sub: 0 any, 1 all. Alone */
  PTX_MATCH,
  /* d = redux.sync a, mask; sub: PtxAtomic (add min max and or xor). Alone */
  PTX_REDUX,
  /* d = activemask. Alone */
  PTX_ACTIVEMASK,
  /* matrix: D = A·B + C by a warp; list: registers of D (sub of them), A, B, C. Alone */
  PTX_MMA,
  /* matrices of 8x8 halves: list[0..sub) = those of the rest in another order; imm: PtxExchange. Alone */
  PTX_ROWS,
  /* call; a: function handle (64-bit) when indirect. Alone */
  PTX_CALL,
  /* trap, brkpt */
  PTX_TRAP,
  /* nanosleep a: gives way to others */
  PTX_SLEEP,
  PTX_FORMS
} PtxForm;

typedef enum PtxType {
  PTX_PRED,
  PTX_B8,
  PTX_U8,
  PTX_S8,
  PTX_B16,
  PTX_U16,
  PTX_S16,
  PTX_F16,
  PTX_B32,
  PTX_U32,
  PTX_S32,
  PTX_F32,
  PTX_F16X2, /* two halves in one register */
  PTX_B64,
  PTX_U64,
  PTX_S64,
  PTX_F64,
  PTX_TYPES
} PtxType;

typedef enum PtxSpace {
  PTX_GENERIC,
  PTX_GLOBAL,
  PTX_CONST,
  PTX_SHARED,
  PTX_LOCAL,
  PTX_PARAM,
  PTX_SPACES
} PtxSpace;

/* The x y z of each triple stay together. */
typedef enum PtxSpecial {
  PTX_TID_X,
  PTX_TID_Y,
  PTX_TID_Z,
  PTX_NTID_X,
  PTX_NTID_Y,
  PTX_NTID_Z,
  PTX_CTAID_X,
  PTX_CTAID_Y,
  PTX_CTAID_Z,
  PTX_NCTAID_X,
  PTX_NCTAID_Y,
  PTX_NCTAID_Z,
  PTX_LANEID,
  PTX_WARPID,
  PTX_NWARPID,
  PTX_SMID,
  PTX_NSMID,
  PTX_GRIDID,
  PTX_LANEMASK_EQ,
  PTX_LANEMASK_LE,
  PTX_LANEMASK_LT,
  PTX_LANEMASK_GE,
  PTX_LANEMASK_GT,
  PTX_CLOCK,
  PTX_CLOCK64,
  PTX_CLOCK_HI,
  PTX_GLOBALTIMER_LO,
  PTX_GLOBALTIMER_HI,
  PTX_GLOBALTIMER,
  PTX_DYNAMIC_SMEM_SIZE,
  PTX_TOTAL_SMEM_SIZE,
  PTX_ENVREG1, /* of a cooperative launch: its barrier's address, upper and lower half */
  PTX_ENVREG2,
  /* Each block is a cluster of its own. */
  PTX_CLUSTERID_X,
  PTX_CLUSTERID_Y,
  PTX_CLUSTERID_Z,
  PTX_NCLUSTERID_X,
  PTX_NCLUSTERID_Y,
  PTX_NCLUSTERID_Z,
  PTX_CLUSTER_NCTAID_X,
  PTX_CLUSTER_NCTAID_Y,
  PTX_CLUSTER_NCTAID_Z,
  PTX_CLUSTER_NCTARANK,
  PTX_CLUSTER_CTAID_X,
  PTX_CLUSTER_CTAID_Y,
  PTX_CLUSTER_CTAID_Z,
  PTX_CLUSTER_CTARANK,
  PTX_SPECIALS
} PtxSpecial;

typedef enum PtxAtomic {
  PTX_ATOM_ADD,
  PTX_ATOM_MIN,
  PTX_ATOM_MAX,
  PTX_ATOM_AND,
  PTX_ATOM_OR,
  PTX_ATOM_XOR,
  PTX_ATOM_EXCH,
  PTX_ATOM_CAS,
  PTX_ATOM_INC,
  PTX_ATOM_DEC,
  PTX_ATOM_ADD_BF16,    /* one in 16 bits, or two in 32 */
  PTX_ATOM_ADD_FLUSHED, /* of floats in global memory: only the machine knows where an address leads */
  /* of the word that an mbarrier is: enum PtxBarrierWord */
  PTX_ATOM_ARRIVE,
  PTX_ATOM_DROP,
  PTX_ATOM_EXPECT,
  PTX_ATOM_COMPLETE
} PtxAtomic;

/* An mbarrier in its 64 bits: how many arrivals and how many bytes this phase still waits for, how many
 * arrivals each phase has, and in the sign which phase it is. */
enum PtxBarrierWord {
  PTX_ARRIVALS_BITS = 20,
  PTX_EXPECTED_AT = 20,
  PTX_BYTES_AT = 40,
  PTX_BYTES_BITS = 21
};

typedef enum PtxBarrier {
  PTX_BAR_SYNC,
  PTX_BAR_RED_POPC,
  PTX_BAR_RED_AND,
  PTX_BAR_RED_OR,
  PTX_BAR_ARRIVE
} PtxBarrier;
typedef enum PtxCopies { PTX_COPIES_GROUP, PTX_COPIES_WAIT, PTX_COPIES_WAIT_ALL } PtxCopies;
enum {                      /* in sub of PTX_TEX, beside the number of coordinates */
       PTX_TEX_FLOAT = 4,   /* coordinates are floating, not whole */
       PTX_TEX_LAYERED = 8, /* the last one is a layer's number */
       PTX_TEX_CUBE = 16,   /* they are a direction */
       PTX_TEX_GATHER = 32, /* channel imm of four neighbours */
       PTX_TEX_PLACE = 64
}; /* d = address of the surface's element; imm: its bytes | PtxOutside << 8 */
typedef enum PtxOutside { PTX_OUTSIDE_TRAP, PTX_OUTSIDE_ZERO, PTX_OUTSIDE_CLAMP } PtxOutside;
typedef enum PtxShuffle { PTX_SHFL_UP, PTX_SHFL_DOWN, PTX_SHFL_BFLY, PTX_SHFL_IDX } PtxShuffle;
typedef enum PtxVote {
  PTX_VOTE_ALL,
  PTX_VOTE_ANY,
  PTX_VOTE_UNI,
  PTX_VOTE_BALLOT,
  PTX_VOTE_ELECT
} PtxVote;

/* PtxInsn.flags */
enum {
  PTX_FTZ = 1, /* flush subnormal inputs and results to signed zero */
  PTX_SAT = 2, /* clamp a floating result to [0, 1], NaN to 0 */
  PTX_RZ = 4,  /* rounding other than to nearest even: one of these three */
  PTX_RM = 8,
  PTX_RP = 12,
  PTX_ROUND = 12,           /* mask of the rounding field */
  PTX_NEG_PRED = 16,        /* guard is @!p */
  PTX_NEG_SOURCE = 32,      /* predicate source operand is !p */
  PTX_VOLATILE = 64,        /* ld/st.volatile, .relaxed, .acquire, .release: synchronising access */
  PTX_NARROW_ADDRESS = 128, /* LD, ST, ATOM, LD_PARAM: the address register a has 32 bits */
  PTX_ACQUIRES = 4,         /* LD, ST, ATOM: .acquire or .acq_rel; */
  PTX_RELEASES = 8,         /* ... .release or .acq_rel */
  PTX_BLOCK_SCOPE = 2,      /* LD, ST, ATOM: .cta, it orders or is atomic for its block only */
  PTX_SEED = 32,            /* LD: what it reads is what an atomic compare-and-swap compares with */
  PTX_UPDATES = 32, /* ST: volatile, of what was computed from a volatile load of the same place */
  PTX_ASYNC =
      1 /* ST: of a copy that goes on beside the thread (cp.async); LD: of one past L1 (.cg) */
};

/* Ways to access memory: loads, stores, atomic operations; volatile ones among the first two. Of atomic
 * operations: of the block's scope; of 64 bits; of fewer. */
enum {
  PTX_READS = 1,
  PTX_STORES = 2,
  PTX_CHANGES = 4,
  PTX_MEETS = 8,
  PTX_CHANGES_IN_BLOCK = 16,
  PTX_CHANGES_WIDE = 32,
  PTX_CHANGES_NARROW = 64
};
/* Elements of the matrices that a warp multiplies. */
typedef enum PtxElement {
  PTX_E_F16,
  PTX_E_BF16,
  PTX_E_TF32,
  PTX_E_F32,
  PTX_E_F64,
  PTX_E_S8,
  PTX_E_U8,
  PTX_E_S4,
  PTX_E_U4,
  PTX_E_B1,
  PTX_E_S32,
  PTX_E_E4M3,
  PTX_E_E5M2
} PtxElement;
enum { PTX_MATRIX_PRODUCT, PTX_MATRIX_XOR, PTX_MATRIX_AND };
typedef struct PtxMatrix {
  uint8_t m, n;
  uint16_t k;
  uint8_t d, a, b, c; /* PtxElement */
  uint8_t first[4];   /* register of D, A, B, C in the list */
  uint8_t operation;
  bool saturates;
} PtxMatrix;
unsigned ptx_elements_in(uint8_t element); /* of A, B, C, D: elements in a register */
/* Rows of lanes to fragments, or back; as columns where they are transposed. */
typedef enum PtxExchange {
  PTX_ROWS_OUT,
  PTX_COLUMNS_OUT,
  PTX_ROWS_IN,
  PTX_COLUMNS_IN,
  PTX_TRANSPOSED
} PtxExchange;

/* How a GPU does an atomic operation on shared memory. */
typedef enum PtxTurns {
  PTX_TURNS_LANES, /* lanes that meet at a bank take turns */
  PTX_TURNS_WORDS, /* counting: lanes at one word go together */
  PTX_TURNS_ONE,   /* the address is the same for all lanes: their sum first, then one lane */
  PTX_TURNS_SWAP,  /* compare and swap: each turn twice */
  PTX_TURNS_LOOP   /* a load, then compare and swap until it succeeds */
} PtxTurns;

/* What a GPU does for a load or a store, once its assembler has merged neighbours: an access of `bytes`
 * bytes, which begins `before` bytes before this one; 0 bytes: nothing, another one's does this, too. */
typedef struct PtxMerged {
  uint8_t bytes, before;
  uint8_t turns; /* ATOM: PtxTurns; on global memory LANES or ONE */
  uint8_t
      slot; /* bound by the machine: which of a shape's costs is looked at; never 0 where all others are */
} PtxMerged;

/* Loads of one line from shared memory through one register, with no store among them: what an unrolled loop
 * became. The first has the bytes that they all read, counted from its own address. */
typedef struct PtxUnrolled {
  int32_t low;
  uint32_t bytes;  /* 0: this is not the first of several */
  uint16_t stride; /* from each to its neighbour; 0: not always the same */
  bool member;     /* the first, or one of the others */
} PtxUnrolled;

/* PtxInsn.parameter: ST puts an argument of printf into its buffer; ALU makes it a double. */
enum { PTX_PRINTED = -3 };

struct Warp;
struct PtxCall;
typedef struct PtxInsn {
  /* Bound by the machine when the module is loaded; NULL before. `run`: an unguarded PTX_ALU on all
   * lanes. `masked`: any PTX_ALU, on some lanes. `step`: anything else that is not alone in its block;
   * `builtin`: a call of an external function. */
  void (*run)(uint8_t *registers, const struct PtxInsn *);
  union {
    void (*masked)(uint8_t *registers, const struct PtxInsn *, uint32_t lanes);
    void (*step)(struct Warp *, const struct PtxInsn *, uint32_t lanes);
    void (*builtin)(struct Warp *, const struct PtxCall *, uint32_t lanes);
  };
  uint16_t op;  /* PtxOp for PTX_ALU, else PTX_OP_NONE */
  uint8_t form; /* PtxForm */
  uint8_t flags;
  uint8_t type;  /* PtxType of one element */
  uint8_t space; /* PtxSpace */
  uint8_t count; /* length of list */
  uint8_t sub;
  uint32_t d, a, b, c, e, mask; /* byte offsets in the register file, or PTX_NO_REG */
  uint32_t guard;               /* predicate that guards this instruction, or PTX_NO_REG */
  uint32_t line;                /* index in PtxModule.lines */
  uint16_t column;              /* from .loc; 0 unknown */
  int16_t parameter; /* LD/ST/ATOM: index of the kernel parameter the address derives from; -1
                        unknown; -2: derives from none (module variable, local, shared); or PTX_PRINTED */
  /* Bound by the machine, for accesses: */
  uint32_t number; /* index in PtxFunction.code */
  uint16_t site;   /* number of this access's source line among the module's */
  uint8_t base;    /* which of the warp's remembered address patterns is a's; PTX_NO_BASE: none */
  bool base_known; /* an earlier access of this block has filled it in, and a is unchanged since */
  bool
      strong; /* LD, ST: .relaxed and the like, or volatile and to a flag that some loop waits for: atomic */
  /* Its results are the same wherever a launch executes it, and nothing else lies there. */
  bool invariant;
  /* ALU: what lies where it writes is for this run of its block, and matters to no other lanes. */
  bool temporary;
  /* So many instructions behind this one are done with it, as nothing else reads its result. mul.wide, 1: the next adds
   * that to something. LD of shared memory, 2: the next is one, too, and then the two are multiplied. */
  uint8_t joins;
  uint32_t text; /* offset in PtxModule.text of the instruction as written, for messages */
  int64_t imm;
  const uint32_t *list; /* register offsets */
  PtxUnrolled unrolled; /* bound by the machine: LD */
  uint32_t
      unused; /* LD: bytes, the first in bit 0, that nobody uses, as the compiler says: padding; ATOM: 1, nobody
                 uses what it finds */
  union {
    const struct PtxCall *call; /* PTX_CALL */
    const PtxMatrix *matrix;    /* PTX_MMA */
    PtxMerged merged;           /* LD, ST, ATOM */
  };
} PtxInsn;

/* So many entries of the list, the first ones, are written; the others are read. */
static inline uint32_t ptx_written(const PtxInsn *insn) {
  switch ((PtxForm)insn->form) {
  case PTX_LD:
  case PTX_LD_PARAM:
  case PTX_LD_ARG:
  case PTX_UNPACK:
  case PTX_TEX:
    return insn->count;
  case PTX_MMA:
  case PTX_ROWS:
    return insn->sub;
  default:
    return 0;
  }
}

/* How a block ends. RET leaves the function (a kernel's RET and EXIT are the same). */
typedef enum PtxEnd {
  PTX_END_FALL,
  PTX_END_BRANCH,
  PTX_END_IF,
  PTX_END_TABLE,
  PTX_END_RET,
  PTX_END_EXIT
} PtxEnd;

typedef struct PtxBlock {
  uint32_t first, count; /* instructions code[first .. first + count) */
  uint32_t first_step,
      nsteps;         /* bound by the machine: what a warp does for them, in PtxFunction.steps */
  uint8_t end;        /* PtxEnd */
  bool negated;       /* IF: branch where the predicate is false */
  bool alone;         /* bound by the machine: holds one instruction that is alone in its block */
  uint32_t meet[2];   /* IF, TABLE: where lanes that diverge here meet again, the inner place first;
                       PTX_NO_BLOCK: none, the lanes go on apart to the function's end */
  uint32_t predicate; /* IF: register offset; TABLE: the u32 index register */
  uint32_t taken, next;  /* block numbers: BRANCH and IF go to taken; FALL and IF else to next */
  const uint32_t *table; /* TABLE: ntable block numbers */
  uint32_t ntable;
  uint32_t line; /* line of the ending instruction */
} PtxBlock;

typedef enum PtxConstantKind {
  PTX_VALUE,          /* value as is */
  PTX_GLOBAL_SYMBOL,  /* address of module variable `symbol` (global or const space) plus value */
  PTX_SHARED_SYMBOL,  /* address in shared space of module->shared[symbol] in the launched entry,
                         plus value */
  PTX_DYNAMIC_SHARED, /* first byte of dynamic shared memory in the launched entry, plus value */
  PTX_FUNCTION_SYMBOL /* a handle for function `symbol`: its index + 1 */
} PtxConstantKind;

typedef struct PtxConstant {
  uint32_t slot; /* byte offset */
  uint8_t bytes; /* 4 or 8 per lane; predicates 4 with value 0 or ~0 in the first word only */
  uint8_t kind;
  uint32_t symbol;
  uint64_t value;
} PtxConstant;

typedef struct PtxPatch {
  uint64_t offset;
  uint32_t variable;
  int64_t addend;
} PtxPatch;

/* Which of the texts that are linked may use a name. */
typedef struct PtxLinkage {
  uint32_t text; /* the text it stands in, from 0 on */
  bool is_local; /* no other text sees it, and may have one of the same name */
  bool is_weak;  /* others may define the same: one of them is taken */
} PtxLinkage;

typedef struct PtxVariable { /* module scope, or demoted to one entry */
  const char *name;
  PtxLinkage linkage;
  uint8_t space;  /* PTX_GLOBAL, PTX_CONST or PTX_SHARED */
  bool is_extern; /* shared: dynamic */
  uint32_t align;
  uint64_t bytes;
  const uint8_t *initial;         /* NULL: zeros. bytes long */
  const struct PtxPatch *patches; /* pointers inside `initial` */
  uint32_t npatches;
  void *host; /* NULL, or where it lies on the host, on which kernels then work */
} PtxVariable;

typedef struct PtxParameter {
  uint32_t offset, bytes, align;
} PtxParameter;

/* Functions the machine itself provides when a call names them (vprintf, __assertfail, malloc, free
 * and the math library, ops of builtins.def). */
typedef struct PtxCall {
  int32_t function; /* index in module->functions, or -1: external `name`, or -2: indirect through
                       insn.a */
  const char *name;
  uint32_t nargs;
  const PtxParameter *args; /* caller's argument area: offset, bytes */
  bool has_result;
  PtxParameter result;
} PtxCall;

typedef struct PtxFunction {
  const char *name;
  PtxLinkage linkage;
  bool is_entry;
  bool is_defined;      /* false: only declared */
  const char *refusal;  /* not NULL: cannot run, one sentence naming operation and source line */
  PtxParameter *params; /* formals; entry: in the launch's parameter buffer, else in the frame's
                           argument area */
  uint32_t nparams, param_bytes;
  bool has_result;
  PtxParameter result;     /* in the frame's argument area */
  uint32_t argument_bytes; /* per lane: formals and result (device functions) and those of calls
                              made here */
  uint32_t local_bytes;    /* per lane */
  uint32_t alloca_bytes;   /* of these, what alloca may take; most calls take less */
  uint32_t nslots;         /* register file, constants included: first the registers of 64 bits, */
  uint32_t wide_slots;     /* two slots each, so many in all; */
  uint32_t value_slots;    /* from there on predicates */
  PtxInsn *code;
  uint32_t ncode; /* 0, like nblocks, when refused */
  PtxInsn *
      steps; /* [ncode] bound by the machine: copies of those that are not invariant, in their order; one for all that
                     join */
  uint32_t *invariant; /* the others' places in code, in their order */
  uint32_t ninvariant;
  PtxBlock *blocks; /* reverse post-order, every loop in one piece; blocks[0] is the entry */
  uint32_t nblocks;
  PtxConstant *constants;
  uint32_t nconstants;
  const uint32_t *undefined; /* slots (byte offsets; both of a wide register) that some path reads
                                before any write */
  uint32_t nundefined;
  /* most 32-bit registers alive at once: what a compiler would need at least */
  uint32_t live_registers;
  /* most 32-bit registers alive at a call: a frame has to keep them */
  uint32_t saved_registers;
  bool scatters; /* loaded or received values decide where it stores; entry: or its callees */
  uint32_t max_threads;   /* .maxntid product, 0 none */
  uint32_t min_blocks;    /* .minnctapersm: so many on a multiprocessor, 0 none */
  uint32_t max_registers; /* .maxnreg, or -maxrregcount: the most for a thread, 0 none */
  /* entries only: */
  uint32_t shared_bytes; /* static shared memory */
  /* [module->nshared]: address of each shared variable; UINT32_MAX for those not used here and for
   * .extern ones, which start behind shared_bytes */
  const uint32_t *shared_offset;
  uint8_t shared_granule; /* narrowest access to shared memory, bytes (generic ones count), 4 if
                             none; at most 4 */
  uint8_t global_granule; /* likewise for global memory */
  /* PTX_READS and so on, of global memory: [nparams] through each pointer, and through those that could not
   * be traced */
  const uint8_t *accesses_parameter;
  uint8_t accesses_unknown;
  bool has_fence; /* membar/fence wider than a block, or an access that orders as one */
  bool orders;    /* any fence, or access that orders */
  uint8_t
      adds; /* bytes of what its atomics on global memory add, if they are integers of one size, that is all that they
                   do, and nobody uses what they find; else 0 */
  bool meets_by_atomics; /* uses what an atomic on global memory finds: locks, counted blocks */
  /* A line whose values in shared memory are lost, because the same thread stores others in the same
   * place in line lost_to; 0: none. */
  uint32_t lost_line, lost_to;
} PtxFunction;

typedef struct PtxLine {
  uint32_t file, line;
} PtxLine;

typedef struct PtxModule {
  char *text; /* our copy of the PTX */
  int version_major, version_minor, target;
  PtxFunction *functions;
  uint32_t nfunctions;
  PtxVariable *variables; /* global and const space */
  uint32_t nvariables;
  PtxVariable *shared; /* every shared variable of the module */
  uint32_t nshared;
  const char **files; /* by index; files[0] = "?" */
  uint32_t nfiles;
  PtxLine *lines; /* lines[0] = unknown */
  uint32_t nlines;
  struct PtxArena *arena; /* owns everything above */
  void *machine;          /* for the machine: variables' places, accesses' sites */
} PtxModule;

/* Decodes `length` bytes of PTX text (a NUL ends it earlier), or several texts one behind the other, which are linked:
 * each begins with .version. Returns NULL when it is malformed,
 * with one line in `error` (which names the PTX line). Never crashes and never reads past the text,
 * whatever it holds. A function that uses something unknown is kept, with `refusal` set. */
PtxModule *ptx_load(const char *text, size_t length, char *error, size_t error_size);
void ptx_free(PtxModule *);

const PtxFunction *ptx_find(const PtxModule *, const char *name);
/* What one of the linked texts calls by that name; NULL: nothing. */
const PtxFunction *ptx_function_of(const PtxModule *, uint32_t text, const char *name);
const PtxVariable *ptx_variable_of(const PtxModule *, uint32_t text, const char *name);
/* "labs/01-naive/naive.cu", 27; "?", 0 when unknown */
const char *ptx_file(const PtxModule *, uint32_t line);
uint32_t ptx_line(const PtxModule *, uint32_t line);
/* The instruction as written in the PTX, up to its semicolon. */
void ptx_instruction_text(const PtxModule *, const PtxInsn *, char *out, size_t size);

extern const uint8_t ptx_type_size[PTX_TYPES];
static inline unsigned ptx_type_bytes(PtxType type) {
  return type < PTX_TYPES ? ptx_type_size[type] : 0;
}
const char *ptx_type_name(PtxType);
const char *ptx_op_name(PtxOp); /* canonical spelling, "add.f32" */
const char *ptx_op_meaning(PtxOp);
unsigned ptx_op_flop(PtxOp);              /* floating-point operations that one lane counts */
bool ptx_op_is_select(PtxOp);             /* d = predicate c ? a : b */
const char *ptx_special_name(PtxSpecial); /* "%tid.x" */
const char *ptx_statement_name(size_t i); /* what takes more than a row of ops.def; NULL: no more */

#endif
