/* Declarations shared by the files of this folder, in sections by the file that defines them. Other
 * folders include program.h only.
 *
 *   text -> lexer.c -> parser.c, body.c (statements)
 *        -> decode.c, memory.c, warp_wide.c (PtxInsn on virtual registers)
 *        -> flow.c (blocks in order) -> provenance.c, merging.c
 *        -> invariant.c, registers.c (slots) -> module.c
 *
 * Text that is not PTX ends in fail(), which jumps back to ptx_load; that frees the arenas. An
 * unknown instruction ends in refuse(), which jumps back to decode_function; that keeps the reason,
 * and the rest of the module stays usable. */
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
/* Fails with "expected <what>, found ..." at the current token. */
_Noreturn void fail_expected(Loader *, const char *what);
_Noreturn void fail(Loader *, uint32_t ptx_line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- symbols.c: names in nested scopes --------------------------------------------------- */
typedef enum SymbolKind {
  /* index: first register; count NONE: one with this name, otherwise name0, name1 ... */
  SYMBOL_REGISTER,
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
  /* Not visible in other texts that are linked with this one. */
  bool is_local;
  /* The next symbol in the bucket. */
  struct Symbol *shadowed;
  /* The symbol declared before this one, in any bucket. */
  struct Symbol *earlier;
} Symbol;

typedef struct Symbols {
  Symbol **buckets;
  uint32_t nbuckets, count;
  Symbol *last;
} Symbols;

/* Declares a name in the innermost scope; it hides outer ones. */
Symbol *declare(Loader *, Slice name, SymbolKind);
const Symbol *find_symbol(const Symbols *, Slice name);
/* The register with this full name ("%r12" of "%r<23>"), or NONE. */
uint32_t find_register(const Symbols *, Slice name);
/* Removes the symbols declared after `mark`, an earlier value of symbols->last. */
void leave_scope(Symbols *, Symbol *mark);
/* Removes the symbols that are local to a text. */
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
    /* Not declared (yet): label, function or special register; plus value. */
    OPERAND_NAME,
    OPERAND_ADDRESS, /* [parts + value]; without parts: an absolute address */
    OPERAND_VECTOR,  /* {parts} */
    OPERAND_LIST,    /* (parts) */
    OPERAND_PAIR,    /* part|part */
    OPERAND_SINK,    /* _ */
    OPERAND_TEXTURE, /* [parts, {...}] */
    OPERAND_OTHER    /* occurs only in unknown instructions */
  } kind;
  /* !p, -c */
  bool negated;
  uint32_t reg;
  const Symbol *symbol;
  Slice name, selector;
  int64_t value;
  struct Operand *parts, *next;
} Operand;

/* The source line of code according to the compiler, and where it was inlined (file 0: it was not
 * inlined). */
typedef struct Location {
  uint32_t file, line, column, outer_file, outer_line, outer_column;
} Location;

typedef struct Statement {
  enum { STATEMENT_INSTRUCTION, STATEMENT_LABEL, STATEMENT_TARGETS } kind;
  /* Opcode with modifiers; or label; or the label of the .branchtargets. */
  Slice name;
  /* TARGETS: the names. */
  Operand *operands;
  /* LABEL: its number in Source.labels. */
  uint32_t label;
  /* The guard is @!p. */
  bool negated;
  /* Register or NONE. */
  uint32_t guard;
  uint32_t scope, location, ptx_line;
  /* PtxInsn.unused of a load */
  uint32_t unused;
} Statement;

typedef struct Label {
  Slice name;
  uint32_t scope;
  /* flow.c */
  uint32_t block;
  /* Some statement may jump here. */
  bool targeted;
  /* The statement with its .branchtargets, or NONE. */
  uint32_t targets;
} Label;

typedef enum RegisterClass { CLASS_PREDICATE, CLASS_NARROW, CLASS_WIDE, CLASSES } RegisterClass;

/* A virtual register. Constants are virtual registers too. */
typedef struct Register {
  uint8_t class, bytes;
  bool constant;
  /* invariant.c: the same wherever it is computed in a launch. */
  bool invariant;
  /* registers.c: written and read within one execution of one block. */
  bool temporary;
} Register;

/* A function as parsed from the text. */
typedef struct Source {
  uint32_t function, ptx_line;
  const char *refusal;
  VECTOR(Statement) statements;
  VECTOR(Register) registers;
  VECTOR(Label) labels;
  /* Hash table of label + 1, by name and scope. */
  uint32_t *label_buckets, nlabel_buckets;
  /* Parent of each. */
  VECTOR(uint32_t) scopes;
  /* Size of the argument area used by the open scopes. */
  uint32_t argument_top;
} Source;

/* An address in an initialiser. It is resolved when all variables are known. */
typedef struct Pending {
  uint32_t variable, ptx_line;
  uint64_t offset;
  Slice name;
  int64_t addend;
} Pending;

struct Loader {
  PtxModule *module;
  /* Freed when ptx_load returns. */
  PtxArena *scratch;
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
  /* Number of texts begun so far; several are linked. */
  uint32_t texts;
  /* Number of files of earlier texts. This text's file numbers are relative to it. */
  uint32_t files_before;
  VECTOR(PtxLine) lines;
  VECTOR(Source *) sources;
  VECTOR(Location) locations;
  VECTOR(Pending) pending;
  /* Number declared so far in the whole module. */
  uint32_t nregisters;
  /* Sum over the whole module so far. */
  uint64_t initial_bytes;
  uint32_t *line_buckets, nline_buckets;
};

void parse_module(Loader *);

/* ---- declared_sizes.c: sizes and offsets ----------------------------------------------------- */
/* A size or offset in bytes declared by a file, from 0 to 4 GiB. It is a separate type so that all
 * arithmetic with declared numbers uses these two functions, which call fail() on overflow. */
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
  /* x[] */
  bool unsized;
  /* 0 if unsized */
  Size size;
  uint32_t ptx_line;
} Declaration;

/* parse_declaration reads attributes and type. Then parse_name reads each name; names are separated
 * by commas. */
void parse_declaration(Loader *, Declaration *);
void parse_name(Loader *, Declaration *);
void declare_variable(Loader *, PtxSpace, bool is_extern, PtxLinkage);
void parse_file(Loader *);
void skip_statement(Loader *); /* up to the semicolon */
bool parse_type(Slice name, PtxType *);
/* Returns the first multiple of `align` from *top on, and sets *top to `bytes` after it. Fails
 * beyond `limit`. */
/* Maximum bytes of local memory of a function. */
enum { LOCAL_LIMIT = 1 << 20 };
uint32_t reserve(Loader *, uint32_t *top, uint64_t bytes, uint32_t align, uint32_t limit);

/* ---- initial.c: values of variables ------------------------------------------------------ */
void parse_initial(Loader *, Declaration *, uint32_t variable);
void resolve_initials(Loader *); /* of one text */

/* ---- body.c: statements of a function ---------------------------------------------------- */
void parse_body(Loader *, Source *);
/* The label that `name` denotes in a scope or the enclosing ones, or NONE. */
uint32_t find_label(const Source *, Slice name, uint32_t scope);

/* ---- decode.c: statements to instructions ------------------------------------------------ */
typedef struct RawBlock {
  /* `taken`, `next` and `table` are raw block numbers once the labels are resolved. */
  PtxBlock block;
  /* The label of `taken`, or NONE. */
  uint32_t label;
} RawBlock;

enum { MAX_PARTS = 16, MAX_OPERANDS = 8 };

typedef struct Decoder {
  Loader *loader;
  Source *source;
  PtxFunction *function;
  jmp_buf refused;
  /* The current statement: */
  const Statement *statement;
  /* Ld global f32. */
  Slice part[MAX_PARTS];
  uint32_t nparts;
  const Operand *operand[MAX_OPERANDS];
  uint32_t noperands;
  uint32_t line, column;
  /* The last place outside the toolkit's headers. */
  uint32_t user_line, user_column;
  /* The output so far: */
  VECTOR(PtxInsn) code;
  /* `slot` is a virtual register. */
  VECTOR(PtxConstant) constants;
  uint32_t *constant_buckets, nconstant_buckets;
  VECTOR(RawBlock) blocks;
  uint32_t table_entries;
  /* carry.c: the register of the carry flag + 1, or 0. */
  uint32_t carry;
  /* The register with alloca's next address + 1, or 0. */
  uint32_t stack;
} Decoder;

void decode_function(Loader *, Source *);
_Noreturn void refuse(Decoder *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Refuses with "<opcode> (<place>) is not implemented by the emulated device". */
_Noreturn void refuse_opcode(Decoder *);
/* The index of a source line in the line table. Adds it if it is new. */
uint32_t line_index(Loader *, uint32_t file, uint32_t line);

/* ---- operands.c: operands to virtual registers ------------------------------------------- */
PtxInsn *emit(Decoder *, PtxForm, PtxType);
/* Like emit, without the statement's guard: for values that are used only within the expansion of a
 * statement. */
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
/* A predicate source operand. `!p` is reported in `*negated`, or computed if `negated` is NULL. */
uint32_t predicate_operand(Decoder *, const Operand *, bool *negated);
/* The conjunction of the statement's guard and p. */
uint32_t and_guard(Decoder *, uint32_t p);
bool has_part(const Decoder *, const char *word);
void expect_operands(Decoder *, uint32_t least, uint32_t most);
const Symbol *operand_symbol(Decoder *, const Operand *);
/* In a PtxInsn, d and e are written; a, b, c, mask and guard are read; for the list see
 * ptx_written. */

/* ---- carry.c: add.cc and relatives ------------------------------------------------------- */
bool is_carry(const Decoder *);
void decode_carry(Decoder *);

/* ---- video.c: vadd, vset4 and similar -------------------------------------------------------- */
bool is_video(const Decoder *);
void decode_video(Decoder *);

/* ---- operations.c: arithmetic.def as a table ------------------------------------------------- */
typedef enum OperationKind { UNARY, BINARY, TERNARY, TEST1, TEST2, LOGIC, SELECT } OperationKind;
typedef struct Operation {
  const char *spelling, *meaning;
  uint8_t kind;
  /* PtxType of d, a, b, c; PTX_TYPES: no such operand. */
  uint8_t type[4];
  uint8_t flop;
} Operation;
extern const Operation operations[PTX_OP_COUNT];
/* Finds an operation by canonical spelling; PTX_OP_NONE if unknown. */
PtxOp find_operation(const char *spelling);
/* PTX_SPECIALS if unknown. */
PtxSpecial find_special(Slice name);
/* The type of the special register's value. */
PtxType special_type(PtxSpecial);

/* ---- memory.c: loads, stores, atomics, fences -------------------------------------------- */
void decode_load(Decoder *);
void decode_store(Decoder *);
void decode_atomic(Decoder *);
void decode_fence(Decoder *);
void decode_copy(Decoder *);
/* LD, ST or ATOM of `count` elements at an address. The list is copied. */
PtxInsn *emit_memory(Decoder *, PtxForm, PtxType, PtxSpace, uint32_t base, int64_t offset,
                     const uint32_t *list, uint32_t count);
/* LD or ST of the data operand's registers. */
PtxInsn *emit_data(Decoder *, bool writes, PtxSpace, PtxType, uint32_t count, const Operand *data,
                   uint32_t base);
bool atomic_exists(PtxAtomic, PtxType);
bool parse_atomic(Slice name, PtxAtomic *);

/* ---- mbarrier.c: mbarriers, and the bulk copies that they count ------------------------------ */
void decode_mbarrier(Decoder *);
void arrive_copied(Decoder *); /* cp.async.mbarrier.arrive */
void decode_bulk(Decoder *);   /* cp.async.bulk, cp.reduce.async.bulk */
void store_async(Decoder *);   /* st.async, red.async */
/* The register of an address; PTX_NO_REG: none. `narrow`: it has 32 bits. */
uint32_t address_operand(Decoder *, const Operand *, PtxSpace, int64_t *offset, bool *narrow);

/* ---- texture.c --------------------------------------------------------------------------- */
void decode_texture(Decoder *);
void decode_surface(Decoder *);

/* ---- warp_wide.c: warp-wide instructions and calls ------------------------------------------- */
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
void flow_cut(Decoder *); /* ends a block and begins the next */
void flow_label(Decoder *, uint32_t label);
/* A loop within the expansion of a statement: flow_loop begins its block; flow_repeat branches back
 * to it if the predicate is true. */
uint32_t flow_loop(Decoder *);
void flow_repeat(Decoder *, uint32_t loop, uint32_t predicate);
void flow_branch(Decoder *, const Operand *target);
void flow_table(Decoder *, uint32_t index, const Operand *targets);
void flow_leave(Decoder *, PtxEnd);
/* Orders the blocks, and stores code and blocks in the function. */
void flow_finish(Decoder *);

/* ---- postdominators.c -------------------------------------------------------------------- */
/* Fills in PtxBlock.meet. */
void find_meeting_points(PtxFunction *, PtxArena *scratch);

/* ---- provenance.c ------------------------------------------------------------------------ */
/* Fills in PtxInsn.parameter. Operands are still virtual registers. */
void trace_parameters(Decoder *);
void trace_data(Decoder *);
/* Sets PTX_SEED for loads whose value a compare-and-swap compares with. */
void trace_seeds(Decoder *);
/* Marks volatile accesses to variables that a loop waits for as strong. Sets PTX_UPDATES for stores
 * to a place from which their value was loaded. */
void trace_flags(Decoder *);
/* Computes the facts of an entry that depend on all functions that it may call. */
void summarise_entries(Loader *);

/* ---- overwritten.c ------------------------------------------------------------------------- */
/* Fills in PtxFunction.lost_line. Operands are still virtual registers. */
void find_overwritten(Decoder *);

/* ---- printed.c --------------------------------------------------------------------------- */
/* Marks instructions that exist only for printf: PTX_PRINTED in PtxInsn.parameter. */
void find_printed(Decoder *);

/* ---- dominators.c ------------------------------------------------------------------------ */
/* The which-th block that may follow b; NONE: no more. */
uint32_t successors(const PtxBlock *, uint32_t which);
typedef struct Dominators {
  /* The immediate dominator of each block. */
  uint32_t *above;
  /* The predecessors of b are in[first_in[b]] .. in[first_in[b + 1]]. */
  uint32_t *first_in, *in;
  uint32_t *seen, stamp;
  uint64_t steps;
} Dominators;
void find_dominators(Dominators *, const PtxFunction *, PtxArena *scratch);
/* Lists the blocks that lanes may execute between the immediate dominator of b and b, including b
 * itself if it is in a loop. Returns their number; NONE: too many. */
uint32_t blocks_between(Dominators *, uint32_t b, uint32_t *list);

/* ---- address_sums.c -------------------------------------------------------------------------- */
enum { SUM_BUCKETS = 1024 };
/* The value of a register: an unknown value (0: none) plus a constant. */
typedef struct Sum {
  uint32_t value;
  int64_t constant;
} Sum;
/* An unknown value, which may be the result of operation `kind` on the values a and b. */
typedef struct Value {
  /* `zeros`: number of low bits that are always zero. */
  uint8_t kind, zeros;
  /* `next`: the next value in the bucket. */
  uint32_t a, next;
  uint64_t b;
} Value;
typedef struct Undo {
  uint32_t reg;
  Sum sum;
} Undo;
/* The registers at one point of the program. The caller walks the program and passes each
 * instruction to sums_step. */
typedef struct Sums {
  Decoder *decoder;
  uint32_t nregisters;
  /* Per register. `writes`: number of writing instructions; 2 means two or more. */
  uint8_t *zeros, *writes;
  const PtxConstant **constant;
  uint8_t *symbol_zeros;
  /* Values of symbols, dynamic shared memory and special registers. */
  uint32_t *symbol, dynamic, special[PTX_SPECIALS];
  /* The current sum of each register; {0, 0}: not computed yet. */
  Sum *now;
  VECTOR(Value) values;
  VECTOR(Undo) undo;
  uint32_t buckets[SUM_BUCKETS];
} Sums;
void sums_begin(Sums *, Decoder *);
/* The number of instructions that write each register; 2 means two or more. */
uint8_t *count_writes(const Decoder *);
Sum sum_in(Sums *, uint32_t reg);
/* The number of low zero bits of a sum's unknown value. */
uint8_t sum_zeros(const Sums *, Sum);
void sums_step(Sums *, const PtxInsn *);
/* Registers written in that block become unknown. */
void sums_forget(Sums *, const PtxFunction *, uint32_t block);
/* Undoes changes until undo.count is `mark`. */
void sums_return(Sums *, uint32_t mark);

/* ---- uniform.c --------------------------------------------------------------------------- */
/* For each register, whether it may differ between lanes. `writes`: see count_writes. */
bool *find_differing(const Decoder *, uint8_t *writes);

/* ---- atomic_turns.c -------------------------------------------------------------------------- */
/* Fills in PtxInsn.merged.turns. Operands are still virtual registers. */
void find_turns(Decoder *);

/* ---- merging.c --------------------------------------------------------------------------- */
/* Fills in PtxInsn.merged. Operands are still virtual registers. */
void merge_accesses(Decoder *);

/* ---- invariant.c ------------------------------------------------------------------------- */
/* Fills in PtxInsn.invariant. Operands are still virtual registers. `undefined`: for each register,
 * whether it may be read before it is written. */
void find_invariants(Decoder *, const bool *undefined);

/* ---- registers.c ------------------------------------------------------------------------- */
/* Assigns every virtual register a slot and rewrites the operands. */
void assign_registers(Decoder *);

#endif
