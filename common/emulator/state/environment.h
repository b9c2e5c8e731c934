/* What the environment says. */
#ifndef STATE_ENVIRONMENT_H
#define STATE_ENVIRONMENT_H

/* Ends the program with status 2 after one line on standard error: "NAME=value: what is wanted". No
 * handler runs, for those of the device would ask for what is being read. */
void environment_refuse(const char *name, const char *value, const char *wanted)
    __attribute__((noreturn));

#endif
