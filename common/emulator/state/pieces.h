/* The pieces of the heap for malloc in kernels: tracks which bytes of the heap belong to which
 * piece.
 *
 * Several workers allocate and free pieces; machine/heap.c has the lock for these operations.
 * Lookups need no lock. */
#ifndef STATE_PIECES_H
#define STATE_PIECES_H

#include "memory.h"

/* Piece sizes are rounded up to a multiple of this number of bytes. */
enum { PIECE_UNIT = 16 };

typedef struct Pieces Pieces;

/* Returns NULL if memory is exhausted. */
Pieces *pieces_create(const Allocation *whole);
/* Marks `bytes` bytes at `address` as a live piece. All units of the `room` bytes from `address` on
 * belong to the piece. */
void pieces_give(Pieces *, uint64_t address, uint64_t bytes, uint64_t room);
void pieces_take_back(Pieces *, uint64_t address);

/* Returns true if [address, address + bytes) is in one live piece. */
bool pieces_hold(const Allocation *whole, uint64_t address, uint64_t bytes);
/* Finds the piece that contains the address, or the last piece before the address. Returns false if
 * there is no such piece. PieceAt.live: the piece has not been freed. */
typedef struct PieceAt {
  uint64_t address, bytes;
  bool live;
} PieceAt;
bool pieces_at(const Allocation *whole, uint64_t address, PieceAt *);

#endif
