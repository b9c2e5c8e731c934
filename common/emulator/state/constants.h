/* What is the same on every card there has been: so many lanes, banks, bytes. Three numbers that
 * are written alike and mean different things.
 */
#ifndef STATE_CONSTANTS_H
#define STATE_CONSTANTS_H

enum {
  WARP_LANES = 32,  /* threads of a warp */
  BANKS = 32,       /* of shared memory */
  SECTOR_BYTES = 32 /* what global memory moves in */
};

/* How words of shared memory fall to its banks.
 *
 *   BANKS_4       4-byte words, one after the other; a bank gives one in a wavefront
 *   BANKS_8       8-byte words (compute capability 3.x, in its 8-byte mode)
 *   BANKS_4_OF_8  4-byte words, but a bank is 8 bytes wide (3.x, in its 4-byte mode): in one
 *                 wavefront it gives words i and i + 32 of an aligned row of 64
 */
typedef enum BankMode { BANKS_4 = 4, BANKS_8 = 8, BANKS_4_OF_8 = 48 } BankMode;

#endif
