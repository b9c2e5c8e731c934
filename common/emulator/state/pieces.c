/* Implements the table of the pieces of a heap (pieces.h). */
#include "pieces.h"

#include <stdlib.h>

/* The entry of one unit of the heap. Reading needs no lock, because the entries of a piece are
 * written before any worker gets the address of the piece. */
typedef struct Unit {
  /* 1 + the index of the first unit of the piece to which this unit belongs; 0: the unit never
   * belonged to a piece. */
  uint32_t first;
  /* In the first unit of a piece: the piece is live. */
  uint32_t live;
  /* In the first unit of a piece: the size in bytes that the kernel requested. */
  uint64_t bytes;
} Unit;

struct Pieces {
  uint64_t address;
  size_t count;
  Unit units[];
};

Pieces *pieces_create(const Allocation *whole) {
  const size_t count = whole->bytes / PIECE_UNIT;
  Pieces *p = calloc(1, sizeof *p + count * sizeof *p->units);
  if (p) {
    p->address = whole->address;
    p->count = count;
  }
  return p;
}

void pieces_give(Pieces *p, uint64_t address, uint64_t bytes, uint64_t room) {
  const size_t first = (address - p->address) / PIECE_UNIT;
  p->units[first].bytes = bytes;
  p->units[first].live = 1;
  for (size_t i = first; i < p->count && i < first + room / PIECE_UNIT; i++)
    p->units[i].first = (uint32_t)first + 1;
}

void pieces_take_back(Pieces *p, uint64_t address) {
  p->units[(address - p->address) / PIECE_UNIT].live = 0;
}

static bool unit_at(const Pieces *p, uint64_t address, PieceAt *out) {
  const uint64_t unit = (address - p->address) / PIECE_UNIT;
  const uint32_t first = unit < p->count ? p->units[unit].first : 0;
  if (!first)
    return false;
  *out = (PieceAt){p->address + (uint64_t)(first - 1) * PIECE_UNIT, p->units[first - 1].bytes,
                   p->units[first - 1].live};
  return true;
}

bool pieces_hold(const Allocation *whole, uint64_t address, uint64_t bytes) {
  PieceAt at;
  return unit_at(whole->pieces, address, &at) && at.live && address - at.address < at.bytes &&
         bytes <= at.bytes - (address - at.address);
}

bool pieces_at(const Allocation *whole, uint64_t address, PieceAt *out) {
  for (uint64_t at = address; at - whole->address < whole->bytes; at -= PIECE_UNIT)
    if (unit_at(whole->pieces, at, out))
      return true;
  return false;
}
