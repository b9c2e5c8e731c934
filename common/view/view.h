/* The page of `make view03`: one HTML file about the student's own kernel, readable without a network
 * and without a script. What the profile and the maps know stands together: the verdict, what the
 * observers saw, the lines that cost most, and the source, where each line opens on its numbers and on
 * the maps of its accesses.
 *
 * main.c reads, page.c puts together; glance.c, marks.c, device_reports.c, worst.c, time.c and listing.c write a
 * section each, maps.c the pictures in them, html.c text that anybody wrote. Everything that comes from the
 * student, the log or a compiler goes through html_text.
 */
#ifndef VIEW_H
#define VIEW_H

#include "draw/draw.h"

typedef struct View {
  FILE *out;
  const Recording *recording, *before; /* before: an earlier version's; NULL: none */
  const Source *source;
  const Findings *findings;
  const Kernel *lead;      /* which the page begins with; NULL: the longest */
  const json_t *marks;     /* of the checker (checker/say/results.c); NULL: no lab, or none */
  const char *compile_log; /* of a source that does not compile; NULL: it does */
  const char *title;       /* "lab 03: bank conflicts", or the file */
  const char *subtitle;    /* compiler, precision, device */
  const char *again;       /* the command that checks; NULL: none */
  const char *command;     /* that made this page */
  int status;              /* of the program that was recorded */
  bool withheld;           /* a prediction is open: nothing that it asks for is shown */
  unsigned maps;           /* drawn so far; numbers them */
} View;

/* ---- html.c ---------------------------------------------------------------------------------- */
void html_text(FILE *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line of the file that is shown as a link to it; of another as text. */
void html_place(const View *, const char *file, unsigned line);
/* A sentence that ends in a command: `make …` as code. */
void html_command(FILE *, const char *command);

/* ---- colour.c -------------------------------------------------------------------------------- */
/* A line of source with its colours; open: is a comment open before it, and after it? */
void html_code(FILE *, const char *line, bool *open);

/* ---- the sections ---------------------------------------------------------------------------- */
bool has_marks(const View *);
void write_glance(View *);
void write_before(const View *);
void write_marks(const View *);
void write_reports(const View *);
void write_worst(View *);
void write_kernels(const View *);
bool has_time(const View *); /* is any predicted? */
void write_time(View *);
void write_how_long(const View *); /* its first sentence */
/* The kernel that leads, else the longest; NULL: no time is predicted. */
const Kernel *timed_kernel(const View *);
void write_listings(View *);

/* What could be better about a line; the heading's level is for the place it stands in. */
void write_advice(const View *, const Finding *, int level);
/* Where a finding is, which goes by a name, the line itself, and the advice. */
void write_quoted(View *, const Finding *, const char *called);

/* ---- maps.c ---------------------------------------------------------------------------------- */
/* Is there a map of an access in this line? */
bool has_maps(const View *, const char *file, unsigned line);
/* Those of all accesses in a line; kernels that do the same share one. */
void write_maps(View *, const char *file, unsigned line);
/* The one of a finding. */
void write_finding_map(View *, const Finding *);
/* The same in few lines, for the first screen. */
void write_small_map(View *, const Finding *);
/* The class of what is about some of several kernels: shown where one of these is chosen. */
void write_kernel_class(const View *, const Kernel *const *, size_t count);
unsigned kernel_number(const View *, const Kernel *);

/* ---- page.c ---------------------------------------------------------------------------------- */
void write_page(View *);

#endif
