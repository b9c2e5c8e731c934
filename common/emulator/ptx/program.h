/* A decoded program: the PTX of one module in the form that the machine executes.
 *
 * ptx_load() is the only entry point: it converts text to a PtxModule. It lexes, parses, divides
 * functions into instruction blocks (basic blocks) in reverse post-order, assigns every virtual
 * register a place in the warp's register file, and marks each memory access with the kernel
 * parameter from which its address is computed. The `expression` column of arithmetic.def defines
 * the result of each operation; the machine expands this column.
 *
 * The register file of a warp is an array of SLOTS. A slot is 32 lanes x 4 bytes = 128 bytes. A
 * 64-bit register takes two consecutive slots (32 lanes x 8 bytes). 8- and 16-bit registers are
 * zero-extended in 32-bit lanes. A predicate is one 32-bit lane mask in the first word of its slot.
 * Register operands are byte offsets of slots, which the machine adds to the warp's base. Registers
 * that are never live together share a slot. The result of an ALU instruction may be in the slot of
 * one of its operands, because the instruction writes each lane at the offset where it reads that
 * lane. For other instructions this is so only if the program itself names one register as result
 * and operand. Constants (PtxConstant) have slots too, which are filled once before a launch. */
#ifndef PTX_PROGRAM_H
#define PTX_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_SLOT_BYTES 128
#define PTX_BASES 8
#define PTX_NO_BASE PTX_BASES
/* Maximum distance in bytes between the first load of a PtxUnrolled and its other loads. */
#define PTX_UNROLLED_BYTES 4096
#define PTX_NO_BLOCK UINT32_MAX
#define PTX_NO_REG UINT32_MAX /* no such operand */

/* The ranges of generic addresses of shared and local memory. No host or device pointer is in these
 * windows: their addresses are not canonical on x86-64, and have more than 48 bits on AArch64. */
#define PTX_SHARED_WINDOW UINT64_C(0x0a00000000000000)
#define PTX_LOCAL_WINDOW UINT64_C(0x0b00000000000000)
#define PTX_WINDOW_BYTES UINT64_C(0x0000010000000000)
/* The range of addresses of constant memory. clang's pointers to constant memory have 32 bits, so a
 * 32-bit offset must determine the address. The operating system maps no memory in this range by
 * default, so host code that dereferences such a pointer faults. */
#define PTX_CONST_WINDOW UINT64_C(0x0000200000000000)
#define PTX_CONST_WINDOW_BYTES (UINT64_C(1) << 32)

/* One enumerator per row of arithmetic.def: PTX_OP_ADD_F32 ... */
typedef enum PtxOp {
#define PTX_ROW(id, ...) PTX_OP_##id,
#include "arithmetic.def"
  PTX_OP_COUNT,
  PTX_OP_NONE = PTX_OP_COUNT
} PtxOp;

/* How an instruction is executed, and the meaning of its fields. "Alone in its block": the PtxBlock
 * contains only this instruction, because its lanes may have to wait for other lanes. */
typedef enum PtxForm {
  /* d = op(a, b, c) in each lane, without side effects. */
  PTX_ALU,
  /* d = the special register `sub` (PtxSpecial). */
  PTX_SREG,
  /* d = the address in .local space of byte `imm` of this frame's local memory. `type`: the width
   * of d. */
  PTX_LOCAL_ADDR,
  /* mov.b64 d, {list}; type: that of d. */
  PTX_PACK,
  /* mov.b64 {list}, a; type: that of a. A list entry may be NO_REG ("_"). */
  PTX_UNPACK,
  /* list[0..count) = memory[a + imm], with element type `type`, in `space`. sub: size of a list
   * register in bytes, which may exceed the size of the type: s-types are sign-extended, other
   * types zero-extended. mask: register with the number of bytes to read; the other bytes of the
   * result are zero. NO_REG: reads all bytes. */
  PTX_LD,
  /* memory[a + imm] = list[0..count), truncated to the type. A constant in the list has the width
   * of the other registers in the list. */
  PTX_ST,
  /* list = bytes of the kernel parameters at a + imm. If a is NO_REG, the offset is imm, and the
   * decoder has checked that it is in range. sub: as for LD. */
  PTX_LD_PARAM,
  /* LD_ARG: list = bytes at offset imm of the frame's argument area, for device functions and
   * calls. ST_ARG: stores the list there. */
  PTX_LD_ARG,
  PTX_ST_ARG,
  /* d = memory[a + imm] (NO_REG for red); then memory op= b. sub: PtxAtomic. cas: compares memory
   * with b and stores c. */
  PTX_ATOM,
  /* list = four channels fetched from texture object a at coordinates b, c, mask (x, y, z). sub:
   * the number of coordinates, plus flags such as PTX_TEX_FLOAT. */
  PTX_TEX,
  /* membar, fence; sub: 1 if the scope is wider than a thread block. */
  PTX_FENCE,
  /* The commit and wait instructions of cp.async. (The copies themselves are stores with
   * PTX_ASYNC.) sub: PtxCopies; imm: for a wait, the number of groups that may stay pending. */
  PTX_COPIES,
  /* bar.sync and related instructions; sub: PtxBarrier. a: barrier number, NO_REG for a literal 0;
   * b: thread count or NO_REG. For red: d = result (type U32 or PRED), c = predicate,
   * PTX_NEG_SOURCE negates it. Alone in its block. */
  PTX_BARRIER,
  /* bar.warp.sync a (mask). Alone in its block. */
  PTX_SYNCWARP,
  /* d, optional predicate e = shfl.sync a, b, c (clamp and segment), mask; sub: PtxShuffle. Alone
   * in its block. */
  PTX_SHFL,
  /* d = vote.sync a, mask; sub: PtxVote; PTX_NEG_SOURCE negates a. elect.sync: d = the elected
   * lane, e = true in that lane. Alone in its block. */
  PTX_VOTE,
  /* d, optional predicate e = match.sync a, mask; sub: 0 any, 1 all. Alone in its block. */
  PTX_MATCH,
  /* d = redux.sync a, mask; sub: PtxAtomic (add min max and or xor). Alone in its block. */
  PTX_REDUX,
  /* d = activemask. Alone in its block. */
  PTX_ACTIVEMASK,
  /* A warp computes D = A·B + C. matrix: shapes and types. list: the registers of D (`sub`
   * registers), A, B and C. Alone in its block. */
  PTX_MMA,
  /* Rearranges 8x8 matrices of halves between lanes: list[0..sub) = the elements of
   * list[sub..count). imm: PtxExchange. Alone in its block. */
  PTX_ROWS,
  /* call; a: function handle (64-bit) if indirect. Alone in its block. */
  PTX_CALL,
  /* trap, brkpt. */
  PTX_TRAP,
  /* nanosleep a: yields to other warps. */
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

/* The enumerators for x, y and z of a register are consecutive. */
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
  /* In a cooperative launch: the upper and lower half of the address of the grid barrier's
   * memory. */
  PTX_ENVREG1,
  PTX_ENVREG2,
  /* Each thread block is its own cluster. */
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
  /* Adds one bfloat16 (16-bit type) or two (32-bit type). */
  PTX_ATOM_ADD_BF16,
  /* Adds floats and flushes subnormal numbers, as a GPU does in global memory. The machine selects
   * this operation at run time, because the space of a generic address is not known at load
   * time. */
  PTX_ATOM_ADD_FLUSHED,
  /* Operations on the word of an mbarrier, whose fields are in PtxBarrierWord. */
  PTX_ATOM_ARRIVE,
  PTX_ATOM_DROP,
  PTX_ATOM_EXPECT,
  PTX_ATOM_COMPLETE
} PtxAtomic;

/* The fields of an mbarrier's 64-bit word: the pending arrivals and pending bytes of the current
 * phase, the number of arrivals expected per phase, and the parity of the phase in the sign bit. */
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
enum {                      /* Flags in PtxInsn.sub of PTX_TEX. */
       PTX_TEX_FLOAT = 4,   /* coordinates are floating-point */
       PTX_TEX_LAYERED = 8, /* the last coordinate is a layer */
       PTX_TEX_CUBE = 16,   /* the coordinates are a direction */
       PTX_TEX_GATHER = 32, /* fetches channel imm of four adjacent texels */
       PTX_TEX_PLACE = 64
       /* d = address of the surface element; imm: its size in bytes | PtxOutside << 8 */
};
typedef enum PtxOutside { PTX_OUTSIDE_TRAP, PTX_OUTSIDE_ZERO, PTX_OUTSIDE_CLAMP } PtxOutside;
typedef enum PtxShuffle { PTX_SHFL_UP, PTX_SHFL_DOWN, PTX_SHFL_BFLY, PTX_SHFL_IDX } PtxShuffle;
typedef enum PtxVote {
  PTX_VOTE_ALL,
  PTX_VOTE_ANY,
  PTX_VOTE_UNI,
  PTX_VOTE_BALLOT,
  PTX_VOTE_ELECT
} PtxVote;

/* PtxInsn.flags. */
enum {
  /* Flush subnormal inputs and results to signed zero. */
  PTX_FTZ = 1,
  /* Clamp a floating-point result to [0, 1], and convert NaN to 0. */
  PTX_SAT = 2,
  /* Rounding mode: toward zero, down, or up; none of the three: to nearest even. */
  PTX_RZ = 4,
  PTX_RM = 8,
  PTX_RP = 12,
  /* Mask of the rounding field. */
  PTX_ROUND = 12,
  PTX_NEG_PRED = 16, /* the guard is @!p */
  /* The predicate source operand is !p. */
  PTX_NEG_SOURCE = 32,
  /* ld/st.volatile, .relaxed, .acquire, .release: a synchronising access. */
  PTX_VOLATILE = 64,
  /* LD, ST, ATOM, LD_PARAM: the address register a has 32 bits. */
  PTX_NARROW_ADDRESS = 128,
  /* LD, ST, ATOM: .acquire or .acq_rel. */
  PTX_ACQUIRES = 4,
  /* LD, ST, ATOM: .release or .acq_rel. */
  PTX_RELEASES = 8,
  /* LD, ST, ATOM: .cta. The access orders other accesses, or is atomic, only within its thread
   * block. */
  PTX_BLOCK_SCOPE = 2,
  /* LD: an atomic compare-and-swap compares memory with the loaded value. */
  PTX_SEED = 32,
  /* ST: a volatile store of a value that was computed from a volatile load of the same address. */
  PTX_UPDATES = 32,
  PTX_ASYNC =
      /* ST: part of an asynchronous copy (cp.async). LD: bypasses L1 (.cg). */
  1
};

/* Kinds of accesses, as flags. PTX_CHANGES: an atomic operation. PTX_MEETS: a synchronising access
 * (PTX_VOLATILE). In addition to PTX_CHANGES, an atomic operation sets PTX_CHANGES_IN_BLOCK if it
 * has block scope, and PTX_CHANGES_WIDE if it has 64 bits, otherwise PTX_CHANGES_NARROW. */
enum {
  PTX_READS = 1,
  PTX_STORES = 2,
  PTX_CHANGES = 4,
  PTX_MEETS = 8,
  PTX_CHANGES_IN_BLOCK = 16,
  PTX_CHANGES_WIDE = 32,
  PTX_CHANGES_NARROW = 64
};
/* Element types of matrices. */
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
  /* The element types of D, A, B and C: each is a PtxElement. */
  uint8_t d, a, b, c;
  /* The indices in PtxInsn.list of the first registers of D, A, B and C. */
  uint8_t first[4];
  uint8_t operation;
  bool saturates;
} PtxMatrix;
/* Returns the number of matrix elements of this type in one register. */
unsigned ptx_elements_in(uint8_t element);
/* OUT: converts the rows of a matrix, one row per lane, to fragments. IN: converts fragments to
 * rows. COLUMNS also transposes the matrix. */
typedef enum PtxExchange {
  PTX_ROWS_OUT,
  PTX_COLUMNS_OUT,
  PTX_ROWS_IN,
  PTX_COLUMNS_IN,
  PTX_TRANSPOSED
} PtxExchange;

/* How a GPU executes an atomic operation on shared memory. */
typedef enum PtxTurns {
  /* Lanes whose words are in the same bank are served one after the other. */
  PTX_TURNS_LANES,
  /* Additions of 1: lanes at the same word are served together. */
  PTX_TURNS_WORDS,
  /* All lanes have one address: their operands are combined first, then one lane accesses
   * memory. */
  PTX_TURNS_ONE,
  /* Compare-and-swap: like LANES, but each access takes two wavefronts. */
  PTX_TURNS_SWAP,
  /* A load and a compare-and-swap are repeated until the compare-and-swap succeeds. */
  PTX_TURNS_LOOP
} PtxTurns;

/* The access that a GPU executes for a load or store, after its assembler has merged neighbouring
 * accesses. The merged access has `bytes` bytes and begins `before` bytes before the address of the
 * instruction. If `bytes` is 0, the merged access of another instruction includes this
 * instruction. */
typedef struct PtxMerged {
  uint8_t bytes, before;
  /* ATOM: PtxTurns. On global memory only LANES and ONE occur. */
  uint8_t turns;
  /* Set by the machine: index in Shape.cost. If `bytes` is 0, `slot` is not 0, so that a cost key
   * is never 0. */
  uint8_t slot;
} PtxMerged;

/* Describes the loads of an unrolled loop: loads from shared memory at one source line through one
 * address register, without a store between them. In the first load, `low` and `bytes` are the
 * range that all these loads read, relative to the address of the first load. */
typedef struct PtxUnrolled {
  int32_t low;
  /* Size of the range; 0: this instruction is not the first of several such loads. */
  uint32_t bytes;
  /* Distance in bytes between successive loads; 0: the distance is not constant. */
  uint16_t stride;
  /* This instruction is one of these loads. */
  bool member;
} PtxUnrolled;

/* The value of PtxInsn.parameter in instructions that exist only for printf: a ST that stores an
 * argument in the buffer, or an ALU that converts an argument to double. */
enum { PTX_PRINTED = -3 };

struct Warp;
struct PtxCall;
typedef struct PtxInsn {
  /* The functions that execute the instruction. The machine sets these members when the module is
   * loaded; before, they are NULL. `run`: executes an unguarded PTX_ALU on all lanes. `masked`:
   * executes a PTX_ALU on some lanes. `step`: executes any other instruction that is not alone in
   * its block. `builtin`: executes a call of an external function. */
  void (*run)(uint8_t *registers, const struct PtxInsn *);
  union {
    void (*masked)(uint8_t *registers, const struct PtxInsn *, uint32_t lanes);
    void (*step)(struct Warp *, const struct PtxInsn *, uint32_t lanes);
    void (*builtin)(struct Warp *, const struct PtxCall *, uint32_t lanes);
  };
  /* PtxOp for PTX_ALU, otherwise PTX_OP_NONE. */
  uint16_t op;
  /* A PtxForm. */
  uint8_t form;
  uint8_t flags;
  /* PtxType of one element. */
  uint8_t type;
  /* A PtxSpace. */
  uint8_t space;
  /* Length of `list`. */
  uint8_t count;
  uint8_t sub;
  /* Byte offsets in the register file, or PTX_NO_REG. */
  uint32_t d, a, b, c, e, mask;
  /* The predicate that guards this instruction, or PTX_NO_REG. */
  uint32_t guard;
  /* Index in PtxModule.lines. */
  uint32_t line;
  /* The source column, from .loc; 0: unknown. */
  uint16_t column;
  /* LD, ST, ATOM: index of the kernel parameter from which the address is computed; -1: unknown;
   * -2: no parameter (module variable, local, shared). Or PTX_PRINTED. */
  int16_t parameter;
  /* The machine sets the following members up to base_known, for accesses: */
  /* Index in PtxFunction.code. */
  uint32_t number;
  /* The number of the source line of this access, counting only lines of the module that contain
   * accesses. */
  uint16_t site;
  /* Index in Warp.bases of the address pattern of register a; PTX_NO_BASE: the pattern is not
   * stored. */
  uint8_t base;
  /* An earlier access of this instruction block has stored the address pattern, and register a has
   * not changed since then. */
  bool base_known;
  /* LD, ST: the access counts as atomic, because it has .relaxed, .acquire or .release, or because
   * it is a volatile access to a flag for which a loop waits. */
  bool strong;
  /* The result is the same in every thread of a launch, and no other register shares its slot. */
  bool invariant;
  /* ALU: the result is read only in the same execution of its instruction block. Therefore the
   * instruction may also write the lanes that are not active. */
  bool temporary;
  /* Number of following instructions that the machine executes together with this instruction,
   * because no other instruction reads the intermediate results. 1: this is a mul.wide, and the
   * next instruction adds a value to the product. 2: this and the next instruction load from shared
   * memory, and the third instruction is an fma that multiplies the two values. */
  uint8_t joins;
  /* Offset in PtxModule.text of the PTX of this instruction, for messages. */
  uint32_t text;
  int64_t imm;
  /* `count` registers, as byte offsets. */
  const uint32_t *list;
  /* LD: set by the machine. */
  PtxUnrolled unrolled;
  /* LD: a mask of the bytes that the compiler declares unused (padding). Bit 0 is the first byte.
   * ATOM: 1 if the old value is not used. */
  uint32_t unused;
  union {
    /* PTX_CALL */
    const struct PtxCall *call;
    /* PTX_MMA */
    const PtxMatrix *matrix;
    /* LD, ST, ATOM */
    PtxMerged merged;
  };
} PtxInsn;

/* Returns the number of entries at the beginning of `list` that the instruction writes. It reads
 * the other entries. */
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

/* How an instruction block ends. RET returns from the function, and EXIT ends the thread. In a
 * kernel, both end the thread. */
typedef enum PtxEnd {
  PTX_END_FALL,
  PTX_END_BRANCH,
  PTX_END_IF,
  PTX_END_TABLE,
  PTX_END_RET,
  PTX_END_EXIT
} PtxEnd;

typedef struct PtxBlock {
  /* The instructions of the block are code[first .. first + count). */
  uint32_t first, count;
  /* Set by the machine: the range in PtxFunction.steps that a warp executes instead of `code`. */
  uint32_t first_step, nsteps;
  /* A PtxEnd. */
  uint8_t end;
  /* IF: the block branches if the predicate is false instead of true. */
  bool negated;
  /* Set by the machine: the block consists of one instruction that must be alone (PtxForm). */
  bool alone;
  /* IF, TABLE: the blocks at which lanes that diverge at the end of this block reconverge, the
   * inner block first. PTX_NO_BLOCK: there is no such block, and the lanes continue separately to
   * the end of the function. */
  uint32_t meet[2];
  /* IF: the predicate register. TABLE: the u32 register with the index in `table`. */
  uint32_t predicate;
  /* Block numbers. BRANCH, and IF with a true condition, continue at `taken`. FALL, and IF with a
   * false condition, continue at `next`. */
  uint32_t taken, next;
  /* TABLE: ntable block numbers. */
  const uint32_t *table;
  uint32_t ntable;
  /* Index in PtxModule.lines, for the instruction that ends the block. */
  uint32_t line;
} PtxBlock;

typedef enum PtxConstantKind {
  /* The value itself. */
  PTX_VALUE,
  /* Address of module variable `symbol` (global or const space) plus value. */
  PTX_GLOBAL_SYMBOL,
  /* Address in shared space of module->shared[symbol] in the launched entry, plus value. */
  PTX_SHARED_SYMBOL,
  /* First byte of dynamic shared memory in the launched entry, plus value. */
  PTX_DYNAMIC_SHARED,
  /* A handle for function `symbol`: its index + 1. */
  PTX_FUNCTION_SYMBOL
} PtxConstantKind;

typedef struct PtxConstant {
  /* Byte offset of the slot in the register file. */
  uint32_t slot;
  /* Bytes per lane: 4 or 8. A predicate has 4, but only its first word is stored, with the value 0
   * or ~0. */
  uint8_t bytes;
  uint8_t kind;
  uint32_t symbol;
  uint64_t value;
} PtxConstant;

typedef struct PtxPatch {
  uint64_t offset;
  uint32_t variable;
  int64_t addend;
} PtxPatch;

/* Determines which of the linked texts may use a name. */
typedef struct PtxLinkage {
  /* Number of the text that declares the name, from 0. */
  uint32_t text;
  /* The name is not visible in other texts, which may use the same name for another object. */
  bool is_local;
  /* Other texts may define the same name too; one of the definitions is used. */
  bool is_weak;
} PtxLinkage;

/* A variable that is declared at module scope or in a function. */
typedef struct PtxVariable {
  const char *name;
  PtxLinkage linkage;
  /* PTX_GLOBAL, PTX_CONST or PTX_SHARED. */
  uint8_t space;
  /* Declared as .extern. In shared space this means dynamic shared memory. */
  bool is_extern;
  uint32_t align;
  uint64_t bytes;
  /* The initial value, `bytes` bytes; NULL: zeros. */
  const uint8_t *initial;
  /* The addresses of variables within `initial`. */
  const struct PtxPatch *patches;
  uint32_t npatches;
  /* The address of the host's variable, if kernels access this instead of a device copy; otherwise
   * NULL. */
  void *host;
} PtxVariable;

typedef struct PtxParameter {
  uint32_t offset, bytes, align;
} PtxParameter;

/* A call. The machine implements the external functions itself: vprintf, __assertfail, malloc, free
 * and the math library (builtins.def). */
typedef struct PtxCall {
  /* Index in module->functions. -1: the external function `name`. -2: an indirect call through
   * PtxInsn.a. */
  int32_t function;
  const char *name;
  uint32_t nargs;
  /* [nargs] The arguments, in the caller's argument area. */
  const PtxParameter *args;
  bool has_result;
  PtxParameter result;
} PtxCall;

typedef struct PtxFunction {
  const char *name;
  PtxLinkage linkage;
  bool is_entry;
  /* False: the function is only declared. */
  bool is_defined;
  /* NULL: the function can run. Otherwise, one sentence that says why it cannot run, with the
   * operation and source line. */
  const char *refusal;
  /* The formal parameters. Offsets are in the launch's parameter buffer for an entry, and in the
   * frame's argument area for a device function. */
  PtxParameter *params;
  uint32_t nparams, param_bytes;
  bool has_result;
  /* The result of a device function, in the frame's argument area. */
  PtxParameter result;
  /* Bytes of the argument area per lane. It holds the formal parameters and the result of a device
   * function, and the arguments and results of the calls that the function makes. */
  uint32_t argument_bytes;
  /* Bytes of local memory per lane. */
  uint32_t local_bytes;
  /* The part of local_bytes that is reserved for alloca. Most calls of the function use less than
   * this. */
  uint32_t alloca_bytes;
  /* Number of slots in the register file, including constants. The 64-bit registers are in the
   * first slots. */
  uint32_t nslots;
  /* Number of slots of the 64-bit registers: two per register. */
  uint32_t wide_slots;
  /* Number of slots before the first predicate. */
  uint32_t value_slots;
  PtxInsn *code;
  /* Number of instructions. If the function is refused, ncode and nblocks are 0. */
  uint32_t ncode;
  /* [ncode] Set by the machine: copies of the instructions that are not invariant, in order.
   * Instructions that are executed together (PtxInsn.joins) become one element. */
  PtxInsn *steps;
  /* Indices in `code` of the invariant instructions, in order. */
  uint32_t *invariant;
  uint32_t ninvariant;
  /* The basic blocks in reverse post-order. The blocks of every loop are contiguous. blocks[0] is
   * the entry. */
  PtxBlock *blocks;
  uint32_t nblocks;
  PtxConstant *constants;
  uint32_t nconstants;
  /* Slots (byte offsets; both slots of a 64-bit register) that the function may read before it
   * writes them. */
  const uint32_t *undefined;
  uint32_t nundefined;
  /* Maximum number of live 32-bit registers: a lower bound on the registers that a compiler
   * needs. */
  uint32_t live_registers;
  /* Maximum number of 32-bit registers that are live across a call; a frame saves these
   * registers. */
  uint32_t saved_registers;
  /* The function has a store to global memory whose address depends on loaded values, or on values
   * that a caller or another lane passed. For an entry, this includes stores of the functions that
   * it calls. */
  bool scatters;
  /* Maximum number of threads per block: the product of .maxntid; 0: not given. */
  uint32_t max_threads;
  /* Minimum number of blocks per multiprocessor: .minnctapersm; 0: not given. */
  uint32_t min_blocks;
  /* Maximum number of registers per thread: .maxnreg or -maxrregcount; 0: not given. */
  uint32_t max_registers;
  /* The following members are set for entries only. */
  /* Bytes of static shared memory. */
  uint32_t shared_bytes;
  /* [module->nshared] Address of each shared variable. UINT32_MAX: the entry does not use the
   * variable, or it is an .extern array, which begins after shared_bytes. */
  const uint32_t *shared_offset;
  /* Size in bytes of the narrowest shared or generic access, at most 4; 4 if there is no such
   * access. */
  uint8_t shared_granule;
  /* Size in bytes of the narrowest global or generic access, at most 4; 4 if there is no such
   * access. */
  uint8_t global_granule;
  /* The kinds of accesses to global memory (PTX_READS ...). accesses_parameter [nparams]: accesses
   * through each pointer parameter. accesses_unknown: accesses through pointers whose parameter is
   * unknown. */
  const uint8_t *accesses_parameter;
  uint8_t accesses_unknown;
  /* The entry has a fence whose scope is wider than a thread block, or an access with the same
   * effect. */
  bool has_fence;
  /* The entry has a fence, or an acquire or release access, of any scope. */
  bool orders;
  /* If all atomic operations on global memory add integers of one size and ignore the old value,
   * this size in bytes. Otherwise 0. */
  uint8_t adds;
  /* The entry uses the old value of an atomic operation on global memory, for example to take a
   * lock or to count blocks. */
  bool meets_by_atomics;
  /* Two indices in PtxModule.lines. The values that line lost_line stores in shared memory are
   * lost, because the same thread stores other values at the same address at line lost_to. 0: no
   * such lines. */
  uint32_t lost_line, lost_to;
} PtxFunction;

typedef struct PtxLine {
  uint32_t file, line;
} PtxLine;

typedef struct PtxModule {
  /* A copy of the PTX text. */
  char *text;
  int version_major, version_minor, target;
  PtxFunction *functions;
  uint32_t nfunctions;
  /* The variables in global and constant memory. */
  PtxVariable *variables;
  uint32_t nvariables;
  /* All shared variables of the module. */
  PtxVariable *shared;
  uint32_t nshared;
  /* Names of source files; files[0] is "?". */
  const char **files;
  uint32_t nfiles;
  /* lines[0] is the unknown line. */
  PtxLine *lines;
  uint32_t nlines;
  /* Owns all memory of the module, except `machine`. */
  struct PtxArena *arena;
  /* The machine's data about the module: allocations of variables, sites of accesses. */
  void *machine;
} PtxModule;

/* Decodes up to `length` bytes of PTX text; a NUL ends the text earlier. Several concatenated
 * texts, each of which begins with .version, are linked. If the text is malformed, returns NULL and
 * writes one line to `error` that names the PTX line. Never crashes and never reads past the text,
 * even if the text is arbitrary data. If a function uses an unknown feature, its `refusal` is set,
 * and the other functions can run. */
PtxModule *ptx_load(const char *text, size_t length, char *error, size_t error_size);
void ptx_free(PtxModule *);

const PtxFunction *ptx_find(const PtxModule *, const char *name);
/* Return the function or variable that `name` denotes in text number `text`; NULL: not found. */
const PtxFunction *ptx_function_of(const PtxModule *, uint32_t text, const char *name);
const PtxVariable *ptx_variable_of(const PtxModule *, uint32_t text, const char *name);
/* Return the source file and the line number for an index in `lines`, such as
 * "labs/01-naive/naive.cu" and 27; "?" and 0 if unknown. */
const char *ptx_file(const PtxModule *, uint32_t line);
uint32_t ptx_line(const PtxModule *, uint32_t line);
/* Writes the PTX of the instruction, without its semicolon, to `out`. */
void ptx_instruction_text(const PtxModule *, const PtxInsn *, char *out, size_t size);

extern const uint8_t ptx_type_size[PTX_TYPES];
static inline unsigned ptx_type_bytes(PtxType type) {
  return type < PTX_TYPES ? ptx_type_size[type] : 0;
}
const char *ptx_type_name(PtxType);
/* Returns the canonical spelling of an operation, such as "add.f32". */
const char *ptx_op_name(PtxOp);
const char *ptx_op_meaning(PtxOp);
/* Returns the number of floating-point operations that one lane counts for this operation. */
unsigned ptx_op_flop(PtxOp);
/* Returns true for an operation d = predicate c ? a : b. */
bool ptx_op_is_select(PtxOp);
const char *ptx_special_name(PtxSpecial); /* returns a name such as "%tid.x" */
/* Returns the name of the i-th instruction that is not a row of arithmetic.def; NULL after the
 * last. */
const char *ptx_statement_name(size_t i);

#endif
