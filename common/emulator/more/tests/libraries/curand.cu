/* Tests the host functions of cuRAND: the distributions have the right moments, the same seed gives
 * the same numbers, and an offset is a position in the sequence. Philox is compared with the
 * numbers that its authors published. */
#include <curand.h>
#include <math.h>
#include <stdio.h>
#include <vector>

static int failed;
static void check(const char *what, bool good) {
  if (!good)
    printf("wrong: %s\n", what), failed = 1;
}

static const size_t COUNT = 100000;
template <class T> struct Moments {
  double mean = 0, variance = 0;
  Moments(const T *device) {
    std::vector<T> numbers(COUNT);
    cudaMemcpy(numbers.data(), device, COUNT * sizeof(T), cudaMemcpyDeviceToHost);
    for (T x : numbers)
      mean += (double)x / COUNT;
    for (T x : numbers)
      variance += ((double)x - mean) * ((double)x - mean) / COUNT;
  }
  /* Returns true if mean and variance are m and v, within five standard errors and 5 %. */
  bool are(double m, double v) const {
    return fabs(mean - m) < 5 * sqrt(v / COUNT) && fabs(variance / v - 1) < 0.05;
  }
};

int main() {
  curandGenerator_t generator, host;
  check("create",
        curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  check("seed", curandSetPseudoRandomGeneratorSeed(generator, 42) == CURAND_STATUS_SUCCESS);
  float *floats;
  double *doubles;
  unsigned *counts;
  cudaMalloc(&floats, COUNT * sizeof *floats);
  cudaMalloc(&doubles, COUNT * sizeof *doubles);
  cudaMalloc(&counts, COUNT * sizeof *counts);

  curandGenerateUniform(generator, floats, COUNT);
  check("uniform", Moments<float>(floats).are(0.5, 1 / 12.0));
  curandGenerateUniformDouble(generator, doubles, COUNT);
  check("uniform in double", Moments<double>(doubles).are(0.5, 1 / 12.0));
  curandGenerateNormal(generator, floats, COUNT, 3, 2);
  check("normal", Moments<float>(floats).are(3, 4));
  curandGenerateNormalDouble(generator, doubles, COUNT, -1, 0.5);
  check("normal in double", Moments<double>(doubles).are(-1, 0.25));
  curandGenerateLogNormalDouble(generator, doubles, COUNT, 0, 0.25);
  check("log-normal", Moments<double>(doubles).are(exp(0.03125), (exp(0.0625) - 1) * exp(0.0625)));
  curandGeneratePoisson(generator, counts, COUNT, 7);
  check("Poisson", Moments<unsigned>(counts).are(7, 7));
  check("an odd count",
        curandGenerateNormal(generator, floats, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);

  unsigned first[8], again[4], published[4];
  check("on the host",
        curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_PHILOX4_32_10) == CURAND_STATUS_SUCCESS);
  curandSetPseudoRandomGeneratorSeed(host, 42);
  curandGenerate(host, first, 8);
  curandSetGeneratorOffset(host, 3);
  curandGenerate(host, again, 4);
  check("offset", again[0] == first[3] && again[1] == first[4] && again[3] == first[6]);
  curandSetPseudoRandomGeneratorSeed(host, 0);
  curandGenerate(host, published, 4);
  check("the numbers of key 0 and counter 0",
        published[0] == 0x6627e8d5 && published[1] == 0xe169c58d && published[2] == 0xbc57ac4c &&
            published[3] == 0x9b00dbd8);
  curandDestroyGenerator(host);
  check("no such generator",
        curandCreateGenerator(&host, (curandRngType_t)7) == CURAND_STATUS_TYPE_ERROR);
  curandDestroyGenerator(generator);
  check("one that is no more",
        curandGenerateUniform(generator, floats, 4) == CURAND_STATUS_NOT_INITIALIZED &&
            curandDestroyGenerator(generator) == CURAND_STATUS_NOT_INITIALIZED);
  cudaFree(floats);
  cudaFree(doubles);
  cudaFree(counts);
  puts(failed ? "wrong" : "good");
  return failed;
}
