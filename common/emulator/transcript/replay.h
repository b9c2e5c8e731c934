/* Declares the functions of replay.c that more/replay.c also uses to replay further calls. */
#ifndef REPLAY_H
#define REPLAY_H

#include "transcript.h"

typedef struct Record {
  TranscriptCall call;
  /* `count`: number of arguments. `bytes`: number of bytes of data. */
  size_t count, bytes;
  cudaError_t result;
  CallSite site;
  uint64_t argument[TRANSCRIPT_ARGUMENTS];
  const uint8_t *data;
} Record;

/* Ends the replay with a one-line message. */
_Noreturn void replay_refuse(const char *format, ...);
/* Ends the replay if the number of arguments of a record is not `count`. */
void replay_need(const Record *, size_t count);
/* Ends the replay if a successful call (no error) has allocated memory at another address than the
 * recorded address. */
void replay_same_address(cudaError_t, uint64_t recorded, const void *here);

/* Maps the handles of objects in the recorded program to the handles in this program. */
typedef struct Handles {
  struct Handle *all;
  size_t count;
} Handles;
/* Returns the handle in this program for a handle of the recorded program; NULL: the recorded
 * handle is unknown. */
void *replay_handle(const Handles *, uint64_t recorded);
void replay_add_handle(Handles *, uint64_t recorded, void *here);

/* Replays a call that more/ implements. Returns false if more/ does not implement the recorded
 * call. */
bool replay_more(const Record *);

#endif
