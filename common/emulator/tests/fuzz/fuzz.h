/* The declarations that the files of a generator of random CUDA programs share:
 *
 *   main.c          reads the options and writes one program: its cases and its main function
 *   cases.c         writes a case: device functions, one to three kernels, their launches
 *   structs.c       random struct types: padded, packed, bit fields, vectors, arrays
 *   forms.c         inline PTX: every form that values_h200.txt has
 *   grammar.c       expands rows of text to code; random numbers; the names in scope
 *   expressions.def, statements.def    the language: one row per kind of expression or statement
 *   support.h       the header of the generated programs: types, inputs, hashes
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stdint.h>

/* ---- types of the programs: their names are those of support.h ------------------------------- */
typedef enum Type { U8, I8, U16, I16, U32, I32, U64, I64, F16, BF16, F32, F64, TYPES } Type;
enum {
  M_U8 = 1 << U8,
  M_I8 = 1 << I8,
  M_U16 = 1 << U16,
  M_I16 = 1 << I16,
  M_U32 = 1 << U32,
  M_I32 = 1 << I32,
  M_U64 = 1 << U64,
  M_I64 = 1 << I64,
  M_F16 = 1 << F16,
  M_BF16 = 1 << BF16,
  M_F32 = 1 << F32,
  M_F64 = 1 << F64,
  NARROW = M_U8 | M_I8 | M_U16 | M_I16,
  WORDS = M_U32 | M_I32,
  LONGS = M_U64 | M_I64,
  INTEGERS = NARROW | WORDS | LONGS,
  FLOATS = M_F32 | M_F64,
  HALVES = M_F16 | M_BF16,
  ALL = INTEGERS | FLOATS | HALVES
};
extern const char *const type_name[TYPES];
extern const int type_bits[TYPES];
static inline bool is_integer(Type type) { return type <= I64; }

/* ---- where a row of the language may be used ------------------------------------------------- */
enum {
  KERNEL = 1,     /* not in a device function */
  WARP = 2,       /* where the lanes of `wm` are converged */
  BLOCK = 4,      /* where all threads of the block are converged */
  GRID = 8,       /* where all threads of a cooperative launch are converged */
  FULL = 16,      /* where warps are full */
  BREAKS = 32,    /* in a loop that a thread may leave */
  RETURNS = 64,   /* where a thread may leave the kernel */
  LOOPS = 128,    /* repeats its contents up to eight times */
  GROUPS_ = 256,  /* needs cooperative_groups.h */
  TEXTURES = 512, /* the case has textures */
  PRINTS = 1024,  /* the kernel's output is part of the result */
  HAS_HALF = 2048,
  HAS_BF16 = 4096
};

/* The state at the current position of the generated program. */
typedef struct Now {
  /* The conditions of the enum above that hold at this position. */
  unsigned features;
  /* A mask (M_...) of the types that variables may have. */
  unsigned types;
  /* The number of enclosing loops. */
  int loops;
  /* True if variables of struct types are in scope. */
  bool structs;
  /* The number of expressions that may still be written. */
  int budget;
} Now;
extern Now now;

/* ---- chance ---------------------------------------------------------------------------------- */
void chance_seed(uint64_t program, uint64_t kernel);
uint64_t chance(void);
int below(int n); /* returns 0 to n - 1 */
bool percent(int n);

/* ---- text ------------------------------------------------------------------------------------ */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void line(void); /* starts a new, indented line */
void indent(int by);

/* ---- scope: scope_back removes all names declared since scope_mark --------------------------- */
typedef enum Access {
  READ,
  WRITE,
  ADDRESS
} Access; /* a bit field allows READ and WRITE, but not ADDRESS */
void declare(Type type, Access access, const char *name, ...) __attribute__((format(printf, 3, 4)));
void declare_array(Type type, Access access, int length, const char *name, ...)
    __attribute__((format(printf, 4, 5)));
void declare_function(Type result, const char *name, int n, const Type *parameters);
int scope_mark(void);
void scope_back(int mark);
void scope_clear(void); /* also removes functions */
void each_scalar(void (*use)(Type type, const char *name));

/* ---- the language ---------------------------------------------------------------------------- */
void expression(Type type, int depth);
void condition(int depth);
void statements(int n);
void expand(const char *text, Type own, int depth);
Type some_type(void);

/* ---- parts ----------------------------------------------------------------------------------- */
bool forms_read(const char *path);
/* Writes n wrapper functions, starting with form number `first`, and adds them to the scope. */
void forms_declare(int first, int n);
int forms_count(void);
void structs_define(int kernel, int n);
/* Declares a variable of each struct type and adds its members to the scope. */
void structs_variables(void);
void structs_statement(void); /* writes a copy between two kinds of memory, or a call by value */
void structs_shared(void);    /* declares the arrays in shared memory for structs_statement */
int structs_bytes(void);      /* size of the largest struct */
void write_case(int kernel);

#endif
