/* Translates return addresses to lines of the student's source. */
#ifndef OBSERVE_HOST_LINES_H
#define OBSERVE_HOST_LINES_H

#include "../state/call_site.h"
#include "report.h"

/* Fills in file and line of the student's code that made the call. Stack frames of the toolkit, the
 * harness and the emulator are skipped. If the line is unknown, leaves the ReportPlace
 * unchanged. */
void host_line(const CallSite *, ReportPlace *);
/* Returns true if the address is in a function of the host program whose name begins with `prefix`.
 */
bool host_is_in(uint64_t address, const char *prefix);
/* Sets the executable whose debug information is used; NULL: the executable of this process. A
 * replay sets the executable of the program that made the calls. */
void host_lines_of(const char *program);

#endif
