/* Settings from the environment (emulator.h), read once, and the limits of the modelled device. */
#ifndef STATE_SETTINGS_H
#define STATE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct MachineSettings {
  uint32_t workers, bank_bytes;
  uint64_t seed, branch_limit, memory_bytes; /* memory_bytes 0: half of the computer's */
  bool checks, quiet;
  const char *log;
  bool sealed; /* the log, with this key */
  uint64_t key[2];
} MachineSettings;
const MachineSettings *machine_settings(void);

/* The emulated device, modelled on one real chip (compute capability 9.0, H200), so that occupancy
 * and launch limits are those a student will meet. */
typedef struct MachineLimits {
  uint32_t warp, threads_per_block, block_dim[3], grid_dim[3];
  uint32_t shared_per_block, shared_per_block_optin, shared_per_sm, registers_per_block,
      registers_per_sm;
  uint32_t threads_per_sm, blocks_per_sm, sms;
} MachineLimits;
const MachineLimits *machine_limits(void);

#endif
