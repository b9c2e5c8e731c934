/* Writes the maps of a line: one map for each access in the line, with its counters of the whole
 * run. The same line may belong to several kernels: instances of a template, or kernels that call
 * the same function. Kernels whose accesses give the same picture share a map.
 */
#include <stdlib.h>
#include <string.h>

#include "view.h"

enum { MOST_MAPS = 12 }; /* maximum number of maps of one line */

static bool drawable(const Access *a) {
  return a->sample && (a->space == SPACE_SHARED || a->space == SPACE_GLOBAL);
}

/* Returns the picture as a string, which the caller frees. */
static char *picture(const Request *r, const char *id) {
  char *out = NULL;
  size_t length;
  FILE *stream = open_memstream(&out, &length);
  const Words words = {id, NULL};
  (r->access->space == SPACE_SHARED ? draw_banks : draw_sectors)(stream, r, &words);
  fclose(stream);
  return out;
}

/* ---- kernels that share a map ---------------------------------------------------------------- */
typedef struct Map {
  Access access;
  Request request;
  const Kernel *kernels[32];
  /* `more`: number of kernels that did not fit into `kernels`. */
  size_t kernel_count, more;
} Map;

typedef struct Maps {
  Map items[MOST_MAPS];
  size_t count, left_out;
} Maps;

static bool same_picture(const Request *a, const Request *b) {
  return a->access->space == b->access->space && a->access->bytes == b->access->bytes &&
         a->access->operation == b->access->operation && a->columns == b->columns &&
         a->rows == b->rows && a->start == b->start && !strcmp(a->name, b->name) &&
         !memcmp(a->sample->offset, b->sample->offset, sizeof a->sample->offset);
}

static void add_kernel(Map *m, const Kernel *k) {
  for (size_t i = 0; i < m->kernel_count; i++)
    if (m->kernels[i] == k)
      return;
  if (m->kernel_count < sizeof m->kernels / sizeof *m->kernels)
    m->kernels[m->kernel_count++] = k;
  else
    m->more++;
}

static void add_access(Maps *maps, const View *v, const Kernel *k, const Access *a) {
  Request r = request_of(v->recording, k, a, v->source);
  for (size_t i = 0; i < maps->count; i++) {
    Map *m = &maps->items[i];
    if (!same_picture(&m->request, &r))
      continue;
    add_kernel(m, k);
    m->access.requests += a->requests;
    m->access.sectors += a->sectors;
    m->access.wavefronts += a->wavefronts;
    m->access.ideal += a->ideal;
    m->access.lanes += a->lanes;
    return;
  }
  if (maps->count == MOST_MAPS) {
    maps->left_out++;
    return;
  }
  Map *m = &maps->items[maps->count++];
  *m = (Map){.access = *a, .request = r};
  m->request.access = &m->access;
  add_kernel(m, k);
}

static void collect(Maps *maps, const View *v, const char *file, unsigned line) {
  for (size_t k = 0; k < v->recording->kernel_count; k++) {
    size_t count;
    Access *list = kernel_accesses(&v->recording->kernels[k], &count);
    for (size_t i = 0; i < count; i++)
      if (drawable(&list[i]) && list[i].line == line && !strcmp(list[i].file, file))
        add_access(maps, v, &v->recording->kernels[k], &list[i]);
    free(list);
  }
}

bool has_maps(const View *v, const char *file, unsigned line) {
  for (size_t k = 0; k < v->recording->kernel_count; k++)
    for (size_t i = 0; i < v->recording->kernels[k].access_count; i++) {
      const Access *a = &v->recording->kernels[k].accesses[i];
      if (drawable(a) && a->line == line && !strcmp(a->file, file))
        return true;
    }
  return false;
}

/* ---- the text of a map ----------------------------------------------------------------------- */
static void write_totals(const View *v, const Map *m) {
  const Access *a = &m->access;
  char requests[NUMBER_ROOM], now[NUMBER_ROOM], ideal[NUMBER_ROOM];
  bool shared = a->space == SPACE_SHARED;
  count_text(a->requests, requests);
  rate_text(share_of(shared ? a->wavefronts : a->sectors, a->requests), now);
  rate_text(share_of(shared ? a->ideal : access_ideal_sectors(a), a->requests), ideal);
  for (size_t i = 0; i < m->kernel_count; i++)
    html_text(v->out, "%s%s", i ? ", " : "", m->kernels[i]->name);
  if (m->more)
    html_text(v->out, " and others");
  html_text(v->out, ": %s requests in the whole run, on average %s %s%s each where %s would do.",
            requests, now, shared ? "wavefront" : "sector", strcmp(now, "1") ? "s" : "", ideal);
}

static void write_reading(const View *v, const Map *m) {
  if (m->access.space == SPACE_SHARED)
    fputs(
        " The map shows one of them. Shared memory has 32 banks, and in one wavefront each serves "
        "one word: words of one bank are delivered one after the other.",
        v->out);
  else
    fputs(" The map shows one of them. Global memory moves in sectors of 32 bytes: each frame is "
          "moved whole, however little of it the 32 lanes want.",
          v->out);
}

unsigned kernel_number(const View *v, const Kernel *k) {
  return (unsigned)(k - v->recording->kernels);
}

void write_kernel_class(const View *v, const Kernel *const *kernels, size_t count) {
  if (v->recording->kernel_count < 2)
    return;
  fputs(" k", v->out);
  for (size_t i = 0; i < count; i++)
    fprintf(v->out, " k%u", kernel_number(v, kernels[i]));
}

static void write_map(View *v, const Map *m, bool chosen) {
  char id[32];
  snprintf(id, sizeof id, "map%u", ++v->maps);
  char *svg = picture(&m->request, id);
  fputs("<figure class=\"map", v->out);
  if (chosen && !m->more)
    write_kernel_class(v, m->kernels, m->kernel_count);
  fputs("\"><div class=\"scroll\" tabindex=\"0\" role=\"group\" "
        "aria-label=\"map\">",
        v->out);
  fputs(svg, v->out);
  fputs("</div><figcaption>", v->out);
  write_totals(v, m);
  write_reading(v, m);
  fputs("</figcaption></figure>\n", v->out);
  free(svg);
}

void write_maps(View *v, const char *file, unsigned line) {
  Maps maps = {.count = 0};
  collect(&maps, v, file, line);
  for (size_t i = 0; i < maps.count; i++)
    write_map(v, &maps.items[i], true);
  if (maps.left_out)
    html_text(v->out, "%zu more accesses of this line are not drawn.", maps.left_out);
}

void write_finding_map(View *v, const Finding *f) {
  if (f->kind == FINDING_IDLE_LANES || f->kind == FINDING_LOCAL || !drawable(&f->access))
    return;
  Map m = {.access = f->access};
  m.request = request_of(v->recording, f->kernel, &f->access, v->source);
  m.request.access = &m.access;
  add_kernel(&m, f->kernel);
  write_map(v, &m, false);
}

void write_small_map(View *v, const Finding *f) {
  if (f->kind == FINDING_IDLE_LANES || f->kind == FINDING_LOCAL || !drawable(&f->access))
    return;
  const Words words = {"glance-map", NULL};
  Request r = request_of(v->recording, f->kernel, &f->access, v->source);
  fputs("<figure class=\"small\"><div class=\"scroll\" tabindex=\"0\" role=\"group\" "
        "aria-label=\"small map\">",
        v->out);
  draw_slide(v->out, &r, &words);
  fputs("</div></figure>", v->out);
}
