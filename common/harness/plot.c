/* Draws plots with gnuplot. The data is sent with the commands through a pipe. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "screen.h"

enum { PANEL_WIDTH = 560, PANEL_HEIGHT = 420, MOST_IN_A_ROW = 2 };

static int in_a_row(size_t panels) { return panels < MOST_IN_A_ROW ? (int)panels : MOST_IN_A_ROW; }
static int rows_of(size_t panels) { return (int)(panels + MOST_IN_A_ROW - 1) / MOST_IN_A_ROW; }

static void write_terminal(FILE *out, size_t panels, const char *path) {
  int columns = screen_width(STDOUT_FILENO), width = PANEL_WIDTH * in_a_row(panels),
      height = PANEL_HEIGHT * rows_of(panels);
  const char *ending = path ? strrchr(path, '.') : "";
  if (!strcmp(ending, ".svg"))
    fprintf(out, "set terminal svg size %d,%d font 'sans-serif,13' background '#ffffff'\n", width,
            height);
  else if (!strcmp(ending, ".png"))
    fprintf(out, "set terminal pngcairo size %d,%d\n", width, height);
  else if (!strcmp(ending, ".pdf"))
    fprintf(out, "set terminal pdfcairo size %f,%f\n", width / 100.0, height / 100.0);
  else
    fprintf(out, "set terminal dumb size %d,24\n", columns < 100 ? columns - 1 : 100);
  if (path)
    fprintf(out, "set output '%s'\n", path);
}

/* The colours of Okabe and Ito, which most colour-blind people can distinguish. */
static const char STYLE[] =
    "set key top left reverse Left samplen 2\n"
    "set autoscale noextend\nset grid linecolor '#dddddd'\nset border 3\nset tics nomirror\n"
    "set linetype 1 linecolor '#0072b2' linewidth 2\n"
    "set linetype 2 linecolor '#d55e00' linewidth 2\n"
    "set linetype 3 linecolor '#009e73' linewidth 2\n"
    "set linetype 4 linecolor '#cc79a7' linewidth 2\n"
    "set linetype 5 linecolor '#e69f00' linewidth 2\n"
    "set linetype 6 linecolor '#56b4e9' linewidth 2\n"
    "set linetype 7 linecolor '#000000' linewidth 2\n";

/* Writes labels at 1, 2 and 5 times each power of ten if the axis is short, otherwise only at the
 * powers of ten. gnuplot's own labels are at powers only, and a short axis contains at most one
 * power. */
static void write_log_tics(FILE *out, const Panel *panel, char axis) {
  static const int steps[] = {1, 2, 5};
  double least = INFINITY, most = 0;
  for (size_t s = 0; s < panel->count; s++)
    for (size_t i = 0; i < panel->series[s].count; i++) {
      double value = axis == 'x' ? panel->series[s].x[i] : panel->series[s].y[i];
      least = fmin(least, value), most = fmax(most, value);
    }
  if (!(least > 0 && most < INFINITY && least <= most))
    return;
  int first = (int)floor(log10(least)), last = (int)ceil(log10(most));
  size_t count = last - first <= 3 ? 3 : 1;
  fprintf(out, "set %ctics (", axis);
  for (int power = first; power <= last; power++)
    for (size_t i = 0; i < count; i++)
      fprintf(out, "%s'%g' %g", power > first || i ? ", " : "", steps[i] * pow(10, power),
              steps[i] * pow(10, power));
  fprintf(out, ")\n");
}

static void write_panel(FILE *out, const Panel *panel, size_t number) {
  for (size_t s = 0; s < panel->count; s++) {
    const Series *series = &panel->series[s];
    fprintf(out, "$p%zus%zu << END\n", number, s);
    for (size_t i = 0; i < series->count; i++)
      fprintf(out, "%.9g %.9g\n", series->x[i], series->y[i]);
    fprintf(out, "END\n");
  }
  fprintf(out, "set title '%s'\nset xlabel '%s'\nset ylabel '%s'\n", panel->title, panel->x_label,
          panel->y_label);
  fprintf(out, panel->logarithmic
                   ? "set logscale xy\nset xrange [*:*]\nset yrange [*:*]\n"
                   : "unset logscale\nset xrange [0:*]\nset yrange [0:*]\nset xtics auto\nset "
                     "ytics auto\n");
  if (panel->logarithmic) {
    write_log_tics(out, panel, 'x');
    write_log_tics(out, panel, 'y');
  }
  fprintf(out, "plot ");
  for (size_t s = 0; s < panel->count; s++)
    fprintf(out, "%s$p%zus%zu using 1:2 with lines linetype %u title '%s'", s ? ", " : "", number,
            s, panel->series[s].colour % 7 + 1, panel->series[s].name);
  fprintf(out, "\n");
}

static void write_all(FILE *out, const char *title, const Panel *panels, size_t count,
                      const char *path) {
  write_terminal(out, count, path);
  fputs(STYLE, out);
  fprintf(out, "set encoding utf8\nset termoption noenhanced\n");
  if (count > 1)
    fprintf(out, "set multiplot layout %d,%d title '%s'\n", rows_of(count), in_a_row(count), title);
  for (size_t i = 0; i < count; i++)
    write_panel(out, &panels[i], i);
  if (count > 1)
    fprintf(out, "unset multiplot\n");
}

const char *plot_draw(const char *title, const Panel *panels, size_t count, const char *path) {
  static char line[300];
  if (path && strchr(path, '\''))
    return "--plot: gnuplot does not accept quotation marks in a path";
  fflush(stdout);
  /* If gnuplot is not installed, the shell of popen exits immediately and writing raises
   * SIGPIPE. */
  void (*before)(int) = signal(SIGPIPE, SIG_IGN);
  FILE *out = popen("gnuplot 2>/dev/null", "w");
  if (!out)
    return strerror(errno);
  write_all(out, title, panels, count, path);
  int status = pclose(out);
  signal(SIGPIPE, before);
  if (status == 0)
    return NULL;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return "no picture, because gnuplot is not installed: `make setup` installs it";
  snprintf(line, sizeof line, "%s: gnuplot cannot write it", path ? path : "standard output");
  return line;
}
