/* Functions that replay a transcript (replay.c); more/replay.c uses them too. */
#ifndef REPLAY_H
#define REPLAY_H

#include "transcript.h"

typedef struct Record {
  TranscriptCall call;
  /* number of arguments; bytes of data */
  size_t count, bytes;
  cudaError_t result;
  CallSite site;
  uint64_t argument[TRANSCRIPT_ARGUMENTS];
  const uint8_t *data;
} Record;

/* Ends the replay with a one-line message. */
_Noreturn void replay_refuse(const char *format, ...);
/* Refuses a record whose number of arguments is not `count`. */
void replay_need(const Record *, size_t count);
/* Refuses new memory whose address differs from the recorded one. */
void replay_same_address(cudaError_t, uint64_t recorded, const void *here);

/* Objects of the recorded program and their handles in this one. */
typedef struct Handles {
  struct Handle *all;
  size_t count;
} Handles;
/* Returns NULL if the recorded program had no such handle. */
void *replay_handle(const Handles *, uint64_t recorded);
void replay_add_handle(Handles *, uint64_t recorded, void *here);

/* Replays a call of more/. Returns false if the record is of another call. */
bool replay_more(const Record *);

#endif
