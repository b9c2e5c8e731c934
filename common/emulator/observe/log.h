/* The log: one JSON object per line, written immediately so that a crash loses nothing. emulator.h
 * documents the format. */
#ifndef OBSERVE_LOG_H
#define OBSERVE_LOG_H

#include <jansson.h>
#include <stdbool.h>

bool log_wanted(void);
/* Writes the object as one line and takes over the caller's reference. */
void log_event(json_t *);

#endif
