/* Pieces of a larger allocation, the kernels' malloc heap: which bytes belong to which piece.
 *
 * The machine allocates and frees pieces from several workers under its own lock. Lookups need no
 * lock. */
#ifndef STATE_PIECES_H
#define STATE_PIECES_H

#include "memory.h"

/* Piece sizes are rounded up to this number of bytes. */
enum { PIECE_UNIT = 16 };

typedef struct Pieces Pieces;

/* NULL: out of memory. */
Pieces *pieces_create(const Allocation *whole);
/* Marks `bytes` bytes at `address` as a live piece. The units up to `room` bytes belong to it. */
void pieces_give(Pieces *, uint64_t address, uint64_t bytes, uint64_t room);
void pieces_take_back(Pieces *, uint64_t address);

/* Returns true if all bytes are in one live piece. */
bool pieces_hold(const Allocation *whole, uint64_t address, uint64_t bytes);
/* Finds the piece that contains the address or precedes it. Returns false if there is none. `live`:
 * the piece has not been freed. */
typedef struct PieceAt {
  uint64_t address, bytes;
  bool live;
} PieceAt;
bool pieces_at(const Allocation *whole, uint64_t address, PieceAt *);

#endif
