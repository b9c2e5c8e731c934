// Opens a socket to the machine that hosts a virtual machine (AF_VSOCK), which a network namespace
// does not hide. The sandbox program isolate had to forbid such sockets.
// expect: walls | kind-walls
#include "lab.h"
#include <stdio.h>
#include <sys/socket.h>
static int attack() {
  if (socket(40 /* AF_VSOCK */, SOCK_STREAM, 0) >= 0)
    puts("BREACH: a socket to the host");
  return 0;
}
