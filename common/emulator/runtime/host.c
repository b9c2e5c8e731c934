/* Weak definitions of the functions that record the calls of host code. These definitions do
 * nothing, and are used in programs that are neither recorded nor replayed. transcript/ defines
 * them for recorded and replayed programs. */
#include "../emulator.h"

#define UNLESS_RECORDED __attribute__((weak))

UNLESS_RECORDED void emulator_host_enter(void) {}
UNLESS_RECORDED int emulator_host_leave(int returned) { return returned; }
UNLESS_RECORDED void emulator_operands_forget(void) {}
UNLESS_RECORDED void emulator_operand(void *address, size_t bytes, size_t element, int is_output) {
  (void)address, (void)bytes, (void)element, (void)is_output;
}
UNLESS_RECORDED void emulator_host_fault(const void *address) { (void)address; }
