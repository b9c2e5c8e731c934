/* Pictures of what a warp asked of memory, as SVG, from the samples in a recorded run.
 *
 * A sample (common/profile) holds the 32 addresses of one request, and everything drawn follows from
 * them: svg.c writes shapes and markup.c text, request.c turns addresses into words, wavefronts and
 * sectors, bank_map.c and sector_map.c draw them for a page, slide.c and tiles.c for a slide. Time is
 * in two pictures only, and it is predicted: roofline.c and timeline.c.
 *
 * Colours are Okabe and Ito's, darkened so that white figures on them can be read. Each shape has
 * its colour as an attribute and a class besides: a page that shows pictures in the dark overrides
 * the classes (svg_dark_style). A title and a description say the same in words.
 */
#ifndef DRAW_H
#define DRAW_H

#include "profile/profile.h"

/* ---- svg.c ----------------------------------------------------------------------------------- */
typedef enum Paint {
  PAINT_PAPER,
  PAINT_INK,
  PAINT_DIM,   /* words of less weight */
  PAINT_GRID,  /* lines of a grid */
  PAINT_IDLE,  /* a place where nothing happens */
  PAINT_GOOD,  /* what had to be */
  PAINT_BAD,   /* what need not have been */
  PAINT_WASTE, /* likewise, as a background */
  PAINT_THIRD, /* a third kind: stored */
  PAINT_ON,    /* words on PAINT_GOOD, PAINT_BAD, PAINT_THIRD */
  /* what a warp waits for, in a timeline */
  PAINT_ARITHMETIC,
  PAINT_GLOBAL,
  PAINT_SHARED,
  PAINT_PIPE,
  PAINTS
} Paint;

/* "#rrggbb", on light paper or on a dark page. */
const char *paint_colour(Paint, bool dark);

typedef enum Anchor { LEFT, MIDDLE, RIGHT } Anchor;

typedef struct Font {
  int size;
  bool bold;
  Anchor anchor;
} Font;

/* `id` must differ between the pictures of one page. */
void svg_begin(FILE *, const char *id, int width, int height, const char *title, const char *text);
void svg_end(FILE *);
void svg_box(FILE *, Paint, double x, double y, double width, double height);
void svg_frame(FILE *, Paint, double stroke, double x, double y, double width, double height);
void svg_line(FILE *, Paint, double stroke, double x1, double y1, double x2, double y2);
void svg_dashes(FILE *, Paint, double x1, double y1, double x2, double y2);
/* A box with strokes across it. */
void svg_hatched(FILE *, Paint background, Paint strokes, double x, double y, double width,
                 double height);
/* Lines between cells: columns × rows of them. */
void svg_grid(FILE *, double x, double y, int columns, int rows, double width, double height);
void svg_arrow(FILE *, Paint, double x1, double y1, double x2, double y2);
void svg_text(FILE *, Paint, Font, double x, double y, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* CSS that turns pictures for a dark page. */
const char *svg_dark_style(void);

/* ---- request.c ------------------------------------------------------------------------------- */
/* One request of an access, and where the elements lie that it reaches. */
typedef struct Request {
  const Kernel *kernel;
  const Access *access;
  const Sample *sample;
  unsigned banks;         /* BankMode */
  char name[64];          /* of the buffer or array; "shared memory", "memory" */
  uint64_t start, bytes;  /* the array's place in shared memory; of a buffer 0 and its size */
  uint64_t rows, columns; /* of elements; columns 0: not known */
} Request;

/* The sample must be there. source: for names and shapes of arrays; may be NULL. */
Request request_of(const Recording *, const Kernel *, const Access *, const Source *source);

/* Columns at the end of each row that are there for the banks only; 0: none known. */
unsigned request_padding(const Request *);
/* "warp 0 of block (0,0,0)" and the like. */
void request_place(const Request *, char *out, size_t size);
/* "load", "store" or "atomic operation" */
const char *request_verb(const Request *);

/* A word of shared memory, which a bank gives in one wavefront to all lanes that want it. */
typedef struct Word {
  uint64_t number;    /* banks_word of its offset in the block's shared memory */
  unsigned wavefront; /* from 0 */
  uint32_t lanes;     /* that want it, a bit for each */
  bool extra;         /* some other word came first from the same bank in the same phase */
} Word;

enum { MOST_WORDS = LANES * 4 };

typedef struct Schedule {
  Word words[MOST_WORDS];
  unsigned count, wavefronts, ideal;
  bool in_turn; /* an atomic operation: lanes that want one word take turns */
} Schedule;

Schedule request_schedule(const Request *);
/* First and last lane and how many of a set. */
void lanes_text(uint32_t lanes, char *out, size_t size);

typedef struct Footprint {
  uint64_t sector[LANES * 2]; /* ascending; offset in the buffer / SECTOR_BYTES */
  unsigned count, bytes_used;
} Footprint;

Footprint request_footprint(const Request *);

/* ---- roofline.c, timeline.c: pictures of predicted time ---------------------------------------- */
/* false: there is no prediction, or nothing to draw in it. */
bool draw_roofline(FILE *, const Kernel *, const char *id);
bool draw_timeline(FILE *, const Kernel *, const char *id);

/* ---- orders.c: a data race ---------------------------------------------------------------------- */
/* Were both accesses made by threads, at lines that are known, and was one of them a store? */
bool has_orders(const Mistake *);
/* One access before the other: the first one of the report, or turned. Only where has_orders. */
void draw_order(FILE *, const Mistake *, bool turned, const char *id);

/* ---- the pictures ---------------------------------------------------------------------------- */
typedef struct Words {
  const char *id;    /* of the picture; see svg_begin */
  const char *title; /* in place of the picture's own; NULL: that */
} Words;

void draw_banks(FILE *, const Request *, const Words *);
void draw_sectors(FILE *, const Request *, const Words *);
/* Their titles and descriptions. */
void banks_words(const Request *, const Schedule *, char *title, size_t title_size, char *text,
                 size_t text_size);
void sectors_words(const Request *, const Footprint *, char *title, size_t title_size, char *text,
                   size_t text_size);
/* The same request in letters for a slide. */
void draw_slide(FILE *, const Request *, const Words *);
/* Each kernel of the run is a step; buffers A, B and C have shapes. false: they are not there. */
bool draw_tiles(FILE *, const Recording *, const Words *);

#endif
