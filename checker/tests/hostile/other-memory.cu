// Reads the memory of the supervising process.
// expect: walls | kind-walls
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>
static int attack() {
  char here[64];
  struct iovec local = {here, sizeof here}, remote = {(void *)0x400000, sizeof here};
  puts(process_vm_readv(getppid(), &local, 1, &remote, 1, 0) > 0 ? "BREACH" : "contained");
  exit(3);
}
