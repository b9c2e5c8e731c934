/* Defines the bit fields of PtxInsn.imm for video instructions. video.c encodes the fields; the
 * functions that arithmetic.def calls decode them. */
#ifndef PTX_VIDEO_H
#define PTX_VIDEO_H

enum {
  VIDEO_SIGNED_D = 1 << 0,
  VIDEO_SIGNED_A = 1 << 1,
  VIDEO_SIGNED_B = 1 << 2,
  VIDEO_SATURATE = 1 << 3,
  /* Shifts: the count is taken modulo 32. Without this flag it is clamped to 32. */
  VIDEO_WRAP = 1 << 4,
  /* This enumerator and the following ones are the positions of fields of several bits. 2 bits:
   * VideoSecond. */
  VIDEO_SECOND = 8,
  VIDEO_COMPARE = 10, /* 3 bits: VideoCompare */
  /* 4 bits: the part or parts of d that are written; the other bits of d are those of c. 0: all of
   * d. */
  VIDEO_PLACE = 17,
  /* Four fields of 4 bits each: the byte or half of a, or of b, that each part of the result
   * reads. */
  VIDEO_SELECT_A = 21,
  VIDEO_SELECT_B = 37
};
typedef enum VideoSecond { VIDEO_NONE, VIDEO_ADD, VIDEO_MIN, VIDEO_MAX } VideoSecond;
typedef enum VideoCompare {
  VIDEO_EQ,
  VIDEO_NE,
  VIDEO_LT,
  VIDEO_LE,
  VIDEO_GT,
  VIDEO_GE
} VideoCompare;
typedef enum VideoOperation {
  VIDEO_SUM,
  VIDEO_DIFFERENCE,
  VIDEO_DISTANCE,
  VIDEO_MINIMUM,
  VIDEO_MAXIMUM,
  VIDEO_AVERAGE,
  VIDEO_TEST,
  VIDEO_LEFT,
  VIDEO_RIGHT
} VideoOperation;
/* The part of an operand: all of it, VIDEO_BYTE + 0 to 3, or VIDEO_HALF + 0 or 1. */
enum { VIDEO_WHOLE = 0, VIDEO_BYTE = 4, VIDEO_HALF = 8 };

#endif
