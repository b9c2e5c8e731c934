/* Warnings about code that works on the emulated device but not on a GPU. not_on_a_gpu.def has the
 * list. */
#ifndef OBSERVE_NOT_ON_A_GPU_H
#define OBSERVE_NOT_ON_A_GPU_H

#include "report.h"

typedef enum NotOnAGpu {
#define NOT_ON_A_GPU(id, name, here, gpu) NOT_ON_A_GPU_##id,
#include "not_on_a_gpu.def"
  NOT_ON_A_GPU_KINDS
} NotOnAGpu;

/* Returns a report whose cause is the text of a row of not_on_a_gpu.def. The caller fills in the
 * sentence and the ReportPlace. */
Report not_on_a_gpu(NotOnAGpu);

#endif
