/* Shows reports: on standard error for users, and in the log for programs. */
#ifndef OBSERVE_SHOW_H
#define OBSERVE_SHOW_H

#include "report.h"

/* Shows one report. `times`: number of its occurrences. `shown`: number of reports shown before it;
 * the terminal shows only the first few in full and counts the others. */
void show_report(const Report *, uint64_t times, unsigned shown);
/* Returns true for an error, false for a warning. */
bool show_is_error(ReportKind);

#endif
