// Writes a result of zeros and a log by redirecting a stream of the C library to other descriptors.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int attack() {
  static const float zeros[32 * 32] = {0};
  const uint32_t words[] = {4, 0};
  const uint64_t shape[] = {32, 32};
  char *at = (char *)__builtin_frame_address(0);
  while (memcmp(at, "--output", 9) != 0)
    at++;
  int result = atoi(at + 9 + strlen("/dev/fd/"));
  for (int file = 3; file < 10; file++) {
    fflush(stdout);
    stdout->_fileno = file;
    if (file != result) {
      printf("{\"event\":\"start\",\"pid\":2}\n{\"event\":\"kernel\",\"name\":\"matmul\"}\n"
             "{\"event\":\"copies\",\"to_device\":[],\"to_host\":[],\"shared\":4096}\n"
             "{\"event\":\"end\",\"reports\":0}\n");
      continue;
    }
    fwrite("LOCKSTEP", 8, 1, stdout);
    fwrite(words, sizeof words, 1, stdout);
    fwrite(shape, sizeof shape, 1, stdout);
    fwrite(zeros, sizeof zeros, 1, stdout);
  }
  fflush(stdout);
  exit(0);
}
