/* The log: one JSON object per line, written at once, so that a crash loses nothing (format:
 * emulator.h). */
#ifndef OBSERVE_LOG_H
#define OBSERVE_LOG_H

#include <jansson.h>
#include <stdbool.h>

bool log_wanted(void);
/* Writes the object as one line and drops the caller's reference. */
void log_event(json_t *);

#endif
