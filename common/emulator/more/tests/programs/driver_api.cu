// Tests the driver API: a module that is loaded from PTX text, its kernels and variables, and both
// ways of passing arguments to a launch.
#include "driver.h"
#include <cstring>

enum { N = 1000 };

// A kernel that computes out[i] = in[i] * factor + offset. `offset` is a variable of the module.
static const char text[] = R"(
.version 7.0
.target sm_70
.address_size 64

.global .align 4 .s32 offset = 7;

.visible .entry scale(.param .u64 out, .param .u64 in, .param .s32 factor, .param .s32 n)
{
  .reg .pred %p;
  .reg .s32 %r<8>;
  .reg .s64 %rd<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  ld.param.s32 %r4, [n];
  setp.ge.s32 %p, %r1, %r4;
  @%p ret;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  ld.param.s32 %r5, [factor];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mul.wide.s32 %rd3, %r1, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.s32 %r6, [%rd2];
  ld.global.s32 %r7, [offset];
  mad.lo.s32 %r6, %r6, %r5, %r7;
  st.global.s32 [%rd1], %r6;
  ret;
}
)";

// Returns the bytes of dynamic shared memory for a block size.
static size_t shared_of(int threads) { return (size_t)threads * 24; }

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction scale, none;
  CUdeviceptr in, out, offset;
  CUstream stream;
  int major, version, in_host[N], out_host[N], factor = 3, n = N, other = 100;
  size_t bytes;
  char name[100];
  const char *error;
  DRIVER(cuInit(0));
  DRIVER(cuGetErrorName(CUDA_ERROR_PROFILER_ALREADY_STARTED, &error));
  EXPECT(!strcmp(error, "CUDA_ERROR_PROFILER_ALREADY_STARTED"));
  EXPECT(cuGetErrorName((CUresult)12345, &error) == CUDA_ERROR_INVALID_VALUE && !error);
  DRIVER(cuDriverGetVersion(&version));
  DRIVER(cuDeviceGet(&device, 0));
  DRIVER(cuDeviceGetName(name, sizeof name, device));
  DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  EXPECT(version >= 11000 && strlen(name) > 2 && major >= 7);
  DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  DRIVER(cuCtxSetCurrent(context));
  DRIVER(cuModuleLoadData(&module, text));
  DRIVER(cuModuleGetFunction(&scale, module, "scale"));
  EXPECT(cuModuleGetFunction(&none, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  EXPECT(cuDeviceGet(&device, 99) == CUDA_ERROR_INVALID_DEVICE);

  int grid, block, most, sms, value;
  DRIVER(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, device));
  DRIVER(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  DRIVER(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, device));
  EXPECT(value >= 32768);
  DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 0));
  EXPECT(grid * block == sms * most && block % 32 == 0);
  DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 96));
  EXPECT(block > 0 && block <= 96);
  DRIVER(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, shared_of, 0, 0));
  EXPECT(block > 0 && grid * block > 0 && grid * block <= sms * most);

  for (int i = 0; i < N; i++)
    in_host[i] = i;
  DRIVER(cuMemAlloc(&in, sizeof in_host));
  DRIVER(cuMemAlloc(&out, sizeof out_host));
  DRIVER(cuMemcpyHtoD(in, in_host, sizeof in_host));
  DRIVER(cuMemsetD32(out, 0xdeadbeef, N));
  void *arguments[] = {&out, &in, &factor, &n};
  DRIVER(cuLaunchKernel(scale, (N + 127) / 128, 1, 1, 128, 1, 1, 0, 0, arguments, nullptr));
  DRIVER(cuCtxSynchronize());
  DRIVER(cuMemcpyDtoH(out_host, out, sizeof out_host));
  for (int i = 0; i < N; i++)
    EXPECT(out_host[i] == 3 * i + 7);

  // Changes the variable, and launches in a stream with the arguments in one buffer.
  DRIVER(cuModuleGetGlobal(&offset, &bytes, module, "offset"));
  EXPECT(bytes == sizeof other);
  DRIVER(cuMemcpyHtoD(offset, &other, sizeof other));
  struct {
    CUdeviceptr out, in;
    int factor, n;
  } packed = {out, in, 5, N};
  bytes = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  DRIVER(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  DRIVER(cuLaunchKernel(scale, (N + 127) / 128, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
  DRIVER(cuMemcpyDtoHAsync(out_host, out, sizeof out_host, stream));
  DRIVER(cuStreamSynchronize(stream));
  for (int i = 0; i < N; i++)
    EXPECT(out_host[i] == 5 * i + 100);

  DRIVER(cuStreamDestroy(stream));
  DRIVER(cuMemFree(in));
  DRIVER(cuMemFree(out));
  DRIVER(cuModuleUnload(module));
  DRIVER(cuDevicePrimaryCtxRelease(device));
  return done();
}
