/* Reports errors in environment variables. */
#ifndef STATE_ENVIRONMENT_H
#define STATE_ENVIRONMENT_H

/* Prints one line to standard error, "NAME=value: wanted", and ends the program with status 2. Exit
 * handlers do not run, because the emulator's handlers would read the same variables. */
void environment_refuse(const char *name, const char *value, const char *wanted)
    __attribute__((noreturn));

#endif
