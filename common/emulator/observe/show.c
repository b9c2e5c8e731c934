/* Writes the text of a report to standard error, and the event of the report to the log. */
#include "show.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../state/settings.h"
#include "../words.h"
#include "host_lines.h"
#include "log.h"
#include "names.h"
#include "progress.h"

/* The maximum number of reports per launch that the terminal shows in full. The log has all of
 * them. */
#define SHOWN_MOST 12

static const struct {
  const char *name, *severity, *cause;
} kinds[] = {
#define REPORT(id, name, severity, cause) {name, severity, cause},
#include "report_kinds.def"
};

static const char *kernel_name(const Report *r) {
  /* The lock of report.c protects `name`. */
  static char name[128];
  name_plain(r->kernel, name, sizeof name);
  return name;
}

static const char *cause_of(const Report *r) { return r->cause ? r->cause : kinds[r->kind].cause; }

/* ---- for users ------------------------------------------------------------------------------- */
/* Returns the width of the terminal in columns. The environment variable COLUMNS takes precedence.
 * For a file or a pipe, the width is unlimited. */
static size_t width(void) {
  enum { LEAST = 40, USUAL = 80 };
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  int wanted = columns ? atoi(columns) : 0;
  if (wanted > LEAST)
    return (size_t)wanted;
  if (!isatty(STDERR_FILENO))
    return SIZE_MAX;
  return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > LEAST ? size.ws_col : USUAL;
}

/* Returns the length of the word in bytes. `*columns`: the number of columns that it takes. */
static size_t word_of(const char *text, size_t *columns) {
  size_t bytes = strcspn(text, " ");
  *columns = 0;
  for (size_t i = 0; i < bytes; i++)
    *columns += (text[i] & 0xc0) != 0x80;
  return bytes;
}

/* Prints one line of a report from column `at` on. A line that is too long is wrapped, and its
 * continuation lines are indented more. */
static void say(size_t at, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(size_t at, const char *format, ...) {
  enum { FURTHER = 6 };
  char text[1200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  size_t most = width(), used = at;
  fprintf(stderr, "%*s", (int)at, "");
  for (const char *rest = text; *rest;) {
    size_t gap = strspn(rest, " "), columns, bytes = word_of(rest + gap, &columns);
    if (used > FURTHER && used + gap + columns > most) {
      fprintf(stderr, "\n%*s", FURTHER, "");
      used = FURTHER;
      gap = 0, rest += strspn(rest, " ");
    }
    fprintf(stderr, "%.*s", (int)(gap + bytes), rest);
    used += gap + columns;
    rest += gap + bytes;
  }
  fputc('\n', stderr);
}

static void print_place(const ReportPlace *p) {
  char who[WHO_BYTES] = "", where[600] = "";
  if (p->has_thread)
    who_text(who, p->thread, p->block);
  if (p->file && p->line)
    snprintf(where, sizeof where, "   %s:%u", p->file, p->line);
  say(6, "%s%s%s%s", who, who[0] && p->did[0] ? " " : "", who[0] || p->did[0] ? p->did : "here",
      where);
}

static void print(const Report *r, uint64_t times) {
  say(0, "%s: %s%s%s", kinds[r->kind].severity, r->sentence, r->kernel ? "   in kernel " : "",
      r->kernel ? kernel_name(r) : "");
  if (r->at.has_thread || r->at.line)
    print_place(&r->at);
  if (r->other.has_thread || r->other.line)
    print_place(&r->other);
  if (r->detail[0])
    say(6, "%s", r->detail);
  char more[COUNT_BYTES];
  if (times > 1)
    say(6, "and %s more like it", sentence_count(more, (double)(times - 1)));
  say(6, "%s", cause_of(r));
}

/* ---- for programs ---------------------------------------------------------------------------- */
static void put_place(json_t *o, const ReportPlace *p, const char *prefix) {
  char key[32];
#define KEY(name) (snprintf(key, sizeof key, "%s%s", prefix, name), key)
  if (p->file && p->line) {
    json_object_set_new(o, KEY("file"), json_string(p->file));
    json_object_set_new(o, KEY("line"), json_integer(p->line));
    if (p->column)
      json_object_set_new(o, KEY("column_in_line"), json_integer(p->column));
  }
  if (p->has_thread) {
    json_object_set_new(
        o, KEY("thread"),
        json_pack("[i,i,i]", (int)p->thread[0], (int)p->thread[1], (int)p->thread[2]));
    json_object_set_new(o, KEY("block"),
                        json_pack("[i,i,i]", (int)p->block[0], (int)p->block[1], (int)p->block[2]));
  }
  if (p->did[0])
    json_object_set_new(o, KEY("did"), json_string(p->did));
  if (p->wrote)
    json_object_set_new(o, KEY("wrote"), json_true());
#undef KEY
}

static void put_number(json_t *o, const char *key, int64_t value) {
  if (value >= 0)
    json_object_set_new(o, key, json_integer(value));
}

static void write_log(const Report *r, uint64_t times) {
  json_t *o = json_pack("{s:s, s:s, s:s, s:s}", "event", "report", "kind", kinds[r->kind].name,
                        "severity", kinds[r->kind].severity, "sentence", r->sentence);
  if (r->kernel)
    json_object_set_new(o, "kernel", json_string(kernel_name(r)));
  put_place(o, &r->at, "");
  put_place(o, &r->other, "other_");
  if (r->space)
    json_object_set_new(o, "space", json_string(r->space));
  if (r->buffer[0])
    json_object_set_new(o, "buffer", json_string(r->buffer));
  put_number(o, "element", r->element);
  put_number(o, "row", r->row);
  put_number(o, "column", r->column);
  put_number(o, "times", (int64_t)times);
  if (r->detail[0])
    json_object_set_new(o, "detail", json_string(r->detail));
  json_object_set_new(o, "cause", json_string(cause_of(r)));
  put_number(o, "bytes", r->bytes ? (int64_t)r->bytes : -1);
  put_number(o, "bytes_there", r->bytes_there ? (int64_t)r->bytes_there : -1);
  put_number(o, "elements_before", r->elements_before ? (int64_t)r->elements_before : -1);
  put_number(o, "argument", r->argument ? r->argument : -1);
  if (r->made_call) {
    ReportPlace made = {.line = 0};
    host_line(r->made_call, &made);
    put_place(o, &made, "made_");
  }
  log_event(o);
}

bool show_is_error(ReportKind kind) { return strcmp(kinds[kind].severity, "error") == 0; }

void show_report(const Report *report, uint64_t times, unsigned shown) {
  Report with_lines = *report;
  const Report *r = &with_lines;
  if (r->other_call)
    host_line(r->other_call, &with_lines.other);
  if (log_wanted())
    write_log(r, times);
  if (machine_settings()->quiet)
    return;
  progress_clear();
  if (shown < SHOWN_MOST)
    print(r, times);
  else if (shown == SHOWN_MOST)
    fprintf(stderr, "further reports are counted, not shown\n");
}
