/* Reads a tape, and returns the parts of its records. */
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "race.h"

/* Appends an item to a list. The allocation is doubled when the length is a power of two. */
#define APPEND(list, count, item)                                                                  \
  do {                                                                                             \
    if (((count) & ((count)-1)) == 0)                                                              \
      (list) = realloc((void *)(list), ((count) ? 2 * (count) : 1) * sizeof *(list));              \
    assert(list);                                                                                  \
    (list)[(count)++] = (item);                                                                    \
  } while (0)

static size_t fixed_bytes(const TapeHead *h) {
  switch ((TapeKind)h->kind) {
  case TAPE_LAUNCH:
    return sizeof(TapeLaunch);
  case TAPE_SHARED:
    return sizeof(TapeShared);
  case TAPE_ACCESS:
    return sizeof(TapeAccess);
  case TAPE_BUFFER:
    return sizeof(TapeBuffer);
  case TAPE_END:
    return sizeof(TapeEnd);
  default:
    return sizeof(TapeHold);
  }
}

static void take(Tape *tape, const TapeHead *h) {
  if (h->kind == TAPE_LAUNCH) {
    const TapedLaunch l = {.launch = (const void *)h, .kernel = tape_name(h)};
    APPEND(tape->launches, tape->nlaunches, l);
    return;
  }
  if (!tape->nlaunches)
    return;
  TapedLaunch *l = &tape->launches[tape->nlaunches - 1];
  switch ((TapeKind)h->kind) {
  case TAPE_SHARED:
    APPEND(l->shared, l->nshared, (const TapeShared *)(const void *)h);
    return;
  case TAPE_BUFFER:
    APPEND(l->buffers, l->nbuffers, (const TapeBuffer *)(const void *)h);
    return;
  case TAPE_END:
    l->end = (const void *)h;
    return;
  default:
    APPEND(l->events, l->nevents, h);
  }
}

/* Ignores an incomplete last record, which a program leaves if it is stopped. */
Tape tape_read(const char *path) {
  Tape tape = {0};
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) || !status.st_size) {
    if (file >= 0)
      close(file);
    return tape;
  }
  tape.bytes = (size_t)status.st_size;
  tape.map = mmap(NULL, tape.bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (tape.map == MAP_FAILED)
    return (Tape){0};
  for (size_t at = 0; at + sizeof(TapeHead) <= tape.bytes;) {
    const TapeHead *h = (const void *)((const char *)tape.map + at);
    if (h->bytes < fixed_bytes(h) || h->bytes > tape.bytes - at)
      break;
    take(&tape, h);
    at += h->bytes;
  }
  return tape;
}

void tape_free(Tape *tape) {
  for (size_t i = 0; i < tape->nlaunches; i++) {
    free((void *)tape->launches[i].events);
    free((void *)tape->launches[i].shared);
    free((void *)tape->launches[i].buffers);
  }
  free(tape->launches);
  if (tape->map)
    munmap(tape->map, tape->bytes);
  *tape = (Tape){0};
}

const uint8_t *tape_bytes(const TapeBuffer *b) { return (const uint8_t *)(b + 1); }

const char *tape_name(const TapeHead *h) {
  const char *name = (const char *)h + fixed_bytes(h);
  if (h->kind == TAPE_BUFFER)
    name += ((const TapeBuffer *)(const void *)h)->kept;
  return name;
}

const char *tape_file(const TapeAccess *a) {
  return (const char *)(a->value + (size_t)a->count * TAPE_LANES);
}

const TapeAccess *tape_access(const TapeHead *h) {
  return h->kind == TAPE_ACCESS ? (const void *)h : NULL;
}

unsigned access_bytes(const TapeAccess *a) { return a->element * (a->count ? a->count : 1); }

bool access_touches(const TapeAccess *a, unsigned lane, uint8_t space, uint64_t block,
                    uint64_t address, unsigned bytes) {
  return a->lanes >> lane & 1 && a->space == space &&
         (space == TAPE_IN_GLOBAL || a->block == block) && a->address[lane] < address + bytes &&
         address < a->address[lane] + access_bytes(a);
}

bool access_value(const TapeAccess *a, unsigned lane, uint64_t address, uint64_t *value) {
  const uint64_t offset = address - a->address[lane], at = offset / a->element;
  if (address < a->address[lane] || at >= a->count)
    return false;
  *value = a->value[at * TAPE_LANES + lane] >> 8 * (offset % a->element);
  return true;
}
