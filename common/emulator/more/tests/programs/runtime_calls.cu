// Tests runtime calls that few programs make: handles of kernels and libraries, hints, and numbers
// of devices that do not exist.
#include "../../../tests/programs/check.h"
#include <cstring>

static const char text[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .s32 offset = 7;
.visible .entry add(.param .u64 out)
{
  .reg .s32 %r<4>;
  .reg .s64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  ld.global.s32 %r2, [offset];
  add.s32 %r3, %r1, %r2;
  mul.wide.s32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.s32 [%rd1], %r3;
  ret;
}
.visible .entry nothing() { ret; }
)";

__global__ void twice(int *x, char y, double z) { x[threadIdx.x] = 2 * threadIdx.x + y + (int)z; }

static void libraries() {
  cudaLibrary_t library;
  cudaKernel_t add, all[2] = {};
  unsigned count = 0;
  int *out, host[32], other = 100;
  void *offset;
  size_t bytes = 0;
  CHECK(cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cudaLibraryGetKernelCount(&count, library));
  EXPECT(count == 2);
  CHECK(cudaLibraryEnumerateKernels(all, 2, library));
  CHECK(cudaLibraryGetKernel(&add, library, "add"));
  EXPECT(all[0] == add && all[1] != add);
  EXPECT(cudaLibraryGetKernel(&add, library, "none") == cudaErrorSymbolNotFound);
  EXPECT(cudaGetLastError() == cudaErrorSymbolNotFound);
  CHECK(cudaLibraryGetGlobal(&offset, &bytes, library, "offset"));
  EXPECT(bytes == 4);
  CHECK(cudaMemcpy(offset, &other, 4, cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&out, sizeof host));
  void *arguments[] = {&out};
  CHECK(cudaLaunchKernel((const void *)all[0], dim3(1), dim3(32), arguments, 0, nullptr));
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    EXPECT(host[i] == i + 100);
  CHECK(cudaLibraryUnload(library));

  cudaKernel_t kernel;
  size_t at;
  CHECK(cudaGetKernel(&kernel, (const void *)twice));
  CHECK(cudaFuncGetParamInfo((const void *)twice, 2, &at, &bytes));
  EXPECT(at == 16 && bytes == 8);
  EXPECT(cudaFuncGetParamInfo((const void *)twice, 3, &at, &bytes) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  char y = 1;
  double z = 3;
  void *others[] = {&out, &y, &z};
  CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), others, 0, nullptr));
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[31] == 66);
  CHECK(cudaFree(out));
}

static void hints() {
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  cudaStreamAttrValue value = {}, back = {};
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  CHECK(cudaStreamSetAttribute(one, cudaStreamAttributeAccessPolicyWindow, &value));
  CHECK(cudaStreamCopyAttributes(two, one));
  CHECK(cudaStreamGetAttribute(two, cudaStreamAttributeAccessPolicyWindow, &back));
  EXPECT(back.accessPolicyWindow.num_bytes == 4096);
  EXPECT(back.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
  CHECK(cudaCtxResetPersistingL2Cache());
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
}

static void others() {
  int value;
  EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1) ==
         cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
  unsigned long long used = 1;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  CHECK(cudaDeviceGraphMemTrim(0));

  const int wide = 8, rows = 4;
  float in[rows][wide], out[rows][wide] = {};
  for (int i = 0; i < wide * rows; i++)
    in[i / wide][i % wide] = (float)i;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t from, to;
  CHECK(cudaMallocArray(&from, &format, wide, rows));
  CHECK(cudaMallocArray(&to, &format, wide, rows));
  CHECK(cudaMemcpy2DToArray(from, 0, 0, in, sizeof in[0], sizeof in[0], rows,
                            cudaMemcpyHostToDevice));
  CHECK(
      cudaMemcpy2DToArray(to, 0, 0, out, sizeof in[0], sizeof in[0], rows, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DArrayToArray(to, 4, 1, from, 8, 0, 3 * sizeof(float), 2));
  CHECK(cudaMemcpy2DFromArray(out, sizeof in[0], to, 0, 0, sizeof in[0], rows,
                              cudaMemcpyDeviceToHost));
  EXPECT(out[1][1] == 2 && out[1][3] == 4 && out[2][1] == 10 && out[1][0] == 0 && out[1][4] == 0);
  CHECK(cudaFreeArray(from));
  CHECK(cudaFreeArray(to));
}

int main() {
  libraries();
  hints();
  others();
  return done();
}
