/* Draws the memory accesses of a warp as SVG, from the samples in a recorded run.
 *
 * A sample (common/profile) has the 32 addresses of one request. request.c turns them into words,
 * wavefronts and sectors. bank_map.c and sector_map.c draw them beside the lines of a page;
 * slide_map.c draws them for a slide and for the small map of a page, tiles.c for a slide. svg.c
 * writes shapes, markup.c writes text. Only roofline.c and timeline.c show time, which is predicted.
 *
 * The colours are those of Okabe and Ito, darkened so that white text on them is readable. Each
 * shape has its colour as an attribute and as a class. A page with dark pictures overrides the
 * classes (svg_dark_style). A title and a description contain the same information as text.
 */
#ifndef DRAW_H
#define DRAW_H

#include "profile/profile.h"

/* ---- svg.c ----------------------------------------------------------------------------------- */
typedef enum Paint {
  PAINT_PAPER,
  PAINT_INK,
  PAINT_DIM,   /* secondary text */
  PAINT_GRID,  /* lines of a grid */
  PAINT_IDLE,  /* an idle place */
  PAINT_GOOD,  /* necessary work */
  PAINT_BAD,   /* avoidable work */
  PAINT_WASTE, /* avoidable work, as a background */
  PAINT_THIRD, /* a third kind: stored values */
  PAINT_ON,    /* text on PAINT_GOOD, PAINT_BAD, PAINT_THIRD */
  /* stall reasons in a timeline */
  PAINT_ARITHMETIC,
  PAINT_GLOBAL,
  PAINT_SHARED,
  PAINT_PIPE,
  PAINTS
} Paint;

/* The colour as "#rrggbb", for white paper or a dark page. */
const char *paint_colour(Paint, bool dark);

typedef enum Anchor { LEFT, MIDDLE, RIGHT } Anchor;

typedef struct Font {
  int size;
  bool bold;
  Anchor anchor;
} Font;

/* Each picture of a page needs its own `id`. */
void svg_begin(FILE *, const char *id, int width, int height, const char *title, const char *text);
void svg_end(FILE *);
void svg_box(FILE *, Paint, double x, double y, double width, double height);
void svg_frame(FILE *, Paint, double stroke, double x, double y, double width, double height);
void svg_line(FILE *, Paint, double stroke, double x1, double y1, double x2, double y2);
void svg_dashes(FILE *, Paint, double x1, double y1, double x2, double y2);
/* A box with diagonal strokes. */
void svg_hatched(FILE *, Paint background, Paint strokes, double x, double y, double width,
                 double height);
/* The lines between columns × rows cells. */
void svg_grid(FILE *, double x, double y, int columns, int rows, double width, double height);
void svg_arrow(FILE *, Paint, double x1, double y1, double x2, double y2);
void svg_text(FILE *, Paint, Font, double x, double y, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* CSS that changes the colours for a dark page. */
const char *svg_dark_style(void);

/* ---- request.c ------------------------------------------------------------------------------- */
/* One request of an access, and the position of the elements that it touches. */
typedef struct Request {
  const Kernel *kernel;
  const Access *access;
  const Sample *sample;
  /* BankMode */
  unsigned banks;
  /* name of the buffer or array; otherwise "shared memory" or "memory" */
  char name[64];
  /* `start`: offset of the array in shared memory, 0 for a buffer; `bytes`: its size */
  uint64_t start, bytes;
  /* shape in elements; columns 0: not known */
  uint64_t rows, columns;
} Request;

/* The access must have a sample. `source` gives names and shapes of arrays; it may be NULL. */
Request request_of(const Recording *, const Kernel *, const Access *, const Source *source);

/* Number of padding columns at the end of each row, which only avoid bank conflicts; 0: none
 * known. */
unsigned request_padding(const Request *);
/* For example "warp 0 of block (0,0,0)". */
void request_place(const Request *, char *out, size_t size);
/* Returns "load", "store" or "atomic operation". */
const char *request_verb(const Request *);

/* A word of shared memory. In one wavefront a bank serves one word to all lanes that access it. */
typedef struct Word {
  /* banks_word of its offset in the block's shared memory */
  uint64_t number;
  /* number of its wavefront, from 0 */
  unsigned wavefront;
  /* mask of the lanes that access it */
  uint32_t lanes;
  /* true if the bank serves another word before it in the same phase */
  bool extra;
} Word;

enum { MOST_WORDS = LANES * 4 };

typedef struct Schedule {
  Word words[MOST_WORDS];
  unsigned count, wavefronts, ideal;
  /* true for atomic operations in which lanes that access one word are serialised */
  bool in_turn;
} Schedule;

Schedule request_schedule(const Request *);
/* Describes a set of lanes: the first, the last and the number. */
void lanes_text(uint32_t lanes, char *out, size_t size);

typedef struct Footprint {
  /* ascending; offset in the buffer / SECTOR_BYTES */
  uint64_t sector[LANES * 2];
  unsigned count, bytes_used;
} Footprint;

Footprint request_footprint(const Request *);

/* ---- roofline.c, timeline.c: pictures of predicted time -------------------------------------- */
/* Both return false if there is no prediction, or no data to draw. */
bool draw_roofline(FILE *, const Kernel *, const char *id);
bool draw_timeline(FILE *, const Kernel *, const char *id);

/* ---- orders.c: a data race ------------------------------------------------------------------- */
/* Returns true if threads made both accesses, both source lines are known, and at least one access
 * is a store. */
bool has_orders(const Mistake *);
/* Draws one order of the two accesses: that of the report, or with `turned` the reverse. Requires
 * has_orders. */
void draw_order(FILE *, const Mistake *, bool turned, const char *id);

/* ---- the pictures ---------------------------------------------------------------------------- */
typedef struct Words {
  /* see svg_begin */
  const char *id;
  /* replaces the picture's own title; may be NULL */
  const char *title;
} Words;

void draw_banks(FILE *, const Request *, const Words *);
void draw_sectors(FILE *, const Request *, const Words *);
/* Titles and descriptions of the maps. */
void banks_words(const Request *, const Schedule *, char *title, size_t title_size, char *text,
                 size_t text_size);
void sectors_words(const Request *, const Footprint *, char *title, size_t title_size, char *text,
                   size_t text_size);
/* Draws the same request in large letters for a slide. */
void draw_slide(FILE *, const Request *, const Words *);
/* Draws one step per kernel of the run. Returns false if the buffers A, B and C, whose shapes must
 * be known, are missing. */
bool draw_tiles(FILE *, const Recording *, const Words *);

#endif
