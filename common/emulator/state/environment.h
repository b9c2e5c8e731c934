/* What the environment says, as it was when the program started. */
#ifndef STATE_ENVIRONMENT_H
#define STATE_ENVIRONMENT_H

/* The value of a variable LOCKSTEP_...; NULL where it is not set. */
const char *environment_value(const char *name);
/* Ends the program with status 2 after one line on standard error: "NAME=value: what is wanted". No
 * handler runs, for those of the device would ask for what is being read. */
void environment_refuse(const char *name, const char *value, const char *wanted)
    __attribute__((noreturn));

#endif
