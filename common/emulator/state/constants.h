/* Constants that are the same for all cards in devices.def. WARP_LANES, BANKS and SECTOR_BYTES have
 * the same value but different meanings. */
#ifndef STATE_CONSTANTS_H
#define STATE_CONSTANTS_H

enum {
  /* Number of threads in a warp. */
  WARP_LANES = 32,
  /* Number of banks of shared memory. */
  BANKS = 32,
  /* Bytes of a sector, the unit in which global memory is transferred. */
  SECTOR_BYTES = 32
};

/* How words of shared memory are assigned to banks.
 *
 *   BANKS_4       consecutive 4-byte words; each bank delivers one per wavefront
 *   BANKS_8       8-byte words (compute capability 3.x, in its 8-byte mode)
 *   BANKS_4_OF_8  4-byte words, but a bank is 8 bytes wide (3.x, in its 4-byte mode): per
 *                 wavefront it delivers words i and i + 32 of an aligned row of 64
 */
typedef enum BankMode { BANKS_4 = 4, BANKS_8 = 8, BANKS_4_OF_8 = 48 } BankMode;

#endif
