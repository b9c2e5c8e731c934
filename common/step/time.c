/* Draws the warps of one multiprocessor over time. The first request runs the program once more, to
 * record predicted times. */
#include <stdlib.h>
#include <string.h>

#include "draw/draw.h"
#include "step.h"

static const char *kernel_of(const Stepper *s, uint64_t launch) {
  for (size_t i = 0; i < s->plain.tape.nlaunches; i++)
    if (s->plain.tape.launches[i].launch->number == launch)
      return s->plain.tape.launches[i].kernel;
  return NULL;
}

static Text draw(const Recording *r, const char *name) {
  Text t = {0};
  FILE *out = open_memstream(&t.bytes, &t.length);
  bool drawn = false;
  if (!out)
    abort();
  for (size_t i = 0; i < r->kernel_count && !drawn; i++)
    drawn = !strcmp(r->kernels[i].name, name) && draw_timeline(out, &r->kernels[i], "timeline");
  fclose(out);
  if (!drawn) {
    free(t.bytes);
    t = (Text){0};
  }
  return t;
}

Text show_time(Stepper *s, uint64_t launch, const char **why) {
  const char *kernel = kernel_of(s, launch);
  char path[sizeof s->program.work + 16];
  *why = s->withheld ? "First write your predictions: they ask for what the timeline shows."
         : !kernel   ? "There is no such launch."
                     : NULL;
  if (*why)
    return (Text){0};
  snprintf(path, sizeof path, "%s/recording", s->program.work);
  if (!s->recorded) {
    s->program.deadline = seconds_now() + s->seconds;
    s->recorded = program_record(&s->program, path);
  }
  if (!s->recorded) {
    *why = "The run did not end in time.";
    return (Text){0};
  }
  Recording r = recording_read(path);
  Text t = draw(&r, kernel);
  *why = t.bytes ? NULL
         : recording_is_wrong(&r)
             ? "The device reports a mistake. A wrong kernel has no predicted time."
             : "The model has no timeline for this kernel.";
  recording_free(&r);
  return t;
}
