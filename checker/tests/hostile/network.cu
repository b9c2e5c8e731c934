// Connects to a server on the Internet.
// expect: walls | kind-walls
#include "lab.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
static int attack() {
  struct sockaddr_in there = {};
  there.sin_family = AF_INET;
  there.sin_port = htons(53);
  inet_pton(AF_INET, "9.9.9.9", &there.sin_addr);
  int wire = socket(AF_INET, SOCK_STREAM, 0);
  puts(connect(wire, (struct sockaddr *)&there, sizeof there) == 0 ? "BREACH: connected"
                                                                   : "contained");
  exit(3);
}
