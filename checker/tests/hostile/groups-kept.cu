// Checks that the program has none of the grader's groups, with which it could read other files.
// The sandbox program isolate once opened files with a wrong group.
// expect: ended-early | contained
#include "lab.h"
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int attack() {
  gid_t groups[64];
  int count = getgroups(64, groups);
  bool breach =
      getegid() == 0 || getgid() == 0 || geteuid() == 0 || setgid(0) == 0 || setuid(0) == 0;
  for (int i = 0; i < count; i++)
    breach |= groups[i] == 0;
  puts(breach ? "BREACH: a group of the grader's" : "contained");
  exit(3);
}
