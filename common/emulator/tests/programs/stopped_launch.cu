// A block stops the launch. For each order of blocks, the reports about earlier blocks must not
// depend on the number of workers. The program starts itself for each order, with one and several
// workers.
// expect: ok
#include <cstring>
#include <string>

#include "check.h"

__global__ void stops(int *out, int who) {
  out[0] = blockIdx.x; // all blocks race here
  __syncthreads();
  if (blockIdx.x == who)
    __trap();
  for (int i = 1; i < 20; i++)
    out[i] = blockIdx.x;
}

static int run() {
  int *out;
  CHECK(cudaMalloc(&out, 20 * sizeof *out));
  stops<<<6, 32>>>(out, 3);
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  return 0;
}

static std::string said(const char *self, int seed, int workers) {
  std::string text, command = "LOCKSTEP_SEED=" + std::to_string(seed) +
                              " LOCKSTEP_WORKERS=" + std::to_string(workers) + " '" + self +
                              "' run 2>&1";
  FILE *child = popen(command.c_str(), "r");
  EXPECT(child != NULL);
  for (char line[400]; fgets(line, sizeof line, child);)
    text += line;
  EXPECT(pclose(child) == 0);
  return text;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return run();
  for (int seed = 0; seed < 8; seed++) {
    std::string one = said(argv[0], seed, 1);
    EXPECT(one.find("__trap()") != std::string::npos);
    for (int again = 0; again < 4; again++)
      EXPECT(said(argv[0], seed, 4) == one);
  }
  return done();
}
