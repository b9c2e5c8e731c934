#include "predict.h"

#include <stdio.h>
#include <stdlib.h>

/* Three digits are more than a model knows. */
static json_t *number(double value) {
  char text[32];
  snprintf(text, sizeof text, "%.3g", value);
  return json_real(strtod(text, NULL));
}

static json_t *busy_json(const Prediction *p) {
  json_t *o = json_object();
  for (Resource r = 0; r < RESOURCES; r++)
    json_object_set_new(o, resource_name(r), number(p->busy[r]));
  return o;
}

static json_t *waits_json(const double *waits) {
  json_t *o = json_object();
  for (Wait w = 0; w < WAITS; w++)
    if (waits[w] > 0.0005)
      json_object_set_new(o, wait_name(w), number(waits[w]));
  return o;
}

static json_t *occupancy_json(const Prediction *p, const Device *d) {
  static const char *const limits[] = {"blocks", "threads", "registers", "shared"};
  return json_pack("{s:i, s:i, s:i, s:s, s:o}", "blocks", (int)p->occupancy.blocks, "warps",
                   (int)p->occupancy.warps, "of", (int)device_warps_per_sm(d), "limit",
                   limits[p->occupancy.limit], "achieved", number(p->achieved));
}

static json_t *lines_json(const Prediction *p, const PtxModule *m) {
  json_t *list = json_array();
  for (uint32_t line = 1; line < p->nlines; line++) {
    const double *waits = p->line_waits + (size_t)line * WAITS;
    double sum = 0;
    for (Wait w = 0; w < WAITS; w++)
      sum += waits[w];
    if (sum > 0.0005 && ptx_line(m, line))
      json_array_append_new(list, json_pack("{s:s, s:i, s:o, s:o}", "file", ptx_file(m, line),
                                            "line", (int)ptx_line(m, line), "share", number(sum),
                                            "waits", waits_json(waits)));
  }
  return list;
}

static json_t *timeline_json(const Prediction *p) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < p->timeline_warps; i++)
    json_array_append_new(
        rows, json_stringn(p->timeline + (size_t)i * TIMELINE_COLUMNS, TIMELINE_COLUMNS));
  return json_pack("{s:i, s:o}", "clocks", (int)p->timeline_clocks, "warps", rows);
}

json_t *prediction_json(const Prediction *p, const PtxModule *m, const char *card) {
  const Device *d = device_named(card);
  json_t *o = json_pack(
      "{s:s, s:o, s:s, s:o, s:o, s:o, s:i, s:i, s:o, s:o, s:o}", "card", card, "us", number(p->us),
      "limit", prediction_limit_name(p), "busy", busy_json(p), "waits", waits_json(p->waits),
      "occupancy", occupancy_json(p, d), "registers", (int)p->registers, "spilled", (int)p->spilled,
      "waves", number(p->waves), "lines", lines_json(p, m), "bytes",
      json_pack("{s:o, s:o}", "l2", number(p->l2_bytes), "dram", number(p->dram_bytes)));
  if (p->timeline)
    json_object_set_new(o, "timeline", timeline_json(p));
  if (p->unknown)
    json_object_set_new(o, "unknown", json_string(p->unknown));
  return o;
}
