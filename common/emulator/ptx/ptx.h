/* Declarations that the files of this folder share, in one section per file that defines them.
 * Other folders include only program.h.
 *
 *   text -> lexer.c -> parser.c, body.c (statements)
 *        -> decode.c, memory.c, warp_wide.c (PtxInsn on virtual registers)
 *        -> flow.c (blocks in order) -> provenance.c, merging.c
 *        -> invariant.c, registers.c (slots) -> module.c
 *
 * If the text is not PTX, the parser calls fail(), which jumps back to ptx_load() and ends loading.
 * If an instruction is unknown, the decoder calls refuse(), which jumps back to decode_function().
 * The reason is stored in PtxFunction.refusal, and the other functions of the module can still run.
 */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include <setjmp.h>
#include <string.h>

#include "arena.h"
#include "program.h"

#define NONE UINT32_MAX

/* A range of the module's text. */
typedef struct Slice {
  const char *start;
  uint32_t length;
} Slice;

static inline bool slice_is(Slice slice, const char *text) {
  /* Most comparisons differ in the first character. */
  return (slice.length == 0 || *slice.start == *text) && strlen(text) == slice.length &&
         memcmp(slice.start, text, slice.length) == 0;
}

/* ---- lexer.c ----------------------------------------------------------------------------- */
typedef enum TokenKind {
  TOKEN_END,
  TOKEN_WORD,      /* ld.global.f32  %r1  %tid.x  $L__BB0_2 */
  TOKEN_DIRECTIVE, /* .reg  .param */
  TOKEN_INTEGER,   /* value */
  TOKEN_F32,       /* value: the bits of the float */
  TOKEN_F64,       /* value: the bits of the double */
  TOKEN_STRING,    /* text: the string without the quotes */
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
  /* `index`: the first register. `count`: NONE for a single register with exactly this name;
   * otherwise the number of registers, whose names are name0, name1 ... */
  SYMBOL_REGISTER,
  SYMBOL_VARIABLE, /* index in module->variables */
  SYMBOL_SHARED,   /* index in module->shared */
  SYMBOL_LOCAL,    /* offset in the frame's local memory */
  SYMBOL_PARAM,    /* offset in the launch's parameters, and bytes */
  SYMBOL_ARGUMENT, /* offset in the frame's argument area, and bytes */
  SYMBOL_FUNCTION  /* index in module->functions */
} SymbolKind;

typedef struct Symbol {
  Slice name;
  SymbolKind kind;
  uint32_t index, count, offset, bytes, hash;
  /* The symbol is not visible in other texts that are linked with this one. */
  bool is_local;
  /* The next symbol in the hash bucket. */
  struct Symbol *shadowed;
  /* The symbol declared before this one, in any bucket. */
  struct Symbol *earlier;
} Symbol;

typedef struct Symbols {
  Symbol **buckets;
  uint32_t nbuckets, count;
  Symbol *last;
} Symbols;

/* Declares a name in the innermost scope. The new symbol hides symbols of the same name in outer
 * scopes. */
Symbol *declare(Loader *, Slice name, SymbolKind);
const Symbol *find_symbol(const Symbols *, Slice name);
/* Returns the register with this full name, such as "%r12" after the declaration "%r<23>". Returns
 * NONE if no such register is declared. */
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
    OPERAND_PART,    /* part of a register: %r1.b0 */
    OPERAND_INTEGER, /* value */
    OPERAND_F32,     /* value: the bits of the float */
    OPERAND_F64,     /* value: the bits of the double */
    OPERAND_SYMBOL,  /* the address of `symbol` plus `value` */
    /* A name that has not been declared so far, plus value: a label, a function or a special
     * register. */
    OPERAND_NAME,
    OPERAND_ADDRESS, /* [parts + value]; without parts: an absolute address */
    OPERAND_VECTOR,  /* {parts} */
    OPERAND_LIST,    /* (parts) */
    OPERAND_PAIR,    /* part|part */
    OPERAND_SINK,    /* _ */
    OPERAND_TEXTURE, /* [parts, {...}] */
    OPERAND_OTHER    /* occurs only in unknown instructions */
  } kind;
  /* True for !p and for -c. */
  bool negated;
  uint32_t reg;
  const Symbol *symbol;
  Slice name, selector;
  int64_t value;
  struct Operand *parts, *next;
} Operand;

/* The source position of an instruction, from .loc. If the code was inlined, the outer_ members are
 * the position of the inlined call; outer_file 0: the code was not inlined. */
typedef struct Location {
  uint32_t file, line, column, outer_file, outer_line, outer_column;
} Location;

typedef struct Statement {
  enum { STATEMENT_INSTRUCTION, STATEMENT_LABEL, STATEMENT_TARGETS } kind;
  /* INSTRUCTION: the opcode with its modifiers. LABEL: the label. TARGETS: the label of the
   * .branchtargets. */
  Slice name;
  /* INSTRUCTION: the operands. TARGETS: the names of the labels. */
  Operand *operands;
  /* LABEL: index in Source.labels. */
  uint32_t label;
  /* The guard is @!p. */
  bool negated;
  /* The predicate register that guards the instruction, or NONE. */
  uint32_t guard;
  uint32_t scope, location, ptx_line;
  /* PtxInsn.unused, if this is a load. */
  uint32_t unused;
} Statement;

typedef struct Label {
  Slice name;
  uint32_t scope;
  /* Set by flow.c: the raw block that begins at this label. */
  uint32_t block;
  /* A statement may jump to this label. */
  bool targeted;
  /* If this is the label of a .branchtargets: the index of that statement. Otherwise NONE. */
  uint32_t targets;
} Label;

typedef enum RegisterClass { CLASS_PREDICATE, CLASS_NARROW, CLASS_WIDE, CLASSES } RegisterClass;

/* A virtual register. Constants are virtual registers too. */
typedef struct Register {
  uint8_t class, bytes;
  bool constant;
  /* Set by invariant.c: the register gets the same value in every thread of a launch. */
  bool invariant;
  /* Set by registers.c: the register is written and read only within one execution of one
   * instruction block. */
  bool temporary;
} Register;

/* A function as parsed from the text. */
typedef struct Source {
  uint32_t function, ptx_line;
  const char *refusal;
  VECTOR(Statement) statements;
  VECTOR(Register) registers;
  VECTOR(Label) labels;
  /* Hash table by name and scope. A bucket holds the index in `labels` plus 1, or 0 if it is empty.
   */
  uint32_t *label_buckets, nlabel_buckets;
  /* The parent scope of each scope. */
  VECTOR(uint32_t) scopes;
  /* Number of bytes of the argument area that scopes which have not ended use. */
  uint32_t argument_top;
} Source;

/* An address in an initialiser, which is resolved when all variables have been parsed. */
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
  /* Number of PTX texts begun so far. One input may contain several texts, which are linked. */
  uint32_t texts;
  /* Number of source files of the earlier texts, which is added to the file numbers in the current
   * text. */
  uint32_t files_before;
  VECTOR(PtxLine) lines;
  VECTOR(Source *) sources;
  VECTOR(Location) locations;
  VECTOR(Pending) pending;
  /* Number of registers declared so far in the whole module. */
  uint32_t nregisters;
  /* Number of bytes of initial values so far in the whole module. */
  uint64_t initial_bytes;
  uint32_t *line_buckets, nline_buckets;
};

void parse_module(Loader *);

/* ---- declared_sizes.c: sizes and offsets ----------------------------------------------------- */
/* A size or offset in bytes that a PTX text declares, from 0 to 4 GiB. Because it is a separate
 * type, all arithmetic with declared numbers uses the two functions below, which call fail() on
 * overflow. */
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
  /* The first dimension has no length, as in x[]. */
  bool unsized;
  /* In bytes; 0 if `unsized`. */
  Size size;
  uint32_t ptx_line;
} Declaration;

/* parse_declaration parses the attributes and the type of a declaration. Then parse_name is called
 * for each of the names, which are separated by commas. */
void parse_declaration(Loader *, Declaration *);
void parse_name(Loader *, Declaration *);
void declare_variable(Loader *, PtxSpace, bool is_extern, PtxLinkage);
void parse_file(Loader *);
void skip_statement(Loader *); /* to the next semicolon, inclusive */
bool parse_type(Slice name, PtxType *);
/* Maximum number of bytes of local memory per lane of a function. */
enum { LOCAL_LIMIT = 1 << 20 };
/* Reserves `bytes` bytes at the first multiple of `align` from *top on. Returns the offset, and
 * sets *top to the end of the reserved bytes. Calls fail() if the end exceeds `limit`. */
uint32_t reserve(Loader *, uint32_t *top, uint64_t bytes, uint32_t align, uint32_t limit);

/* ---- initial.c: values of variables ------------------------------------------------------ */
void parse_initial(Loader *, Declaration *, uint32_t variable);
void resolve_initials(Loader *); /* at the end of each text */

/* ---- body.c: statements of a function ---------------------------------------------------- */
void parse_body(Loader *, Source *);
/* Returns the label that `name` denotes in `scope` or in an enclosing scope; NONE: there is no such
 * label. */
uint32_t find_label(const Source *, Slice name, uint32_t scope);

/* ---- decode.c: statements to instructions ------------------------------------------------ */
typedef struct RawBlock {
  /* `taken`, `next` and `table` are raw block numbers once the labels are resolved. */
  PtxBlock block;
  /* The label to which the instruction block jumps, from which `taken` is computed; NONE: no jump.
   */
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
  /* The parts of the opcode, such as ld, global and f32. */
  Slice part[MAX_PARTS];
  uint32_t nparts;
  const Operand *operand[MAX_OPERANDS];
  uint32_t noperands;
  uint32_t line, column;
  /* The instructions, constants and instruction blocks that have been decoded so far. */
  VECTOR(PtxInsn) code;
  /* In the decoder, PtxConstant.slot is the number of a virtual register. */
  VECTOR(PtxConstant) constants;
  uint32_t *constant_buckets, nconstant_buckets;
  VECTOR(RawBlock) blocks;
  uint32_t table_entries;
  /* Used by carry.c: the register that holds the carry flag, plus 1; 0: no register so far. */
  uint32_t carry;
  /* The register that holds the next address for alloca, plus 1; 0: the function has no alloca. */
  uint32_t stack;
} Decoder;

void decode_function(Loader *, Source *);
_Noreturn void refuse(Decoder *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Refuses with "<opcode> (<place>) is not implemented by the emulated device". */
_Noreturn void refuse_opcode(Decoder *);
/* Returns the index of a source line in PtxModule.lines. Adds the line if it is new. */
uint32_t line_index(Loader *, uint32_t file, uint32_t line);

/* ---- operands.c: operands to virtual registers ------------------------------------------- */
PtxInsn *emit(Decoder *, PtxForm, PtxType);
/* Like emit, but without the statement's guard. Used if only other instructions of the same
 * statement read the result. */
PtxInsn *emit_always(Decoder *, PtxForm, PtxType);
PtxInsn *emit_op(Decoder *, PtxOp, uint32_t d, uint32_t a, uint32_t b);
uint32_t new_register(Decoder *, unsigned bytes); /* 0 bytes: a predicate */
RegisterClass class_of(PtxType);
/* Returns the register or constant that holds a source operand of this type. */
uint32_t source_operand(Decoder *, const Operand *, PtxType);
uint32_t target_operand(Decoder *, const Operand *, PtxType);
uint32_t symbol_address(Decoder *, const Operand *, unsigned bytes);
uint32_t constant(Decoder *, unsigned bytes, PtxConstantKind, uint32_t symbol, uint64_t value);
uint64_t literal_bits(const Operand *, PtxType);
/* Returns the register of a predicate source operand. For `!p`, sets `*negated`; if `negated` is
 * NULL, emits an instruction that computes !p. */
uint32_t predicate_operand(Decoder *, const Operand *, bool *negated);
/* Returns a predicate register that is true where both p and the statement's guard are true. */
uint32_t and_guard(Decoder *, uint32_t p);
bool has_part(const Decoder *, const char *word);
void expect_operands(Decoder *, uint32_t least, uint32_t most);
const Symbol *operand_symbol(Decoder *, const Operand *);
/* An instruction writes its registers d and e, and reads a, b, c, mask and guard. It writes the
 * first ptx_written() registers of its list, and reads the other registers of the list. */

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
  /* The PtxType of each operand d, a, b, c; PTX_TYPES: the operation does not have this operand. */
  uint8_t type[4];
  uint8_t flop;
} Operation;
extern const Operation operations[PTX_OP_COUNT];
/* Finds an operation by canonical spelling; PTX_OP_NONE if unknown. */
PtxOp find_operation(const char *spelling);
/* Finds a special register by name; PTX_SPECIALS if unknown. */
PtxSpecial find_special(Slice name);
/* Returns the type of the special register's value. */
PtxType special_type(PtxSpecial);

/* ---- memory.c: loads, stores, atomics, fences -------------------------------------------- */
void decode_load(Decoder *);
void decode_store(Decoder *);
void decode_atomic(Decoder *);
void decode_fence(Decoder *);
void decode_copy(Decoder *);
/* Emits a LD, ST or ATOM of `count` elements at the address base + offset. Copies the list. */
PtxInsn *emit_memory(Decoder *, PtxForm, PtxType, PtxSpace, uint32_t base, int64_t offset,
                     const uint32_t *list, uint32_t count);
/* Emits a LD or ST of the registers in the operand `data`, at the address in register `base`. */
PtxInsn *emit_data(Decoder *, bool writes, PtxSpace, PtxType, uint32_t count, const Operand *data,
                   uint32_t base);
bool atomic_exists(PtxAtomic, PtxType);
bool parse_atomic(Slice name, PtxAtomic *);

/* ---- mbarrier.c: mbarriers, and the bulk copies that report to them -------------------------- */
void decode_mbarrier(Decoder *);
void arrive_copied(Decoder *); /* cp.async.mbarrier.arrive */
void decode_bulk(Decoder *);   /* cp.async.bulk, cp.reduce.async.bulk */
void store_async(Decoder *);   /* st.async, red.async */
/* Returns the register of an address operand; PTX_NO_REG if the address is absolute. `*narrow`: the
 * register has 32 bits. */
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
void flow_cut(Decoder *); /* ends an instruction block and begins the next */
void flow_label(Decoder *, uint32_t label);
/* For a statement that becomes a loop: flow_loop begins the instruction block of the loop and
 * returns its number; flow_repeat branches back to this block if the predicate is true. */
uint32_t flow_loop(Decoder *);
void flow_repeat(Decoder *, uint32_t loop, uint32_t predicate);
void flow_branch(Decoder *, const Operand *target);
void flow_table(Decoder *, uint32_t index, const Operand *targets);
void flow_leave(Decoder *, PtxEnd);
/* Orders the instruction blocks, and stores them and the code in the function. */
void flow_finish(Decoder *);

/* ---- postdominators.c -------------------------------------------------------------------- */
/* Fills in PtxBlock.meet. */
void find_meeting_points(PtxFunction *, PtxArena *scratch);

/* ---- provenance.c ------------------------------------------------------------------------ */
/* Fills in PtxInsn.parameter. Operands are still virtual registers. */
void trace_parameters(Decoder *);
void trace_data(Decoder *);
/* Sets PTX_SEED for loads whose value an atomic compare-and-swap compares with memory. */
void trace_seeds(Decoder *);
/* Sets PtxInsn.strong for volatile accesses to variables that a loop reads until they change. Sets
 * PTX_UPDATES for volatile stores whose value was computed from a volatile load of the same
 * address. */
void trace_flags(Decoder *);
/* Fills in the members of each entry's PtxFunction that depend on the functions which the entry may
 * call. */
void summarise_entries(Loader *);

/* ---- overwritten.c ------------------------------------------------------------------------- */
/* Fills in PtxFunction.lost_line. Operands are still virtual registers. */
void find_overwritten(Decoder *);

/* ---- printed.c --------------------------------------------------------------------------- */
/* Sets PtxInsn.parameter to PTX_PRINTED for instructions that exist only for printf. */
void find_printed(Decoder *);

/* ---- dominators.c ------------------------------------------------------------------------ */
/* Returns successor number `which` of b, from 0 on; NONE if b has fewer successors. */
uint32_t successors(const PtxBlock *, uint32_t which);
typedef struct Dominators {
  /* The immediate dominator of each instruction block. */
  uint32_t *above;
  /* The predecessors of b are in[first_in[b]] .. in[first_in[b + 1]]. */
  uint32_t *first_in, *in;
  uint32_t *seen, stamp;
  uint64_t steps;
} Dominators;
void find_dominators(Dominators *, const PtxFunction *, PtxArena *scratch);
/* Writes to `list` the instruction blocks that lanes may execute between the immediate dominator of
 * b and b, including b itself if it is in a loop. Returns the number of these blocks; NONE: the
 * search takes too long. */
uint32_t blocks_between(Dominators *, uint32_t b, uint32_t *list);

/* ---- address_sums.c -------------------------------------------------------------------------- */
enum { SUM_BUCKETS = 1024 };
/* The value of a register, as an unknown value plus a constant. `value`: index in Sums.values; 0:
 * there is no unknown value. */
typedef struct Sum {
  uint32_t value;
  int64_t constant;
} Sum;
/* An unknown value. If `kind` is not OTHER, it is the result of this operation on the values a and
 * b. */
typedef struct Value {
  /* `zeros`: number of low bits that are always zero. */
  uint8_t kind, zeros;
  /* `next`: index of the next value in the hash bucket. */
  uint32_t a, next;
  uint64_t b;
} Value;
typedef struct Undo {
  uint32_t reg;
  Sum sum;
} Undo;
/* The sums in all registers at one point of the program. The caller passes the instructions to
 * sums_step one after the other. */
typedef struct Sums {
  Decoder *decoder;
  uint32_t nregisters;
  /* For each register. `zeros`: number of low bits that are always zero. `writes`: number of
   * instructions that write the register; 2 means two or more. `constant`: the constant that the
   * register holds, or NULL. */
  uint8_t *zeros, *writes;
  const PtxConstant **constant;
  uint8_t *symbol_zeros;
  /* Indices in `values`, for the addresses of shared variables and of dynamic shared memory, and
   * for special registers; 0: no value so far. */
  uint32_t *symbol, dynamic, special[PTX_SPECIALS];
  /* The current sum of each register; {0, 0}: not computed yet. */
  Sum *now;
  VECTOR(Value) values;
  VECTOR(Undo) undo;
  uint32_t buckets[SUM_BUCKETS];
} Sums;
void sums_begin(Sums *, Decoder *);
/* Returns the number of instructions that write each register; 2 means two or more. */
uint8_t *count_writes(const Decoder *);
Sum sum_in(Sums *, uint32_t reg);
/* Returns the number of low bits that are always zero in the unknown value of the sum. */
uint8_t sum_zeros(const Sums *, Sum);
void sums_step(Sums *, const PtxInsn *);
/* Forgets the sums of the registers that this instruction block writes. */
void sums_forget(Sums *, const PtxFunction *, uint32_t block);
/* Undoes changes until undo.count is `mark`. */
void sums_return(Sums *, uint32_t mark);

/* ---- uniform.c --------------------------------------------------------------------------- */
/* Returns an array with true for each register whose value may differ between lanes. `writes`: the
 * result of count_writes. */
bool *find_differing(const Decoder *, uint8_t *writes);

/* ---- atomic_turns.c -------------------------------------------------------------------------- */
/* Fills in PtxInsn.merged.turns. Operands are still virtual registers. */
void find_turns(Decoder *);

/* ---- merging.c --------------------------------------------------------------------------- */
/* Fills in PtxInsn.merged. Operands are still virtual registers. */
void merge_accesses(Decoder *);

/* ---- invariant.c ------------------------------------------------------------------------- */
/* Fills in PtxInsn.invariant. Operands are still virtual registers. `undefined`: true for each
 * register that may be read before it is written. */
void find_invariants(Decoder *, const bool *undefined);

/* ---- registers.c ------------------------------------------------------------------------- */
/* Assigns every virtual register a slot and rewrites the operands. */
void assign_registers(Decoder *);

#endif
