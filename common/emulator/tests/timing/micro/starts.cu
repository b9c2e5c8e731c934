/* How fast blocks start and end on a multiprocessor. All blocks are resident at the same time and
 * run for a given number of clocks. */
#include "micro.h"

__global__ void live(long long clocks, long long *started) {
  const long long begin = clock64();
  if (threadIdx.x == 0) {
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    started[2 * blockIdx.x] = sm;
    started[2 * blockIdx.x + 1] = begin;
  }
  while (clock64() - begin < clocks) {
  }
}

/* Mean clocks between the starts of two blocks on a multiprocessor. */
static double between(const std::vector<long long> &host, int sms) {
  double sum = 0, n = 0;
  for (int sm = 0; sm < sms; sm++) {
    long long first = 0, last = 0, count = 0;
    for (size_t i = 0; i < host.size(); i += 2)
      if (host[i] == sm) {
        first = count == 0 ? host[i + 1] : std::min(first, host[i + 1]);
        last = count == 0 ? host[i + 1] : std::max(last, host[i + 1]);
        count++;
      }
    if (count > 1)
      sum += (double)(last - first) / (double)(count - 1), n++;
  }
  return n ? sum / n : 0;
}

int main() {
  mechanism = "blocks";
  const int sms = multiprocessors();
  long long *started = zeros<long long>((size_t)sms * 64);
  for (int threads : {32, 64, 256, 1024})
    for (int each = 1; each * threads <= 2048 && each <= 32; each *= 2)
      for (long long clocks : {0, 2000, 20000}) {
        char text[80];
        const int blocks = sms * each;
        double us = microseconds([&] { live<<<blocks, threads>>>(clocks, started); });
        snprintf(text, sizeof text, "blocks of %d that run for %lld clocks", threads, clocks);
        report(text, each, us, "us");
        std::vector<long long> host(2 * blocks);
        CHECK(cudaMemcpy(host.data(), started, host.size() * sizeof(long long),
                         cudaMemcpyDeviceToHost));
        snprintf(text, sizeof text, "between the starts of blocks of %d that run for %lld clocks",
                 threads, clocks);
        report(text, each, between(host, sms), "clocks");
      }
  return 0;
}
