// Reads constant memory with indices known at compile time or not, the same for all lanes or not;
// arrays of structs, bytes and doubles; and pointers that may point to constant or to other memory.
#include "inputs.h"

struct Rule {
  int low, high;
  double factor;
  unsigned char letters[6];
};

__constant__ int numbers[300];
__constant__ Rule rules[3];
__constant__ unsigned char bytes[256];
__constant__ float4 corners[40];
__constant__ const int *chosen; // a pointer, itself in constant memory
__device__ int ordinary[300];

__global__ void indexed(const int *indices, int n, int *known, int *same, int *each) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  if (i >= n)
    return;
  for (int k = 0; k < n; k++)
    sum += numbers[k] * (k + 1);
  known[i] = numbers[7] + i;
  same[i] = sum;
  each[i] = numbers[indices[i]];
}

__global__ void structs(const int *values, int n, double *out, int *letters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int r = 0;
  while (r < 2 && !(values[i] >= rules[r].low && values[i] < rules[r].high))
    r++;
  float4 corner = corners[values[i] % 40];
  out[i] = rules[r].factor * values[i] + corner.x - corner.w;
  letters[i] = rules[r].letters[i % 6] + bytes[(values[i] * 7 + i) % 256];
}

__device__ __noinline__ int third(const int *from) { return from[2]; }

__global__ void by_pointer(int n, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *from = i % 3 == 0 ? numbers : ordinary;
  if (i < n)
    out[i] = from[i] + 1000 * third(&numbers[i % 10]) + chosen[i % 5];
}

int main() {
  const int n = 300;
  std::vector<int> values(n), indices(n), others(n);
  Rule host_rules[3];
  unsigned char host_bytes[256];
  float4 host_corners[40];
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += (i + 1) * (values[i] = random_below(1000));
    indices[i] = random_below(n);
    others[i] = random_below(100);
  }
  for (int r = 0; r < 3; r++) {
    host_rules[r] = Rule{300 * r, 300 * (r + 1), 0.25 * (r + 1), {}};
    for (unsigned char &letter : host_rules[r].letters)
      letter = (unsigned char)random_bits();
  }
  for (unsigned char &byte : host_bytes)
    byte = (unsigned char)random_bits();
  for (float4 &corner : host_corners)
    corner = make_float4((float)random_below(9), 1, 2, (float)random_below(9));
  CHECK(cudaMemcpyToSymbol(numbers, values.data(), sizeof numbers));
  CHECK(cudaMemcpyToSymbol(rules, host_rules, sizeof rules));
  CHECK(cudaMemcpyToSymbol(bytes, host_bytes, sizeof bytes));
  CHECK(cudaMemcpyToSymbol(corners, host_corners, sizeof corners));
  CHECK(cudaMemcpyToSymbol(ordinary, others.data(), sizeof ordinary));
  void *address; // the address of a constant can be used like any other pointer
  CHECK(cudaGetSymbolAddress(&address, numbers));
  const int *into = (const int *)address + 20;
  CHECK(cudaMemcpyToSymbol(chosen, &into, sizeof into));

  int *d_indices = to_device(indices), *d_values = to_device(values), *out[3];
  double *d_doubles = device_zeros<double>(n);
  for (int *&array : out)
    array = device_zeros<int>(n);
  indexed<<<3, 128>>>(d_indices, n, out[0], out[1], out[2]);
  LAUNCHED();
  std::vector<int> known = to_host(out[0], n), same = to_host(out[1], n), each = to_host(out[2], n);
  structs<<<3, 128>>>(d_values, n, d_doubles, out[0]);
  by_pointer<<<3, 128>>>(n, out[1]);
  LAUNCHED();
  std::vector<double> doubles = to_host(d_doubles, n);
  std::vector<int> letters = to_host(out[0], n), pointed = to_host(out[1], n);
  for (int i = 0; i < n; i++) {
    EXPECT(known[i] == values[7] + i && same[i] == sum && each[i] == values[indices[i]]);
    const Rule &rule = host_rules[values[i] < 600 ? values[i] / 300 : 2];
    const float4 &corner = host_corners[values[i] % 40];
    EXPECT(doubles[i] == rule.factor * values[i] + corner.x - corner.w);
    EXPECT(letters[i] == rule.letters[i % 6] + host_bytes[(values[i] * 7 + i) % 256]);
    EXPECT(pointed[i] ==
           (i % 3 ? others[i] : values[i]) + 1000 * values[i % 10 + 2] + values[20 + i % 5]);
  }
  for (int *array : {d_indices, d_values, out[0], out[1], out[2]})
    CHECK(cudaFree(array));
  CHECK(cudaFree(d_doubles));
  return done();
}
