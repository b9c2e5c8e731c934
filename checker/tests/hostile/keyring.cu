// Stores a key in the kernel, where a later run could read it. The sandbox program isolate had to
// give each sandbox its own keyring.
// expect: walls | kind-walls
#include "lab.h"
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static int attack() {
  if (syscall(SYS_add_key, "user", "lockstep", "solution", 8, -4 /* KEY_SPEC_USER_KEYRING */) >= 0)
    puts("BREACH: left a key");
  return 0;
}
