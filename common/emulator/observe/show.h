/* A report as a person reads it, on standard error, and as a program reads it, in the log. */
#ifndef OBSERVE_SHOW_H
#define OBSERVE_SHOW_H

#include "report.h"

/* `times`: how often it was so. `shown`: how many reports stood before it; beyond a few, the
 * terminal only counts. */
void show_report(const Report *, uint64_t times, unsigned shown);
/* An error, or only a warning? */
bool show_is_error(ReportKind);

#endif
