/* Settings from the environment (emulator.h), read once. */
#ifndef STATE_SETTINGS_H
#define STATE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct MachineSettings {
  uint32_t workers;
  uint64_t seed, branch_limit, memory_bytes; /* memory_bytes 0: what the card has */
  uint64_t fail;                             /* the number of the call that fails; 0: none */
  bool pretend;                              /* check calls and do nothing */
  bool zeroed;                               /* new device memory is zero, not NaN */
  bool checks, quiet, predict, samples_only;
  uint8_t error_status; /* of a program that ends well though errors were reported; 0: its own */
  const char *log;
  const char *kernels; /* a file with PTX for that of the program; or NULL */
} MachineSettings;
const MachineSettings *machine_settings(void);

#endif
