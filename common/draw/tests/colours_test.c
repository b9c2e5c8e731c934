/* Tests that readers, including colour-blind readers, can distinguish the colours of a timeline on
 * a white and on a dark background.
 *
 * Distances are CIE 1976 in L*a*b*. Colour blindness is simulated after Machado, Oliveira and
 * Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
 * severity 1.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "draw/draw.h"

/* A distance of 2.3 is just noticeable. The minimum is larger because the shapes of a timeline are
 * only a few pixels high. */
#define LEAST_DISTANCE 20.0

typedef struct Vision {
  const char *name;
  double from_linear_rgb[3][3];
} Vision;

static const Vision visions[] = {
    {"trichromat", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanope",
     {{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {"deuteranope",
     {{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {"tritanope",
     {{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
};

static double linear(unsigned byte) {
  double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double lightness(double t) { return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116; }

static void to_lab(const char *colour, const Vision *vision, double lab[3]) {
  unsigned byte[3];
  double seen[3];
  assert_int_equal(sscanf(colour, "#%2x%2x%2x", &byte[0], &byte[1], &byte[2]), 3);
  for (int i = 0; i < 3; i++) {
    seen[i] = 0;
    for (int j = 0; j < 3; j++)
      seen[i] += vision->from_linear_rgb[i][j] * linear(byte[j]);
    seen[i] = fmin(1, fmax(0, seen[i]));
  }
  double x = lightness((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047);
  double y = lightness(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  double z = lightness((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
  lab[0] = 116 * y - 16, lab[1] = 500 * (x - y), lab[2] = 200 * (y - z);
}

static double distance(const char *one, const char *other, const Vision *vision) {
  double a[3], b[3];
  to_lab(one, vision, a);
  to_lab(other, vision, b);
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* Compares all pairs of colours that can be adjacent in a timeline. PAINT_GRID ("could issue") is
 * not compared with the background, because it is intentionally similar. */
static void test_timeline(void **state) {
  static const Paint paints[] = {PAINT_GOOD, PAINT_ARITHMETIC, PAINT_GLOBAL, PAINT_SHARED,
                                 PAINT_PIPE, PAINT_INK,        PAINT_PAPER,  PAINT_GRID};
  enum { COUNT = sizeof paints / sizeof *paints };
  (void)state;
  for (int dark = 0; dark < 2; dark++)
    for (size_t v = 0; v < sizeof visions / sizeof *visions; v++)
      for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++) {
          const char *one = paint_colour(paints[i], dark), *other = paint_colour(paints[j], dark);
          double seen = distance(one, other, &visions[v]);
          bool pale = paints[i] == PAINT_GRID && paints[j] == PAINT_PAPER;
          if (!pale && seen < LEAST_DISTANCE)
            fail_msg("a %s sees %s and %s at a distance of %.1f", visions[v].name, one, other,
                     seen);
        }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_timeline)};
  return cmocka_run_group_tests_name("colours", tests, NULL, NULL);
}
