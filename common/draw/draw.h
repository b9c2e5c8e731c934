/* Draws the memory accesses of a warp as SVG, from the samples in a recorded run.
 *
 * A sample (common/profile) contains the 32 addresses of one request. request.c computes the words,
 * wavefronts and sectors of the request. bank_map.c and sector_map.c draw a map of it for a page;
 * slide_map.c draws a simpler map for a slide. tiles.c draws the accesses of several kernels.
 * orders.c draws a data race. roofline.c and timeline.c draw predicted times. svg.c writes shapes,
 * and markup.c writes text.
 *
 * The colours are those of Okabe and Ito, but darker, so that white text on them is readable. Each
 * shape has its colour as an attribute and as a class. A page with a dark background overrides the
 * classes (svg_dark_style). The title and the description of a picture describe it as text.
 */
#ifndef DRAW_H
#define DRAW_H

#include "profile/profile.h"

/* ---- svg.c ----------------------------------------------------------------------------------- */
typedef enum Paint {
  PAINT_PAPER,
  PAINT_INK,
  PAINT_DIM,   /* less important text */
  PAINT_GRID,  /* grid lines */
  PAINT_IDLE,  /* a lane, a bank or memory that is not used */
  PAINT_GOOD,  /* necessary requests, sectors or wavefronts */
  PAINT_BAD,   /* avoidable sectors or wavefronts */
  PAINT_WASTE, /* background of bytes that are moved but not used */
  PAINT_THIRD, /* things that are neither good nor bad, such as C in the picture of tiles */
  PAINT_ON,    /* text on PAINT_GOOD, PAINT_BAD or PAINT_THIRD */
  /* stall reasons in a timeline */
  PAINT_ARITHMETIC,
  PAINT_GLOBAL,
  PAINT_SHARED,
  PAINT_PIPE,
  PAINTS
} Paint;

/* Returns the colour as "#rrggbb", for a dark page or for white paper. */
const char *paint_colour(Paint, bool dark);

typedef enum Anchor { LEFT, MIDDLE, RIGHT } Anchor;

typedef struct Font {
  int size;
  bool bold;
  Anchor anchor;
} Font;

/* Writes the beginning of an SVG picture with a title and a description. No other picture of the
 * page may have the same `id`. */
void svg_begin(FILE *, const char *id, int width, int height, const char *title, const char *text);
void svg_end(FILE *);
void svg_box(FILE *, Paint, double x, double y, double width, double height);
void svg_frame(FILE *, Paint, double stroke, double x, double y, double width, double height);
void svg_line(FILE *, Paint, double stroke, double x1, double y1, double x2, double y2);
void svg_dashes(FILE *, Paint, double x1, double y1, double x2, double y2);
/* Draws a box with diagonal strokes. */
void svg_hatched(FILE *, Paint background, Paint strokes, double x, double y, double width,
                 double height);
/* Draws the lines of a grid with columns × rows cells, each of the given width and height. */
void svg_grid(FILE *, double x, double y, int columns, int rows, double width, double height);
void svg_arrow(FILE *, Paint, double x1, double y1, double x2, double y2);
void svg_text(FILE *, Paint, Font, double x, double y, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* Returns CSS that changes the colours for a dark page. */
const char *svg_dark_style(void);

/* ---- request.c ------------------------------------------------------------------------------- */
/* One request of an access, and the buffer or array that it accesses. */
typedef struct Request {
  const Kernel *kernel;
  const Access *access;
  const Sample *sample;
  /* The width of a bank, as a BankMode. */
  unsigned banks;
  /* Name of the buffer or array; if it is not known, "shared memory" or "memory". */
  char name[64];
  /* `start`: offset of the array in shared memory, 0 for a buffer; `bytes`: size of the array or
   * buffer. Both in bytes. */
  uint64_t start, bytes;
  /* Shape of the array or buffer in elements; `columns` is 0 if the shape is not known. */
  uint64_t rows, columns;
} Request;

/* Returns the request of an access that has a sample. The shapes of shared arrays are read from
 * `source`, which may be NULL. */
Request request_of(const Recording *, const Kernel *, const Access *, const Source *source);

/* Returns the number of columns at the end of each row that were added only to avoid bank
 * conflicts; 0 if there are none or if the shape is not known. */
unsigned request_padding(const Request *);
/* Writes the place of a request, for example "kernel k, warp 0 of block (0,0)". */
void request_place(const Request *, char *out, size_t size);
/* Returns "load", "store" or "atomic operation". */
const char *request_verb(const Request *);

/* A word of shared memory. In one wavefront, a bank serves one word to all lanes that access this
 * word. */
typedef struct Word {
  /* Number of the word in the block's shared memory; see banks_word(). */
  uint64_t number;
  /* Number of the wavefront that serves the word, from 0. */
  unsigned wavefront;
  /* Mask of the lanes that access the word. */
  uint32_t lanes;
  /* True if the bank serves another word of the same phase in an earlier wavefront. */
  bool extra;
} Word;

enum { MOST_WORDS = LANES * 4 };

typedef struct Schedule {
  Word words[MOST_WORDS];
  unsigned count, wavefronts, ideal;
  /* True for an atomic operation in which lanes that access the same word are serialised. */
  bool in_turn;
} Schedule;

Schedule request_schedule(const Request *);
/* Describes a set of lanes as text: the first lane, the last lane and the number of lanes. */
void lanes_text(uint32_t lanes, char *out, size_t size);

typedef struct Footprint {
  /* Numbers of the sectors that the request touches, ascending: offset in the buffer /
   * SECTOR_BYTES. */
  uint64_t sector[LANES * 2];
  unsigned count, bytes_used;
} Footprint;

Footprint request_footprint(const Request *);

/* ---- roofline.c, timeline.c: pictures of predicted time -------------------------------------- */
/* draw_roofline and draw_timeline return false and draw nothing if the recording does not contain
 * the needed data. */
bool draw_roofline(FILE *, const Kernel *, const char *id);
bool draw_timeline(FILE *, const Kernel *, const char *id);

/* ---- orders.c: a data race ------------------------------------------------------------------- */
/* Returns true if draw_order can draw the mistake: both accesses were made by threads, their source
 * lines are known, and at least one is a store. */
bool has_orders(const Mistake *);
/* Draws the two accesses in the order of the report, or in the reverse order if `turned` is true.
 * has_orders must be true. */
void draw_order(FILE *, const Mistake *, bool turned, const char *id);

/* ---- the pictures ---------------------------------------------------------------------------- */
typedef struct Words {
  /* The id for svg_begin. */
  const char *id;
  /* Replaces the usual title of the picture; NULL keeps the usual title. */
  const char *title;
} Words;

void draw_banks(FILE *, const Request *, const Words *);
void draw_sectors(FILE *, const Request *, const Words *);
/* Write the title and the description of a map. */
void banks_words(const Request *, const Schedule *, char *title, size_t title_size, char *text,
                 size_t text_size);
void sectors_words(const Request *, const Footprint *, char *title, size_t title_size, char *text,
                   size_t text_size);
/* Draws a map of the request for a slide, with large letters. */
void draw_slide(FILE *, const Request *, const Words *);
/* Draws one step of a tiled matrix product per kernel of the recording. Returns false if the
 * recording has no buffers A, B and C with known shapes. */
bool draw_tiles(FILE *, const Recording *, const Words *);

#endif
