/* What the files of this folder share, sectioned by the file that defines it. Others see program.h
 * only.
 *
 *   text -> lexer.c -> parser.c, body.c (statements) -> decode.c, memory.c, warp.c (PtxInsn on
 * virtual registers) -> flow.c (blocks in order) -> provenance.c, merging.c -> invariant.c,
 * registers.c (slots) -> module.c
 *
 * Text that is not PTX ends in fail(): it jumps back to ptx_load, which frees the arenas. An
 * instruction that we do not know ends in refuse(): it jumps back to decode_function, which keeps
 * the reason; the rest of the module stays usable.
 */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <setjmp.h>
#include <string.h>

#include "arena.h"
#include "program.h"

#define NONE UINT32_MAX

/* A piece of the module's text. */
typedef struct Slice {
  const char *start;
  uint32_t length;
} Slice;

static inline bool slice_is(Slice slice, const char *text) {
  return strlen(text) == slice.length && memcmp(slice.start, text, slice.length) == 0;
}

/* ---- lexer.c ----------------------------------------------------------------------------- */
typedef enum TokenKind {
  TOKEN_END,
  TOKEN_WORD,      /* ld.global.f32  %r1  %tid.x  $L__BB0_2 */
  TOKEN_DIRECTIVE, /* .reg  .param */
  TOKEN_INTEGER,   /* value */
  TOKEN_F32,       /* value: the 32 bits */
  TOKEN_F64,       /* value: the 64 bits */
  TOKEN_STRING,    /* text: without the quotes */
  TOKEN_MARK       /* one character: text.start[0] */
} TokenKind;

typedef struct Token {
  TokenKind kind;
  Slice text;
  uint32_t line;
  uint64_t value;
} Token;

typedef struct Loader Loader;

void next_token(Loader *);
bool is_mark(const Loader *, char mark);
bool is_directive(const Loader *, const char *directive);
bool accept_mark(Loader *, char mark);
void expect_mark(Loader *, char mark);
bool accept_directive(Loader *, const char *directive);
uint64_t expect_integer(Loader *, const char *what);
Slice expect_word(Loader *, const char *what);
/* "expected <what>, found ..." at the token at hand */
_Noreturn void fail_expected(Loader *, const char *what);
_Noreturn void fail(Loader *, uint32_t ptx_line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- symbols.c: names in nested scopes --------------------------------------------------- */
typedef enum SymbolKind {
  SYMBOL_REGISTER, /* index: first register; count NONE: one of this name, else name0, name1 ... */
  SYMBOL_VARIABLE, /* index in module->variables */
  SYMBOL_SHARED,   /* index in module->shared */
  SYMBOL_LOCAL,    /* offset in the frame's local memory */
  SYMBOL_PARAM,    /* offset in the launch's parameters; bytes */
  SYMBOL_ARGUMENT, /* offset in the frame's argument area; bytes */
  SYMBOL_FUNCTION  /* index in module->functions */
} SymbolKind;

typedef struct Symbol {
  Slice name;
  SymbolKind kind;
  uint32_t index, count, offset, bytes, hash;
  bool is_local;           /* not for texts that are linked with this one */
  struct Symbol *shadowed; /* next in the bucket */
  struct Symbol *earlier;  /* declared before this one, any bucket */
} Symbol;

typedef struct Symbols {
  Symbol **buckets;
  uint32_t nbuckets, count;
  Symbol *last;
} Symbols;

/* Declares a name in the innermost scope, hiding outer ones. */
Symbol *declare(Loader *, Slice name, SymbolKind);
const Symbol *find_symbol(const Symbols *, Slice name);
/* A register by its full name ("%r12" of "%r<23>"), or NONE. */
uint32_t find_register(const Symbols *, Slice name);
/* Forgets what was declared after `mark`, a former symbols->last. */
void leave_scope(Symbols *, Symbol *mark);
/* Forgets what is local to a text. */
void leave_text(Symbols *);
uint32_t hash_bytes(const void *, size_t length, uint32_t seed);

/* ---- parser.c: a module's declarations --------------------------------------------------- */
typedef struct Operand {
  enum {
    OPERAND_REGISTER,
    OPERAND_PART,    /* a register's selector: %r1.b0 */
    OPERAND_INTEGER, /* value */
    OPERAND_F32,     /* value: bits */
    OPERAND_F64,     /* value: bits */
    OPERAND_SYMBOL,  /* symbol, plus value */
    OPERAND_NAME,    /* not declared (yet): label, function, special register; plus value */
    OPERAND_ADDRESS, /* [parts + value]; no parts: an absolute address */
    OPERAND_VECTOR,  /* {parts} */
    OPERAND_LIST,    /* (parts) */
    OPERAND_PAIR,    /* part|part */
    OPERAND_SINK,    /* _ */
    OPERAND_TEXTURE, /* [parts, {...}] */
    OPERAND_OTHER    /* something that only instructions we do not know have */
  } kind;
  bool negated; /* !p, -c */
  uint32_t reg;
  const Symbol *symbol;
  Slice name, selector;
  int64_t value;
  struct Operand *parts, *next;
} Operand;

/* Where the compiler says that code comes from, and where that was inlined (file 0: it was not). */
typedef struct Location {
  uint32_t file, line, column, outer_file, outer_line, outer_column;
} Location;

typedef struct Statement {
  enum { STATEMENT_INSTRUCTION, STATEMENT_LABEL, STATEMENT_TARGETS } kind;
  Slice name;        /* opcode with modifiers; label; label of the .branchtargets */
  Operand *operands; /* TARGETS: the names */
  uint32_t label;    /* LABEL: its number in Source.labels */
  bool negated;      /* guard is @!p */
  uint32_t guard;    /* register or NONE */
  uint32_t scope, location, ptx_line;
  uint32_t unused; /* bytes of what it loads: PtxInsn.unused */
} Statement;

typedef struct Label {
  Slice name;
  uint32_t scope;
  uint32_t block;   /* flow.c */
  bool targeted;    /* something may jump here */
  uint32_t targets; /* statement with its .branchtargets, or NONE */
} Label;

typedef enum RegisterClass { CLASS_PREDICATE, CLASS_NARROW, CLASS_WIDE, CLASSES } RegisterClass;

/* A virtual register; constants are virtual registers too. */
typedef struct Register {
  uint8_t class, bytes;
  bool constant;
  bool invariant; /* invariant.c: the same wherever it is computed in a launch */
  bool temporary; /* registers.c: written and read within one run of one block */
} Register;

/* A function as it stands in the text. */
typedef struct Source {
  uint32_t function, ptx_line;
  const char *refusal;
  VECTOR(Statement) statements;
  VECTOR(Register) registers;
  VECTOR(Label) labels;
  uint32_t *label_buckets, nlabel_buckets; /* label + 1 by name and scope */
  VECTOR(uint32_t) scopes;                 /* parent of each */
  uint32_t argument_top;                   /* argument area taken by the scopes that are open */
} Source;

/* An address in an initialiser, resolved when all variables are known. */
typedef struct Pending {
  uint32_t variable, ptx_line;
  uint64_t offset;
  Slice name;
  int64_t addend;
} Pending;

struct Loader {
  PtxModule *module;
  PtxArena *scratch; /* gone when ptx_load returns */
  jmp_buf failed;
  char *error;
  size_t error_size;
  const char *cursor;
  uint32_t line;
  Token token;
  Symbols symbols;
  VECTOR(PtxFunction) functions;
  VECTOR(PtxVariable) variables, shared;
  VECTOR(const char *) files;
  uint32_t texts;        /* begun so far: several are linked */
  uint32_t files_before; /* of earlier texts; the files of this one are numbered from there */
  VECTOR(PtxLine) lines;
  VECTOR(Source *) sources;
  VECTOR(Location) locations;
  VECTOR(Pending) pending;
  uint32_t nregisters;    /* declared so far in the whole module */
  uint64_t initial_bytes; /* likewise */
  uint32_t *line_buckets, nline_buckets;
};

void parse_module(Loader *);

/* ---- sizes.c: how large, and where ------------------------------------------------------- */
/* Bytes that a file declares, or a place among them: from 0 to 4 GiB. A type of its own, so that all arithmetic with what
 * somebody wrote goes through these two, which end in fail(). */
typedef struct Size {
  uint64_t bytes;
} Size;
Size size_times(Loader *, Size, uint64_t count);
Size size_plus(Loader *, Size, uint64_t bytes);

/* A variable of any space, as declared: `.align 4 .b8 name[16]`. */
typedef struct Declaration {
  Slice name;
  uint32_t align, element_bytes;
  PtxType type;
  uint64_t dims[8];
  uint32_t ndims;
  bool unsized; /* x[] */
  Size size;    /* 0 when unsized */
  uint32_t ptx_line;
} Declaration;

/* Attributes and type; then names can follow with parse_name, separated by commas. */
void parse_declaration(Loader *, Declaration *);
void parse_name(Loader *, Declaration *);
void declare_variable(Loader *, PtxSpace, bool is_extern, PtxLinkage);
void parse_file(Loader *);
void skip_statement(Loader *); /* to the semicolon */
bool parse_type(Slice name, PtxType *);
/* The first multiple of `align` from *top on; *top moves behind `bytes` more. Fails beyond `limit`.
 */
enum { LOCAL_LIMIT = 1 << 20 }; /* bytes of local memory in a function */
uint32_t reserve(Loader *, uint32_t *top, uint64_t bytes, uint32_t align, uint32_t limit);

/* ---- initial.c: values of variables ------------------------------------------------------ */
void parse_initial(Loader *, Declaration *, uint32_t variable);
void resolve_initials(Loader *); /* of one text */

/* ---- body.c: statements of a function ---------------------------------------------------- */
void parse_body(Loader *, Source *);
/* The label that `name` means in a scope or the scopes around it, or NONE. */
uint32_t find_label(const Source *, Slice name, uint32_t scope);

/* ---- decode.c: statements to instructions ------------------------------------------------ */
typedef struct RawBlock {
  PtxBlock block; /* taken, next, table: raw blocks once the labels are resolved */
  uint32_t label; /* taken is this label, or NONE */
} RawBlock;

enum { MAX_PARTS = 16, MAX_OPERANDS = 8 };

typedef struct Decoder {
  Loader *loader;
  Source *source;
  PtxFunction *function;
  jmp_buf refused;
  /* the statement at hand */
  const Statement *statement;
  Slice part[MAX_PARTS]; /* ld  global  f32 */
  uint32_t nparts;
  const Operand *operand[MAX_OPERANDS];
  uint32_t noperands;
  uint32_t line, column;
  uint32_t user_line, user_column; /* last place outside the toolkit's headers */
  /* what came out so far */
  VECTOR(PtxInsn) code;
  VECTOR(PtxConstant) constants; /* slot: virtual register */
  uint32_t *constant_buckets, nconstant_buckets;
  VECTOR(RawBlock) blocks;
  uint32_t table_entries;
  uint32_t carry; /* carry.c: the register of the carry flag + 1, or 0 */
  uint32_t stack; /* the register with the address that alloca gives next + 1, or 0 */
} Decoder;

void decode_function(Loader *, Source *);
_Noreturn void refuse(Decoder *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "<opcode> (<place>) is not implemented by the emulated device" */
_Noreturn void refuse_opcode(Decoder *);
/* Line table index of a place in the source, made when new. */
uint32_t line_index(Loader *, uint32_t file, uint32_t line);

/* ---- operands.c: operands to virtual registers ------------------------------------------- */
PtxInsn *emit(Decoder *, PtxForm, PtxType);
/* The same without the statement's guard: for values that only the expansion of a statement sees.
 */
PtxInsn *emit_always(Decoder *, PtxForm, PtxType);
PtxInsn *emit_op(Decoder *, PtxOp, uint32_t d, uint32_t a, uint32_t b);
uint32_t new_register(Decoder *, unsigned bytes); /* 0: predicate */
RegisterClass class_of(PtxType);
/* The register or constant that holds a source operand of this type. */
uint32_t source_operand(Decoder *, const Operand *, PtxType);
uint32_t target_operand(Decoder *, const Operand *, PtxType);
uint32_t symbol_address(Decoder *, const Operand *, unsigned bytes);
uint32_t constant(Decoder *, unsigned bytes, PtxConstantKind, uint32_t symbol, uint64_t value);
uint64_t literal_bits(const Operand *, PtxType);
/* A predicate source; with `negated`, `!p` is reported there, else computed. */
uint32_t predicate_operand(Decoder *, const Operand *, bool *negated);
/* The statement's guard, and p. */
uint32_t and_guard(Decoder *, uint32_t p);
bool has_part(const Decoder *, const char *word);
void expect_operands(Decoder *, uint32_t least, uint32_t most);
const Symbol *operand_symbol(Decoder *, const Operand *);
/* Operands of a PtxInsn: d and e are written, a, b, c, mask and guard read; of the list ptx_written. */

/* ---- carry.c: add.cc and relatives ------------------------------------------------------- */
bool is_carry(const Decoder *);
void decode_carry(Decoder *);

/* ---- video.c: vadd, vset4 and their like ------------------------------------------------- */
bool is_video(const Decoder *);
void decode_video(Decoder *);

/* ---- operations.c: ops.def as a table ---------------------------------------------------- */
typedef enum OperationKind { UNARY, BINARY, TERNARY, TEST1, TEST2, LOGIC, SELECT } OperationKind;
typedef struct Operation {
  const char *spelling, *meaning;
  uint8_t kind;
  uint8_t type[4]; /* PtxType of d, a, b, c; PTX_TYPES: no such operand */
  uint8_t flop;
} Operation;
extern const Operation operations[PTX_OP_COUNT];
/* By canonical spelling; PTX_OP_NONE when unknown. */
PtxOp find_operation(const char *spelling);
/* PTX_SPECIALS when unknown */
PtxSpecial find_special(Slice name);
/* The type of its value. */
PtxType special_type(PtxSpecial);

/* ---- memory.c: loads, stores, atomics, fences -------------------------------------------- */
void decode_load(Decoder *);
void decode_store(Decoder *);
void decode_atomic(Decoder *);
void decode_fence(Decoder *);
void decode_copy(Decoder *);
/* LD, ST or ATOM of `count` elements at an address; the list is copied. */
PtxInsn *emit_memory(Decoder *, PtxForm, PtxType, PtxSpace, uint32_t base, int64_t offset,
                     const uint32_t *list, uint32_t count);
/* ... of the data operand's registers. */
PtxInsn *emit_data(Decoder *, bool writes, PtxSpace, PtxType, uint32_t count, const Operand *data,
                   uint32_t base);
bool atomic_exists(PtxAtomic, PtxType);
bool parse_atomic(Slice name, PtxAtomic *);

/* ---- mbarrier.c: barriers in memory, and copies in bulk that they count ------------------- */
void decode_mbarrier(Decoder *);
void arrive_copied(Decoder *); /* cp.async.mbarrier.arrive */
void decode_bulk(Decoder *);   /* cp.async.bulk, cp.reduce.async.bulk */
void store_async(Decoder *);   /* st.async, red.async */
/* The register of an address, PTX_NO_REG: none; `narrow`: of 32 bits. */
uint32_t address_operand(Decoder *, const Operand *, PtxSpace, int64_t *offset, bool *narrow);

/* ---- texture.c --------------------------------------------------------------------------- */
void decode_texture(Decoder *);
void decode_surface(Decoder *);

/* ---- warp.c: instructions that lanes do together, and calls ------------------------------ */
void decode_barrier(Decoder *);
void decode_shuffle(Decoder *);
void decode_vote(Decoder *);
void decode_elect(Decoder *);
void decode_match(Decoder *);
void decode_redux(Decoder *);
void decode_activemask(Decoder *);
void decode_call(Decoder *);

/* ---- matrix.c ---------------------------------------------------------------------------- */
void decode_mma(Decoder *);
void decode_wmma(Decoder *);
void decode_ldmatrix(Decoder *);
void decode_stmatrix(Decoder *);
void decode_movmatrix(Decoder *);

/* ---- flow.c: basic blocks ---------------------------------------------------------------- */
void flow_begin(Decoder *);
void flow_cut(Decoder *); /* a block ends here and the next begins */
void flow_label(Decoder *, uint32_t label);
/* A loop of a statement's own: the block that begins here, and the way back to it for who has the predicate. */
uint32_t flow_loop(Decoder *);
void flow_repeat(Decoder *, uint32_t loop, uint32_t predicate);
void flow_branch(Decoder *, const Operand *target);
void flow_table(Decoder *, uint32_t index, const Operand *targets);
void flow_leave(Decoder *, PtxEnd);
/* Orders the blocks and hands code and blocks to the function. */
void flow_finish(Decoder *);

/* ---- postdominators.c -------------------------------------------------------------------- */
/* Fills in PtxBlock.meet. */
void find_meeting_points(PtxFunction *, PtxArena *scratch);

/* ---- provenance.c ------------------------------------------------------------------------ */
/* Fills PtxInsn.parameter; operands are still virtual registers. */
void trace_parameters(Decoder *);
void trace_data(Decoder *);
/* Loads whose value a compare-and-swap compares with get PTX_SEED. */
void trace_seeds(Decoder *);
/* Volatile accesses to what a loop waits for become strong; stores to a place from which their value was loaded get
 * PTX_UPDATES. */
void trace_flags(Decoder *);
/* Facts of an entry that depend on all it may call. */
void summarise_entries(Loader *);

/* ---- overwritten.c ------------------------------------------------------------------------- */
/* Fills PtxFunction.lost_line; operands are still virtual registers. */
void find_overwritten(Decoder *);

/* ---- printed.c --------------------------------------------------------------------------- */
/* Marks what is there for printf alone: PTX_PRINTED in PtxInsn.parameter. */
void find_printed(Decoder *);

/* ---- dominators.c ------------------------------------------------------------------------ */
/* The block that lanes may go to from b; NONE: no more. */
uint32_t successors(const PtxBlock *, uint32_t which);
typedef struct Dominators {
  uint32_t *above;         /* the nearest block that all ways to this one lead through */
  uint32_t *first_in, *in; /* predecessors of b: in[first_in[b]] .. in[first_in[b + 1]] */
  uint32_t *seen, stamp;
  uint64_t steps;
} Dominators;
void find_dominators(Dominators *, const PtxFunction *, PtxArena *scratch);
/* What lanes may run between the block above b and b; b is one of them if they may come again. Returns
 * how many, NONE: too many to look. */
uint32_t blocks_between(Dominators *, uint32_t b, uint32_t *list);

/* ---- sums.c ------------------------------------------------------------------------------ */
enum { SUM_BUCKETS = 1024 };
/* What a register holds: something unknown, or nothing (0), and a constant. */
typedef struct Sum {
  uint32_t value;
  int64_t constant;
} Sum;
/* Something unknown: perhaps computed of others, `kind` (sums.c) of value a and of b. */
typedef struct Value {
  uint8_t kind, zeros; /* zeros: low bits of it that are always zero */
  uint32_t a, next;    /* next: in the bucket */
  uint64_t b;
} Value;
typedef struct Undo {
  uint32_t reg;
  Sum sum;
} Undo;
/* Registers at a point of the program. Whoever walks it tells of each instruction. */
typedef struct Sums {
  Decoder *decoder;
  uint32_t nregisters;
  uint8_t *zeros, *writes; /* of each register; writes: 2 for more */
  const PtxConstant **constant;
  uint8_t *symbol_zeros;
  uint32_t *symbol, dynamic, special[PTX_SPECIALS]; /* values of theirs */
  Sum *now; /* in each register; no value, no constant: not asked yet */
  VECTOR(Value) values;
  VECTOR(Undo) undo;
  uint32_t buckets[SUM_BUCKETS];
} Sums;
void sums_begin(Sums *, Decoder *);
/* How many instructions write each register; 2 for more. */
uint8_t *count_writes(const Decoder *);
Sum sum_in(Sums *, uint32_t reg);
/* Low zeros of what is not the constant. */
uint8_t sum_zeros(const Sums *, Sum);
void sums_step(Sums *, const PtxInsn *);
/* What that block writes may have changed, or not. */
void sums_forget(Sums *, const PtxFunction *, uint32_t block);
/* Back to where undo.count was `mark`. */
void sums_return(Sums *, uint32_t mark);

/* ---- uniform.c --------------------------------------------------------------------------- */
/* For each register: may it differ from lane to lane? writes: how many instructions write it, 2 for more. */
bool *find_differing(const Decoder *, uint8_t *writes);

/* ---- turns.c ----------------------------------------------------------------------------- */
/* Fills PtxInsn.merged.turns; operands are still virtual registers. */
void find_turns(Decoder *);

/* ---- merging.c --------------------------------------------------------------------------- */
/* Fills PtxInsn.merged; operands are still virtual registers. */
void merge_accesses(Decoder *);

/* ---- invariant.c ------------------------------------------------------------------------- */
/* Fills PtxInsn.invariant and lists the others as steps; operands are still virtual registers. undefined: of each
 * register, may it be read before it was written? */
void find_invariants(Decoder *, const bool *undefined);

/* ---- registers.c ------------------------------------------------------------------------- */
/* Gives every virtual register its slot and rewrites the operands. */
void assign_registers(Decoder *);

#endif
