/* From a return address to a line of the student's source. */
#ifndef OBSERVE_HOST_LINES_H
#define OBSERVE_HOST_LINES_H

#include "../state/call_site.h"
#include "report.h"

/* Fills in file and line of the student's code from which the call came: not of the toolkit, the harness or the
 * device itself. Leaves the place as it is where nobody can tell. */
void host_line(const CallSite *, ReportPlace *);
/* Is a symbol of the host's program there whose name begins so? */
bool host_is_in(uint64_t address, const char *prefix);
/* Calls come from that program, which is built as this one; NULL: from this one. */
void host_lines_of(const char *program);

#endif
