/* Makes reports from the rows of not_on_a_gpu.def. */
#include "not_on_a_gpu.h"

static const char *const causes[] = {
#define NOT_ON_A_GPU(id, name, here, gpu) gpu,
#include "not_on_a_gpu.def"
};

Report not_on_a_gpu(NotOnAGpu which) {
  Report r = report_make(REPORT_NOT_ON_A_GPU);
  r.cause = causes[which];
  return r;
}
