/* The log: one JSON object per line. Each line is written immediately, so that no line is lost in a
 * crash. emulator.h documents the format. */
#ifndef OBSERVE_LOG_H
#define OBSERVE_LOG_H

#include <jansson.h>
#include <stdbool.h>

bool log_wanted(void);
/* Writes the object as one line, and releases the caller's reference to it. */
void log_event(json_t *);

#endif
