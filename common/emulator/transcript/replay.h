/* What makes the calls of a transcript again (replay.c), for the calls of more/ as well
 * (more/replay.c). */
#ifndef REPLAY_H
#define REPLAY_H

#include "transcript.h"

typedef struct Record {
  TranscriptCall call;
  size_t count, bytes; /* of arguments; of data */
  cudaError_t result;
  CallSite site;
  uint64_t argument[TRANSCRIPT_ARGUMENTS];
  const uint8_t *data;
} Record;

/* Ends the replay with one line. */
_Noreturn void replay_refuse(const char *format, ...);
/* Refuses a record that has another number of arguments. */
void replay_need(const Record *, size_t count);
/* Refuses new memory at another address than the recorded program had it. */
void replay_same_address(cudaError_t, uint64_t recorded, const void *here);

/* What both programs have under different handles. */
typedef struct Handles {
  struct Handle *all;
  size_t count;
} Handles;
/* NULL: the recorded program had no such handle. */
void *replay_handle(const Handles *, uint64_t recorded);
void replay_add_handle(Handles *, uint64_t recorded, void *here);

/* Makes a call of more/ again. False: the record is of no such call. */
bool replay_more(const Record *);

#endif
