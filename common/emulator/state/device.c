/* Defines the table of cards, and selects the card, its clock and its bank mode. */
#include "device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"

static const Device devices[] = {
#define DEVICE(id, ...) {.name = #id, __VA_ARGS__},
#include "../devices.def"
};
enum { DEVICES = sizeof devices / sizeof *devices };

const Device *device_at(size_t index) { return index < DEVICES ? &devices[index] : NULL; }

const Device *device_named(const char *name) {
  for (size_t i = 0; i < DEVICES; i++)
    if (strcmp(devices[i].name, name) == 0)
      return &devices[i];
  return NULL;
}

/* ---- choices from the environment ------------------------------------------------------------ */
static const Device *selected;
/* The bank size that LOCKSTEP_BANKS sets, 4 or 8 bytes; 0: the variable is not set. */
static int banks_forced;

static void read_card(void) {
  const char *name = getenv("LOCKSTEP_CARD");
  selected = device_named(name && *name ? name : DEFAULT_CARD);
  if (selected)
    return;
  char wanted[400] = "no such card; choose one of";
  for (size_t i = 0; i < DEVICES; i++) {
    size_t used = strlen(wanted);
    snprintf(wanted + used, sizeof wanted - used, " %s", devices[i].name);
  }
  environment_refuse("LOCKSTEP_CARD", name, wanted);
}

static void read_banks(void) {
  const char *text = getenv("LOCKSTEP_BANKS");
  if (!text || !*text)
    return;
  if (strcmp(text, "4") != 0 && strcmp(text, "8") != 0)
    environment_refuse("LOCKSTEP_BANKS", text, "banks are 4 or 8 bytes wide");
  banks_forced = text[0] - '0';
}

/* Changes the clock of the card to LOCKSTEP_CLOCK. (Nsight Compute, for example, measures at the
 * base clock by default.) Latencies are stored in clocks, so the part that DRAM causes, which takes
 * the same time at any clock, is converted. */
static void read_clock(void) {
  static Device clocked;
  const char *text = getenv("LOCKSTEP_CLOCK");
  if (!text || !*text)
    return;
  char *end;
  const double mhz = strtod(text, &end);
  if (*end || !(mhz >= 100 && mhz <= 10000))
    environment_refuse("LOCKSTEP_CLOCK", text, "want MHz, from 100 to 10000");
  const double ratio = 1000 * mhz / selected->clock_khz;
  clocked = *selected;
  clocked.clock_khz = (uint32_t)(1000 * mhz + 0.5);
  clocked.memory_latency =
      (uint32_t)(selected->l2_latency + ratio * (selected->memory_latency - selected->l2_latency));
  selected = &clocked;
}

static void read_choices(void) {
  read_card();
  read_clock();
  read_banks();
}

static void need_choices(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_choices);
}

const Device *selected_device(void) {
  need_choices();
  return selected;
}

/* ---- banks ----------------------------------------------------------------------------------- */
static BankChoice chosen;

BankMode device_bank_mode(const Device *d, BankChoice choice) {
  if (d->bank_bytes == 4)
    return BANKS_4;
  return choice == BANK_CHOICE_8 ? BANKS_8 : BANKS_4_OF_8;
}

BankMode selected_bank_mode(BankChoice of_kernel) {
  need_choices();
  if (banks_forced)
    return banks_forced == 8 ? BANKS_8 : BANKS_4;
  return device_bank_mode(selected, of_kernel == BANK_CHOICE_DEFAULT ? chosen : of_kernel);
}

void choose_banks(BankChoice of_program) { chosen = of_program; }
