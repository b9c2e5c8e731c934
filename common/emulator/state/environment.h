/* Errors in environment variables. */
#ifndef STATE_ENVIRONMENT_H
#define STATE_ENVIRONMENT_H

/* Ends the program with status 2 after one line on standard error: "NAME=value: wanted". Exit
 * handlers do not run, because the emulator's handlers would read the same variables. */
void environment_refuse(const char *name, const char *value, const char *wanted)
    __attribute__((noreturn));

#endif
