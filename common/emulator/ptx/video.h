/* The literal operand of video instructions in arithmetic.def. video.c packs it; the machine's
 * arithmetic unpacks it. */
#ifndef PTX_VIDEO_H
#define PTX_VIDEO_H

enum {
  VIDEO_SIGNED_D = 1 << 0,
  VIDEO_SIGNED_A = 1 << 1,
  VIDEO_SIGNED_B = 1 << 2,
  VIDEO_SATURATE = 1 << 3,
  /* Shifts: modulo 32; otherwise the count is clamped to 32. */
  VIDEO_WRAP = 1 << 4,
  /* Position of the next fields: 2 bits VideoSecond. */
  VIDEO_SECOND = 8,
  VIDEO_COMPARE = 10, /* 3 bits VideoCompare */
  /* 4 bits: the parts of d that are written, the rest is taken from c; 0: all of it. */
  VIDEO_PLACE = 17,
  /* 4 x 4 bits: the source of each part. */
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
/* The parts of one operand: all of it, byte 0 to 3, half 0 or 1. */
enum { VIDEO_WHOLE = 0, VIDEO_BYTE = 4, VIDEO_HALF = 8 };

#endif
