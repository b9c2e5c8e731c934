/* The emulated card: its row of devices.def, and the settings that a program may change.
 *
 * LOCKSTEP_CARD selects the card at the first use; the default is the H200. LOCKSTEP_CLOCK changes
 * its clock. */
#ifndef STATE_DEVICE_H
#define STATE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "constants.h"

typedef struct Device {
  /* As written in LOCKSTEP_CARD. */
  const char *name;
#define COLUMN(type, declaration, meaning) type declaration;
#include "../devices.def"
} Device;

#define DEFAULT_CARD "h200"

/* Ends the program with one line and status 2 if LOCKSTEP_CARD is not in the table. */
const Device *selected_device(void);
/* NULL: there is no such card. */
const Device *device_named(const char *name);
/* Card number `index` in the order of the table; NULL after the last. */
const Device *device_at(size_t index);

static inline uint32_t device_warps_per_sm(const Device *d) {
  return d->threads_per_sm / WARP_LANES;
}
/* Bytes per second. Data is transferred on both edges of the memory clock. */
static inline double device_peak_memory_rate(const Device *d) {
  return 2.0 * 1000.0 * d->memory_khz * d->memory_bits / 8;
}

/* ---- shared-memory banks: the card's default, the program's choice, or LOCKSTEP_BANKS -------- */
typedef enum BankChoice { BANK_CHOICE_DEFAULT, BANK_CHOICE_4, BANK_CHOICE_8 } BankChoice;

/* The bank mode of a card for a program's choice. Only cards with 8-byte banks offer a choice. */
BankMode device_bank_mode(const Device *, BankChoice);
/* The bank mode of the next launch: LOCKSTEP_BANKS if set, otherwise the kernel's choice if it has
 * one, otherwise the program's. */
BankMode selected_bank_mode(BankChoice of_kernel);
void choose_banks(BankChoice of_program);

#endif
