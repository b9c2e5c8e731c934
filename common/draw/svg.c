/* Writes shapes as SVG. Coordinates are printed with %g, so that a picture is identical on every
 * machine.
 */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "draw.h"
#include "markup.h"

typedef struct Colour {
  /* `dark_words`: colour of text on a dark page; NULL if it is the same as `dark`. */
  const char *name, *light, *dark, *dark_words;
} Colour;

static const Colour colours[PAINTS] = {
    [PAINT_PAPER] = {"paper", "#ffffff", "#1b1d21"},
    [PAINT_INK] = {"ink", "#1a1a1a", "#eceef1"},
    [PAINT_DIM] = {"dim", "#55595f", "#b3b8c0"},
    [PAINT_GRID] = {"grid", "#c9ccd1", "#4a4e55"},
    [PAINT_IDLE] = {"idle", "#f1f2f4", "#292c32"},
    [PAINT_GOOD] = {"good", "#0068a3", "#0068a3", "#7cc4f5"},
    [PAINT_BAD] = {"bad", "#b34700", "#b34700", "#ffab73"},
    [PAINT_WASTE] = {"waste", "#fbe3d0", "#4d3422"},
    [PAINT_THIRD] = {"third", "#00755a", "#00755a", "#66d6b3"},
    [PAINT_ON] = {"on", "#ffffff", "#ffffff"},
    [PAINT_ARITHMETIC] = {"arithmetic", "#ffd166", "#ffd166"},
    [PAINT_GLOBAL] = {"global", "#d55e00", "#d55e00"},
    [PAINT_SHARED] = {"shared", "#56b4e9", "#56b4e9"},
    [PAINT_PIPE] = {"pipe", "#7f7f7f", "#7f7f7f"},
};

const char *paint_colour(Paint p, bool dark) { return dark ? colours[p].dark : colours[p].light; }

void svg_begin(FILE *out, const char *id, int width, int height, const char *title,
               const char *text) {
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "height=\"%d\" role=\"img\" aria-labelledby=\"%s-title\" aria-describedby=\"%s-text\" "
          "font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n<title id=\"%s-title\">",
          width, height, width, height, id, id, id);
  markup_text(out, title);
  fprintf(out, "</title>\n<desc id=\"%s-text\">", id);
  markup_text(out, text);
  fprintf(out, "</desc>\n");
  svg_box(out, PAINT_PAPER, 0, 0, width, height);
}

void svg_end(FILE *out) { fputs("</svg>\n", out); }

static void paint(FILE *out, const char *attribute, Paint p) {
  fprintf(out, " class=\"%c-%s\" %s=\"%s\"", *attribute, colours[p].name, attribute,
          colours[p].light);
}

void svg_box(FILE *out, Paint p, double x, double y, double width, double height) {
  fprintf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"", x, y, width, height);
  paint(out, "fill", p);
  fputs("/>\n", out);
}

void svg_frame(FILE *out, Paint p, double stroke, double x, double y, double width, double height) {
  fprintf(out,
          "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke-width=\"%g\"", x,
          y, width, height, stroke);
  paint(out, "stroke", p);
  fputs("/>\n", out);
}

void svg_line(FILE *out, Paint p, double stroke, double x1, double y1, double x2, double y2) {
  fprintf(out, "<path d=\"M%g %gL%g %g\" fill=\"none\" stroke-width=\"%g\"", x1, y1, x2, y2,
          stroke);
  paint(out, "stroke", p);
  fputs("/>\n", out);
}

void svg_dashes(FILE *out, Paint p, double x1, double y1, double x2, double y2) {
  fprintf(out,
          "<path d=\"M%g %gL%g %g\" fill=\"none\" stroke-width=\"1.5\" "
          "stroke-dasharray=\"4 3\"",
          x1, y1, x2, y2);
  paint(out, "stroke", p);
  fputs("/>\n", out);
}

/* Draws diagonal strokes from the lower left to the upper right, 6 units apart along the edges, and
 * clips them at the box. */
void svg_hatched(FILE *out, Paint background, Paint strokes, double x, double y, double width,
                 double height) {
  svg_box(out, background, x, y, width, height);
  fputs("<path d=\"", out);
  for (double at = 4; at < width + height; at += 6) {
    double left = fmax(0, at - height), right = fmin(at, width);
    fprintf(out, "M%g %gL%g %g", x + left, y + at - left, x + right, y + at - right);
  }
  fputs("\" fill=\"none\" stroke-width=\"0.8\"", out);
  paint(out, "stroke", strokes);
  fputs("/>\n", out);
}

void svg_grid(FILE *out, double x, double y, int columns, int rows, double width, double height) {
  fputs("<path d=\"", out);
  for (int i = 0; i <= columns; i++)
    fprintf(out, "M%g %gv%g", x + i * width, y, rows * height);
  for (int i = 0; i <= rows; i++)
    fprintf(out, "M%g %gh%g", x, y + i * height, columns * width);
  fputs("\" fill=\"none\" stroke-width=\"1\"", out);
  paint(out, "stroke", PAINT_GRID);
  fputs("/>\n", out);
}

void svg_arrow(FILE *out, Paint p, double x1, double y1, double x2, double y2) {
  double length = hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  svg_line(out, p, 2, x1, y1, x2 - 6 * ux, y2 - 6 * uy);
  fprintf(out, "<path d=\"M%g %gL%g %gL%g %gZ\"", x2, y2, x2 - 9 * ux + 5 * uy,
          y2 - 9 * uy - 5 * ux, x2 - 9 * ux - 5 * uy, y2 - 9 * uy + 5 * ux);
  paint(out, "fill", p);
  fputs("/>\n", out);
}

void svg_text(FILE *out, Paint p, Font font, double x, double y, const char *format, ...) {
  static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(out, "<text x=\"%g\" y=\"%g\" font-size=\"%d\"%s%s", x, y, font.size,
          font.bold ? " font-weight=\"bold\"" : "", anchors[font.anchor]);
  paint(out, "fill", p);
  fputc('>', out);
  markup_text(out, text);
  fputs("</text>\n", out);
}

const char *svg_dark_style(void) {
  static char style[3000];
  size_t used = 0;
  for (int p = 0; p < PAINTS; p++) {
    used += (size_t)snprintf(style + used, sizeof style - used,
                             "svg .f-%s{fill:%s}svg .s-%s{stroke:%s}", colours[p].name,
                             colours[p].dark, colours[p].name, colours[p].dark);
    if (colours[p].dark_words)
      used += (size_t)snprintf(style + used, sizeof style - used, "svg text.f-%s{fill:%s}",
                               colours[p].name, colours[p].dark_words);
  }
  return style;
}
