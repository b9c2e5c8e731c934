/* The page of `make view03`: one HTML file about the student's own kernel, readable without a
 * network and without a script. It combines the profile and the maps: the verdict, the reports of
 * the observers, the most expensive lines, and the source, where each line can be opened to show
 * its numbers and the maps of its accesses.
 *
 * main.c reads the input and page.c writes the page. glance.c, marks.c, device_reports.c, worst.c,
 * time.c and listing.c write a section each, maps.c their pictures, html.c text from outside.
 * Everything that comes from the student, the log or a compiler must be written with html_text.
 */
#ifndef VIEW_H
#define VIEW_H

#include "draw/draw.h"

typedef struct View {
  FILE *out;
  /* before: the recording of an earlier version; NULL: none */
  const Recording *recording, *before;
  const Source *source;
  const Findings *findings;
  /* the kernel that the page shows first; NULL: the longest */
  const Kernel *lead;
  /* the checker's marks (checker/say/results.c); NULL: no lab, or none */
  const json_t *marks;
  /* the compiler's output if the source does not compile; NULL: it compiles */
  const char *compile_log;
  /* "lab 03: bank conflicts", or the file */
  const char *title;
  /* compiler, precision, device */
  const char *subtitle;
  /* the command that checks; NULL: none */
  const char *again;
  /* the command that made this page */
  const char *command;
  /* exit status of the recorded program */
  int status;
  /* a prediction is open, so numbers that answer it are not shown */
  bool withheld;
  /* number of maps drawn so far, for their ids */
  unsigned maps;
} View;

/* ---- html.c ---------------------------------------------------------------------------------- */
void html_text(FILE *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A place in the shown file as a link, in another file as text. */
void html_place(const View *, const char *file, unsigned line);
/* A sentence that ends in a command; `make …` is shown as code. */
void html_command(FILE *, const char *command);

/* ---- colour.c -------------------------------------------------------------------------------- */
/* A line of source with colours. open: a comment is open before the line; updated to the state
 * after it. */
void html_code(FILE *, const char *line, bool *open);

/* ---- the sections ---------------------------------------------------------------------------- */
bool has_marks(const View *);
void write_glance(View *);
void write_before(const View *);
void write_marks(const View *);
void write_reports(const View *);
void write_worst(View *);
void write_kernels(const View *);
bool has_time(const View *); /* true if any time is predicted */
void write_time(View *);
void write_how_long(const View *); /* the first sentence of that section */
/* The leading kernel, otherwise the longest; NULL if no time is predicted. */
const Kernel *timed_kernel(const View *);
void write_listings(View *);

/* Advice on a line. `level` is the heading level at this place of the page. */
void write_advice(const View *, const Finding *, int level);
/* The place of a finding, named `called`; the line itself; and the advice. */
void write_quoted(View *, const Finding *, const char *called);

/* ---- maps.c ---------------------------------------------------------------------------------- */
/* True if there is a map of an access in this line. */
bool has_maps(const View *, const char *file, unsigned line);
/* The maps of all accesses in a line. Kernels with the same accesses share one. */
void write_maps(View *, const char *file, unsigned line);
/* The map of one finding. */
void write_finding_map(View *, const Finding *);
/* The same map in a smaller size, for the first screen. */
void write_small_map(View *, const Finding *);
/* Writes the CSS class of a part that belongs to some of several kernels. It is shown when one of
 * these is chosen. */
void write_kernel_class(const View *, const Kernel *const *, size_t count);
unsigned kernel_number(const View *, const Kernel *);

/* ---- page.c ---------------------------------------------------------------------------------- */
void write_page(View *);

#endif
