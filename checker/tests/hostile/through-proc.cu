// Reads folders, files and environments of other processes in /proc.
// expect: ended-early | contained
#include "lab.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int attack() {
  static const char *const below[] = {"root@ROOT@/solutions/01-naive/naive.cu",
                                      "cwd/solutions/01-naive/naive.cu", "root/etc/passwd"};
  char path[512], text[65536];
  for (int process = 1; process < 5000; process++) {
    for (const char *each : below) {
      snprintf(path, sizeof path, "/proc/%d/%s", process, each);
      if (open(path, O_RDONLY) >= 0)
        exit(puts("BREACH: read a file through /proc"));
    }
    snprintf(path, sizeof path, "/proc/%d/environ", process);
    int file = open(path, O_RDONLY);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text);
    if (length > 0 && memmem(text, (size_t)length, "HOSTILE_SECRET", 14))
      exit(puts("BREACH: read the grader's environment"));
    close(file);
  }
  int wide = open("/proc/sys/kernel/core_pattern", O_WRONLY),
      trigger = open("/proc/sysrq-trigger", O_WRONLY);
  puts(wide >= 0 || trigger >= 0 ? "BREACH: the kernel's settings" : "contained");
  exit(3);
}
