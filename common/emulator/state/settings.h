/* The settings from environment variables (emulator.h has the list). They are read once. */
#ifndef STATE_SETTINGS_H
#define STATE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct MachineSettings {
  uint32_t workers;
  /* `memory_bytes`: memory of the device; 0: as much as the card has. */
  uint64_t seed, branch_limit, memory_bytes;
  /* The number of the runtime call that must fail, from 1; 0: none. */
  uint64_t fail;
  /* Runtime calls are checked but not performed. */
  bool pretend;
  /* New device memory is filled with zeros instead of NaN. */
  bool zeroed;
  bool checks, quiet, predict, samples_only;
  /* Exit status of a program that would end with status 0 although there were reports; 0: do not
   * change the status. */
  uint8_t error_status;
  const char *log;
  /* Path of a file with PTX that replaces the PTX of the program; NULL: none. */
  const char *kernels;
} MachineSettings;
const MachineSettings *machine_settings(void);

#endif
