/* An arena: memory that is freed all at once. Single allocations are never freed, so a parser that
 * stops in the middle of a file leaks nothing. Allocated memory is zeroed. */
#ifndef PTX_ARENA_H
#define PTX_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PtxArena PtxArena;

/* Returns NULL if memory is exhausted. An allocation that would raise the total above `limit` bytes
 * calls longjmp(exhausted). */
PtxArena *arena_new(size_t limit, jmp_buf *exhausted);
void arena_free(PtxArena *);
void *arena_take(PtxArena *, size_t bytes);
void *arena_take_array(PtxArena *, size_t count, size_t item_bytes);
/* Grows the array `items` to a capacity of at least `wanted` items. Returns `items`, or a larger
 * copy of the array. */
void *arena_grow(PtxArena *, void *items, uint32_t *capacity, uint32_t wanted, size_t item_bytes);
/* Copies an array into the arena. `items` may be NULL if `count` is 0. */
void *arena_copy(PtxArena *, const void *items, size_t count, size_t item_bytes);
char *arena_text(PtxArena *, const char *start, size_t length);

#define ARENA_ARRAY(arena, T, count) ((T *)arena_take_array(arena, count, sizeof(T)))

/* A growing array. VECTOR_PUSH returns a pointer to the new, zeroed last item. */
#define VECTOR(T)                                                                                  \
  struct {                                                                                         \
    T *items;                                                                                      \
    uint32_t count, capacity;                                                                      \
  }
#define VECTOR_PUSH(arena, v)                                                                      \
  ((v).items = arena_grow(arena, (v).items, &(v).capacity, (v).count + 1, sizeof *(v).items),      \
   &(v).items[(v).count++])

#endif
