/* Opens the log and writes events to it. */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../emulator.h"
#include "../state/device.h"
#include "../state/settings.h"
#include "banks.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;

static void write_line(json_t *event) {
  char *text = json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(9));
  json_decref(event);
  if (!text)
    return;
  size_t length = strlen(text);
  text[length++] = '\n'; /* replaces the NUL, so that one write makes one line */
  ssize_t done = write(file, text, length);
  (void)done; /* if the disk is full, the program continues */
  free(text);
}

static void open_log(void) {
  const char *path = machine_settings()->log;
  if (!path)
    return;
  file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) {
    fprintf(stderr, "LOCKSTEP_LOG=%s: %s\n", path, strerror(errno));
    exit(2);
  }
  const MachineSettings *s = machine_settings();
  BankMode banks = selected_bank_mode(BANK_CHOICE_DEFAULT);
  write_line(json_pack("{s:s, s:i, s:I, s:i, s:s, s:i, s:i}", "event", "start", "pid",
                       (int)getpid(), "seed", (json_int_t)s->seed, "workers", (int)s->workers,
                       "card", selected_device()->name, "banks", (int)banks_word_bytes(banks),
                       "bank_bytes", (int)banks_row_bytes(banks) / BANKS));
}

bool log_wanted(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_log);
  return file >= 0;
}

void log_event(json_t *event) {
  if (!log_wanted()) {
    json_decref(event);
    return;
  }
  pthread_mutex_lock(&lock);
  write_line(event);
  pthread_mutex_unlock(&lock);
}
