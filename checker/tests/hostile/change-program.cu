// Tries to replace the program file that the next run starts.
// expect: ended-early | contained
#include "lab.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
static int attack() {
  bool done = unlink("/lockstep/program") == 0 || rename("/lockstep/program", "/tmp/p") == 0 ||
              open("/lockstep/program", O_WRONLY) >= 0 || open("/proc/self/exe", O_WRONLY) >= 0 ||
              chmod("/lockstep/program", 0777) == 0 || truncate("/lockstep/program", 0) == 0;
  puts(done ? "BREACH: changed its program" : "contained");
  exit(3);
}
