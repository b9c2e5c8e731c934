/* Settings from the environment (emulator.h), read once. */
#ifndef STATE_SETTINGS_H
#define STATE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct MachineSettings {
  uint32_t workers;
  /* memory_bytes 0: the card's memory size. */
  uint64_t seed, branch_limit, memory_bytes;
  /* The number of the runtime call that fails; 0: none. */
  uint64_t fail;
  /* Checks calls but performs none. */
  bool pretend;
  /* New device memory is zero instead of NaN. */
  bool zeroed;
  bool checks, quiet, predict, samples_only;
  /* Exit status of a program that succeeds although errors were reported; 0: the program's own. */
  uint8_t error_status;
  const char *log;
  /* A file with PTX that replaces the program's, or NULL. */
  const char *kernels;
} MachineSettings;
const MachineSettings *machine_settings(void);

#endif
