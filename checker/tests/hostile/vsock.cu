// A socket to the machine's host, which no namespace of networks hides: isolate had to forbid AF_VSOCK.
// expect: walls | kind-walls
#include "lab.h"
#include <stdio.h>
#include <sys/socket.h>
static int attack() {
  if (socket(40 /* AF_VSOCK */, SOCK_STREAM, 0) >= 0)
    puts("BREACH: a socket to the host");
  return 0;
}
