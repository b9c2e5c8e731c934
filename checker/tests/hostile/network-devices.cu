// Looks for network interfaces other than the loopback, without a socket.
// expect: ended-early | contained
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int attack() {
  char line[256];
  FILE *file = fopen("/proc/net/dev", "r");
  while (file && fgets(line, sizeof line, file))
    if (strchr(line, ':') && !strstr(line, "lo:"))
      exit(puts("BREACH: a network"));
  puts("contained");
  exit(3);
}
