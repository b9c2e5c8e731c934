/* The card that is emulated: what devices.def knows of it, and what may be set on it.
 *
 * LOCKSTEP_CARD chooses one, when it is first asked for; the H200 where it says nothing.
 */
#ifndef STATE_DEVICE_H
#define STATE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "constants.h"

typedef struct Device {
  const char *name; /* as LOCKSTEP_CARD says it */
#define COLUMN(type, declaration, meaning) type declaration;
#include "../devices.def"
} Device;

#define DEFAULT_CARD "h200"

/* Ends the program with one line and status 2 where the environment names a card that is not in
 * the table. */
const Device *selected_device(void);
/* NULL: there is no such card. */
const Device *device_named(const char *name);
/* The cards in the order of the table: 0, 1, ...; NULL behind the last. */
const Device *device_at(size_t index);

static inline uint32_t device_warps_per_sm(const Device *d) {
  return d->threads_per_sm / WARP_LANES;
}
/* Bytes a second. Both edges of the memory's clock move data. */
static inline double device_peak_memory_rate(const Device *d) {
  return 2.0 * 1000.0 * d->memory_khz * d->memory_bits / 8;
}

/* ---- banks of shared memory: the card's, a choice of the program, or LOCKSTEP_BANKS over both -- */
typedef enum BankChoice { BANK_CHOICE_DEFAULT, BANK_CHOICE_4, BANK_CHOICE_8 } BankChoice;

/* How a card's banks lie under a program's choice: only banks of 8 bytes leave one. */
BankMode device_bank_mode(const Device *, BankChoice);
/* The mode of the next launch: that of the kernel where it has a choice of its own, else that of
 * the program. */
BankMode selected_bank_mode(BankChoice of_kernel);
void choose_banks(BankChoice of_program);

#endif
