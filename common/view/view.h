/* Declares the functions that write the page of `make view03`, one HTML file about the student's
 * kernels without scripts and other files. The page shows the verdict, the reports of the device,
 * the most expensive lines, the predicted times and the source. Each line of the source can be
 * expanded to show its counters and the maps of its accesses.
 *
 * main.c reads the input and page.c writes the page. glance.c, marks.c, device_reports.c, worst.c,
 * time.c and listing.c each write a section. maps.c writes the maps, and html.c writes escaped
 * text. Text from the student, from the log or from a compiler must be written with html_text.
 */
#ifndef VIEW_H
#define VIEW_H

#include "draw/draw.h"

typedef struct View {
  FILE *out;
  /* `before`: the recording of an earlier version; NULL if there is none. */
  const Recording *recording, *before;
  const Source *source;
  const Findings *findings;
  /* The leading kernel, which the page shows first; NULL for the kernel with the longest time. */
  const Kernel *lead;
  /* The checker's marks (checker/say/results.c); NULL if there are none. */
  const json_t *marks;
  /* The compiler's output if the source does not compile; NULL if it compiles. */
  const char *compile_log;
  /* For example "lab 03: bank conflicts", or the path of the source. */
  const char *title;
  /* The compiler, the precision and the device. */
  const char *subtitle;
  /* The command that starts the checker; NULL if there is none. */
  const char *again;
  /* The command that created this page. */
  const char *command;
  /* Exit status of the recorded program. */
  int status;
  /* True if the student still has to predict numbers. In this case these numbers are not shown. */
  bool withheld;
  /* Number of maps drawn so far, from which the id of the next map is made. */
  unsigned maps;
} View;

/* ---- html.c ---------------------------------------------------------------------------------- */
void html_text(FILE *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes a source line's place: as a link if the file is the shown source, otherwise as text. */
void html_place(const View *, const char *file, unsigned line);
/* Writes a command, shown as code. */
void html_command(FILE *, const char *command);

/* ---- colour.c -------------------------------------------------------------------------------- */
/* Writes a line of source with colours. *open is true if a block comment is open before the line;
 * it is updated to the state after the line. */
void html_code(FILE *, const char *line, bool *open);

/* ---- the sections ---------------------------------------------------------------------------- */
bool has_marks(const View *);
void write_glance(View *);
void write_before(const View *);
void write_marks(const View *);
void write_reports(const View *);
void write_worst(View *);
void write_kernels(const View *);
/* Returns true if the time of at least one kernel is predicted. */
bool has_time(const View *);
void write_time(View *);
/* Writes the first sentence of the section about time. */
void write_how_long(const View *);
/* Returns the leading kernel if its time is predicted, otherwise the kernel with the longest
 * predicted time; NULL if no time is predicted. */
const Kernel *timed_kernel(const View *);
void write_listings(View *);

/* Writes the advice on a line. `level` is the level of its HTML heading. */
void write_advice(const View *, const Finding *, int level);
/* Writes the place of a finding after the words `called`, then the source line and the advice. */
void write_quoted(View *, const Finding *, const char *called);

/* ---- maps.c ---------------------------------------------------------------------------------- */
/* Returns true if there is a map of an access in this line. */
bool has_maps(const View *, const char *file, unsigned line);
/* Writes the maps of all accesses in a line. Kernels with the same accesses share a map. */
void write_maps(View *, const char *file, unsigned line);
/* Writes the map of a finding. */
void write_finding_map(View *, const Finding *);
/* Writes the map of a finding in a smaller size for the first screen. */
void write_small_map(View *, const Finding *);
/* Writes the CSS classes of an element that is shown only if one of these kernels is chosen. Writes
 * nothing if the page has only one kernel. */
void write_kernel_class(const View *, const Kernel *const *, size_t count);
unsigned kernel_number(const View *, const Kernel *);

/* ---- page.c ---------------------------------------------------------------------------------- */
void write_page(View *);

#endif
