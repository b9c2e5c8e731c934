/* Pieces of a larger allocation, the heap of kernels: which of its bytes belong to which piece.
 *
 * The machine gives pieces out and takes them back, several workers at a time, under a lock of
 * its own. Anybody may ask.
 */
#ifndef STATE_PIECES_H
#define STATE_PIECES_H

#include "memory.h"

enum { PIECE_UNIT = 16 }; /* bytes that a piece's size is rounded up to */

typedef struct Pieces Pieces;

Pieces *pieces_create(const Allocation *whole); /* NULL: no memory */
/* `bytes` bytes at this address are a piece now, and the units up to `room` bytes belong to it. */
void pieces_give(Pieces *, uint64_t address, uint64_t bytes, uint64_t room);
void pieces_take_back(Pieces *, uint64_t address);

/* Is it all in one piece that is in use? */
bool pieces_hold(const Allocation *whole, uint64_t address, uint64_t bytes);
/* The piece around or before the address; false: there is none. `live`: it was not freed. */
typedef struct PieceAt {
  uint64_t address, bytes;
  bool live;
} PieceAt;
bool pieces_at(const Allocation *whole, uint64_t address, PieceAt *);

#endif
