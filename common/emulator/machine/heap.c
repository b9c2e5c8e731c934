/* Implements malloc and free in kernels. The heap is one range of device memory, which is allocated
 * at the first launch after a kernel that may call malloc has been loaded.
 *
 * A piece is the memory that one malloc returns. The size of a piece is UNIT bytes times a power of
 * two, and at least one byte more than requested, so an index just beyond the end is not in the
 * next piece. A freed piece is usually not reused in the same launch. If one thread frees memory
 * and another thread gets the same bytes, a GPU's allocator orders the accesses of the two threads,
 * but the observers do not track this order. Pieces freed in the same launch are reused only if the
 * heap is full. */
#include "../state/pieces.h"
#include "heap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = PIECE_UNIT, CLASSES = 40, NONE = 0 };

/* One entry per UNIT bytes. Only the entry of a piece's first unit is used. */
typedef struct Piece {
  /* The size class of the piece that begins at this unit, from 1; NONE: no piece begins here. */
  uint8_t size_class;
  bool live;
  /* 1 + the index of the next piece in the free list; 0: this is the last piece. */
  uint32_t next;
} Piece;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t wanted_bytes = 8u << 20;
static bool wanted;
static Allocation *memory;
static Piece *pieces;
static size_t units, used;
/* The free list of each size class, as 1 + the index of its first piece. `ready`: pieces that can
 * be reused. `freed`: pieces that were freed in this launch. */
static uint32_t ready[CLASSES], freed[CLASSES];

void heap_want(void) { wanted = true; }

bool machine_heap(size_t bytes) {
  if (!memory)
    wanted_bytes = bytes;
  return !memory;
}

static void give_back(unsigned size_class) {
  while (freed[size_class]) {
    const uint32_t i = freed[size_class];
    freed[size_class] = pieces[i - 1].next;
    pieces[i - 1].next = ready[size_class];
    ready[size_class] = i;
  }
}

void heap_launch(void) {
  if (!wanted)
    return;
  if (!memory && (memory = memory_allocate(wanted_bytes, MEMORY_HEAP, "the heap"))) {
    units = wanted_bytes / UNIT;
    pieces = calloc(units + 1, sizeof *pieces);
    memory->pieces = pieces_create(memory);
    units = pieces && memory->pieces ? units : 0;
  }
  for (unsigned i = 0; i < CLASSES; i++)
    give_back(i);
}

static unsigned class_of(uint64_t bytes) {
  unsigned size_class = 1;
  while (size_class < CLASSES - 1 && ((uint64_t)UNIT << (size_class - 1)) < bytes)
    size_class++;
  return size_class;
}

static uint64_t take(unsigned size_class) {
  if (!ready[size_class] && used + ((size_t)1 << (size_class - 1)) > units)
    give_back(size_class);
  size_t i = used;
  if (ready[size_class]) {
    i = ready[size_class] - 1;
    ready[size_class] = pieces[i].next;
  } else if (used + ((size_t)1 << (size_class - 1)) <= units) {
    used += (size_t)1 << (size_class - 1);
  } else {
    return 0;
  }
  pieces[i] = (Piece){.size_class = (uint8_t)size_class, .live = true};
  return memory->address + i * UNIT;
}

uint64_t heap_allocate(uint64_t bytes) {
  if (!bytes || !memory || bytes > memory->bytes)
    return 0;
  pthread_mutex_lock(&lock);
  const unsigned size_class = class_of(bytes + 1);
  const uint64_t address = take(size_class);
  if (address) {
    pieces_give(memory->pieces, address, bytes, (uint64_t)UNIT << (size_class - 1));
    memory_undefine(memory, address, bytes);
  }
  pthread_mutex_unlock(&lock);
  return address;
}

bool heap_free(uint64_t address) {
  if (!address)
    return true;
  const uint64_t offset = memory ? address - memory->address : 0, i = offset / UNIT;
  bool good = memory && address >= memory->address && i < units && offset % UNIT == 0;
  pthread_mutex_lock(&lock);
  good = good && pieces[i].live;
  if (good) {
    pieces[i].live = false;
    pieces_take_back(memory->pieces, address);
    pieces[i].next = freed[pieces[i].size_class];
    freed[pieces[i].size_class] = (uint32_t)i + 1;
  }
  pthread_mutex_unlock(&lock);
  return good;
}
