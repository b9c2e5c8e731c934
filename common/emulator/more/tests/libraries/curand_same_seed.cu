// Two host generators without seeds give the same numbers, and this is reported. With different
// seeds they give different numbers (curand.cu).
// expect: warning: curandGenerateUniform makes the numbers that another generator has made
// expect: curand_same_seed.cu:25
// expect: Generators with the same seed make the same numbers.
#include <curand.h>
#include <stdio.h>

enum { COUNT = 100 };

int main() {
  curandGenerator_t one, two;
  float *numbers, first[COUNT], second[COUNT];
  cudaMalloc(&numbers, sizeof first);
  curandCreateGenerator(&one, CURAND_RNG_PSEUDO_DEFAULT);
  curandCreateGenerator(&two, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(one, numbers, COUNT);
  cudaMemcpy(first, numbers, sizeof first, cudaMemcpyDeviceToHost);
  // Restarts a generator from its beginning. This is intended and not reported.
  curandSetPseudoRandomGeneratorSeed(one, 0);
  curandGenerateUniform(one, numbers, COUNT);
  curandSetPseudoRandomGeneratorSeed(two, 1);
  curandGenerateUniform(two, numbers, COUNT);
  curandSetPseudoRandomGeneratorSeed(two, 0);
  curandGenerateUniform(two, numbers, COUNT);
  cudaMemcpy(second, numbers, sizeof second, cudaMemcpyDeviceToHost);
  int same = 0;
  for (int i = 0; i < COUNT; i++)
    same += first[i] == second[i];
  curandDestroyGenerator(one);
  curandDestroyGenerator(two);
  cudaFree(numbers);
  return same != COUNT;
}
