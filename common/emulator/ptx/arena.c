/* Implements the arena (arena.h) as a list of chunks. Allocations are taken from the newest chunk
 * in order. With AddressSanitizer, there is a gap after each allocation; the gaps and the unused
 * part of a chunk are poisoned. */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* gcc defines it, clang does not */
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { GAP_BYTES = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(start, bytes)
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes)
enum { GAP_BYTES = 0 };
#endif

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = 16 };

typedef struct Chunk {
  struct Chunk *older;
  size_t used, bytes;
  _Alignas(16) unsigned char data[];
} Chunk;

struct PtxArena {
  Chunk *newest;
  size_t taken, limit;
  jmp_buf *exhausted;
};

PtxArena *arena_new(size_t limit, jmp_buf *exhausted) {
  PtxArena *arena = calloc(1, sizeof *arena);
  if (arena) {
    arena->limit = limit;
    arena->exhausted = exhausted;
  }
  return arena;
}

void arena_free(PtxArena *arena) {
  if (!arena)
    return;
  for (Chunk *chunk = arena->newest, *older; chunk; chunk = older) {
    older = chunk->older;
    free(chunk);
  }
  free(arena);
}

static Chunk *open_chunk(PtxArena *arena, size_t bytes) {
  size_t room = bytes > CHUNK_BYTES / 2 ? bytes : CHUNK_BYTES;
  Chunk *chunk = calloc(1, sizeof *chunk + room);
  if (!chunk)
    longjmp(*arena->exhausted, 1);
  chunk->bytes = room;
  ASAN_POISON_MEMORY_REGION(chunk->data, room);
  /* This allocation fills the new chunk completely. Keep the previous chunk as the newest, because
   * it may have free space. */
  if (arena->newest && room == bytes) {
    chunk->older = arena->newest->older;
    arena->newest->older = chunk;
  } else {
    chunk->older = arena->newest;
    arena->newest = chunk;
  }
  return chunk;
}

void *arena_take(PtxArena *arena, size_t bytes) {
  if (bytes > arena->limit - arena->taken)
    longjmp(*arena->exhausted, 1);
  size_t whole = ((bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1)) + GAP_BYTES;
  arena->taken = whole < arena->limit - arena->taken ? arena->taken + whole : arena->limit;
  Chunk *chunk = arena->newest;
  if (!chunk || chunk->bytes - chunk->used < whole)
    chunk = open_chunk(arena, whole);
  void *memory = chunk->data + chunk->used;
  chunk->used += whole;
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
  return memory;
}

void *arena_take_array(PtxArena *arena, size_t count, size_t item_bytes) {
  if (item_bytes && count > arena->limit / item_bytes)
    longjmp(*arena->exhausted, 1);
  return arena_take(arena, count * item_bytes);
}

void *arena_grow(PtxArena *arena, void *items, uint32_t *capacity, uint32_t wanted, size_t bytes) {
  if (wanted <= *capacity)
    return items;
  uint32_t larger = *capacity < 8 ? 8 : *capacity;
  while (larger < wanted && larger < UINT32_MAX / 2)
    larger *= 2;
  if (larger < wanted)
    longjmp(*arena->exhausted, 1);
  void *copy = arena_take_array(arena, larger, bytes);
  if (items)
    memcpy(copy, items, *capacity * bytes);
  *capacity = larger;
  return copy;
}

char *arena_text(PtxArena *arena, const char *start, size_t length) {
  char *copy = arena_take(arena, length + 1);
  memcpy(copy, start, length);
  return copy;
}

void *arena_copy(PtxArena *arena, const void *items, size_t count, size_t item_bytes) {
  void *copy = arena_take_array(arena, count, item_bytes);
  if (count)
    memcpy(copy, items, count * item_bytes);
  return copy;
}
