/* Prints reports: for users on standard error, and for programs in the log. */
#ifndef OBSERVE_SHOW_H
#define OBSERVE_SHOW_H

#include "report.h"

/* `times`: the number of occurrences. `shown`: the number of reports shown before this one; the
 * terminal shows the first few and counts the others. */
void show_report(const Report *, uint64_t times, unsigned shown);
/* Returns true for an error, false for a warning. */
bool show_is_error(ReportKind);

#endif
