/* Writes the profile as JSON. The keys of a line are the names of Nsight Compute's source metrics.
 * The counters of a kernel are stored under their names in the log, and also under the name of the
 * metric if there is one. */
#include <math.h>
#include <stdlib.h>

#include "profile.h"

static json_t *whole(uint64_t value) { return json_integer((json_int_t)value); }

/* Omits the key if the value is NaN, which means that it does not apply. */
static void put_real(json_t *o, const char *key, double value) {
  if (!isnan(value))
    json_object_set_new(o, key, json_real(value));
}

static void put_rates(json_t *o, const Tally *t) {
  put_real(o, "active_lanes", active_lanes(t));
  put_real(o, "sectors_per_request", per_request(&t->global));
  put_real(o, "global_traffic_share", share_of(t->global.moved, t->all_sectors));
  put_real(o, "bank_conflicts_per_request", excess_per_request(&t->shared));
  put_real(o, "shared_traffic_share", share_of(t->shared.moved, t->all_wavefronts));
}

static json_t *tally_json(const Tally *t) {
  json_t *o = json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "inst_executed", whole(t->executed),
      "thread_inst_executed", whole(t->lanes), "memory_l1_tag_requests_global",
      whole(t->global.requests), "memory_l2_theoretical_sectors_global", whole(t->global.moved),
      "memory_l2_theoretical_sectors_global_ideal", whole(t->global.ideal), "shared_requests",
      whole(t->shared.requests), "memory_l1_wavefronts_shared", whole(t->shared.moved),
      "memory_l1_wavefronts_shared_ideal", whole(t->shared.ideal),
      "memory_l2_theoretical_sectors_local", whole(t->local.moved));
  put_rates(o, t);
  return o;
}

static json_t *line_json(const Tally *t) {
  json_t *o = tally_json(t);
  json_object_set_new(o, "file", json_string(t->file));
  json_object_set_new(o, "line", json_integer(t->line));
  return o;
}

static json_t *lines_json(const Recording *r, const Kernel *only) {
  size_t count;
  Tally *lines = tally_lines(r, only, &count);
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, line_json(&lines[i]));
  free(lines);
  return list;
}

static json_t *counters_json(const Kernel *k) {
  json_t *o = json_object();
#define COUNTER(name, metric, meaning)                                                             \
  json_object_set_new(o, #name, whole(k->counters.name));                                          \
  if (metric[0])                                                                                   \
    json_object_set_new(o, metric, whole(k->counters.name));
#include "emulator/observe/counters.def"
  return o;
}

static json_t *triple(const unsigned n[3]) {
  return json_pack("[i, i, i]", (int)n[0], (int)n[1], (int)n[2]);
}

static json_t *kernel_json(const Recording *r, const Kernel *k, const Source *source) {
  Tally t = tally_kernel(k);
  json_t *o = json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "name", k->name,
                        "symbol", k->symbol, "given", source && source_gives(source, k), "launches",
                        whole(k->launches), "grid", triple(k->grid), "block", triple(k->block),
                        "shared_bytes", (int)k->shared_bytes, "counters", counters_json(k), "total",
                        tally_json(&t), "lines", lines_json(r, k));
  if (k->predicted)
    json_object_set(o, "predicted", (json_t *)k->predicted->event); /* unchanged from the log */
  return o;
}

static json_t *finding_json(const Finding *f, const Source *source) {
  static const char *const kinds[FINDING_KINDS] = {"uncoalesced", "bank-conflicts", "local-memory",
                                                   "idle-lanes",  "repeated-loads", "shared-loads"};
  Advice a = advise(f, source);
  json_t *o =
      json_pack("{s:s, s:s, s:i, s:s, s:i, s:b, s:f, s:f, s:s, s:s, s:s}", "kind", kinds[f->kind],
                "kernel", f->kernel->name, "more_kernels", (int)f->more_kernels, "file", f->file,
                "line", (int)f->line, "given", f->given, "now", f->now, "ideal", f->ideal, "what",
                a.what, "why", a.why, "try", a.attempt);
  put_real(o, "avoidable_share", f->share);
  return o;
}

json_t *profile_json(const Recording *r, const Source *source, const Findings *findings) {
  json_t *kernels = json_array(), *list = json_array();
  for (size_t i = 0; i < r->kernel_count; i++)
    json_array_append_new(kernels, kernel_json(r, &r->kernels[i], source));
  for (size_t i = 0; i < findings->count; i++)
    json_array_append_new(list, finding_json(&findings->items[i], source));
  json_t *o = json_pack("{s:s*, s:o, s:o, s:o, s:i}", "source", source ? source->path : NULL,
                        "findings", list, "kernels", kernels, "lines", lines_json(r, NULL),
                        "reports", (int)r->mistake_count);
  if (r->damage[0])
    json_object_set_new(o, "damage", json_string(r->damage));
  return o;
}
