/* Returns the names of timing.def, and the name of the resource that limits a kernel. */
#include "timing.h"

const char *resource_name(Resource r) {
  static const char *const names[] = {
#define RESOURCE(id, name, ...) name,
#include "timing.def"
  };
  return names[r];
}

const char *wait_name(Wait w) {
  static const char *const names[] = {
#define WAIT(id, name, ...) name,
#include "timing.def"
  };
  return names[w];
}

/* Returns the letter of a wait in the timeline, which shows '.' where no block is resident. */
char wait_letter(Wait w) { return "#nwlsmqgb>"[w]; }

Resource prediction_limit(const Prediction *p) {
  Resource most = 0;
  for (Resource r = 1; r < RESOURCES; r++)
    if (p->busy[r] > p->busy[most])
      most = r;
  return p->busy[most] >= 0.5 ? most : RESOURCES;
}

const char *prediction_limit_name(const Prediction *p) {
  Resource limit = prediction_limit(p);
  return limit == RESOURCES ? "latency" : resource_name(limit);
}
