/* The settings from environment variables, which are read once. emulator.h lists the variables. */
#ifndef STATE_SETTINGS_H
#define STATE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct MachineSettings {
  uint32_t workers;
  /* `memory_bytes`: size of the device's memory in bytes; 0: the memory size of the card. */
  uint64_t seed, branch_limit, memory_bytes;
  /* The number of the runtime call that must fail, from 1; 0: no call. */
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
  /* Path of a file with PTX that replaces the PTX of the program; NULL: the PTX is not replaced. */
  const char *kernels;
} MachineSettings;
const MachineSettings *machine_settings(void);

#endif
