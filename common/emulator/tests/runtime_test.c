/* Tests the host side of the runtime API: registration as compilers generate it, memory, copies,
 * errors and streams. The device code is a few lines of PTX. Tests with real kernels are in
 * programs/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <cuda_runtime_api.h>

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **module);
void __cudaUnregisterFatBinary(void **module);
void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name,
                            int limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid, int *warp);
void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);

/* The kernel `store` computes data[thread] = value + offset. `offset` is a variable of the
 * device. */
static const char ptx[] = ".version 6.3\n.target sm_70\n.address_size 64\n"
                          ".visible .global .align 4 .u32 offset = 100;\n"
                          ".visible .entry store(.param .u64 p0, .param .u32 p1) {\n"
                          "  .reg .b32 %r<5>; .reg .b64 %rd<5>;\n"
                          "  ld.param.u64 %rd1, [p0];\n"
                          "  ld.param.u32 %r1, [p1];\n"
                          "  mov.u32 %r2, %tid.x;\n"
                          "  ld.global.u32 %r3, [offset];\n"
                          "  add.s32 %r4, %r1, %r3;\n"
                          "  cvta.to.global.u64 %rd2, %rd1;\n"
                          "  mul.wide.u32 %rd3, %r2, 4;\n"
                          "  add.s64 %rd4, %rd2, %rd3;\n"
                          "  st.global.u32 [%rd4], %r4;\n"
                          "  ret;\n}\n";

typedef struct Wrapper {
  uint32_t magic, version;
  const void *data, *file;
} Wrapper;
static const uint32_t wrapper_magic = 0x466243B1;

static char store_handle, offset_handle; /* used as handles, which may be any distinct addresses */

static void register_program(const void *data, char *kernel, char *variable) {
  Wrapper wrapper = {wrapper_magic, 1, data, NULL};
  void **module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, kernel, "store", "store", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(module, variable, "offset", "offset", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
}

static int setup(void **state) {
  (void)state;
  register_program(ptx, &store_handle, &offset_handle);
  return 0;
}

static void ok(cudaError_t error) { assert_string_equal(cudaGetErrorName(error), "cudaSuccess"); }
static void fails(cudaError_t error, cudaError_t expected) {
  assert_string_equal(cudaGetErrorName(error), cudaGetErrorName(expected));
  assert_int_equal(cudaGetLastError(), expected);
  assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static dim3 size(unsigned x) { return (dim3){x, 1, 1}; }

/* Launches the kernel on 32 threads and returns what thread 5 stored. */
static int stored(const void *kernel, int value) {
  int *device, host[32];
  ok(cudaMalloc((void **)&device, sizeof host));
  ok(cudaLaunchKernel(kernel, size(1), size(32), (void *[]){&device, &value}, 0, NULL));
  ok(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  ok(cudaFree(device));
  return host[5];
}

/* ---- registration ---------------------------------------------------------------------------- */
static void test_plain_ptx_runs(void **state) {
  (void)state;
  assert_int_equal(stored(&store_handle, 7), 107);
}

/* Builds a fat binary like nvcc: an empty container, then one with a machine-code entry and a PTX
 * entry. */
static size_t build_container(uint8_t *out, uint32_t header_bytes, uint64_t flags) {
  size_t payload = (sizeof ptx + 7) / 8 * 8;
  struct {
    uint32_t magic;
    uint16_t version, header;
    uint64_t bytes;
  } container = {0xBA55ED50, 1, 16, 0};
  memcpy(out, &container, 16);
  container.bytes = header_bytes + 16 + header_bytes + payload;
  memcpy(out + 16, &container, 16);
  uint8_t *at = out + 32;
  for (int kind = 2; kind >= 1; kind--) {
    uint64_t bytes = kind == 1 ? payload : 16;
    uint32_t sm = 75;
    memset(at, 0, header_bytes);
    memcpy(at, &(uint16_t){(uint16_t)kind}, 2);
    memcpy(at + 4, &header_bytes, 4);
    memcpy(at + 8, &bytes, 8);
    memcpy(at + 28, &sm, 4);
    memcpy(at + 40, &flags, 8);
    if (kind == 1)
      memcpy(at + header_bytes, ptx, sizeof ptx);
    at += header_bytes + bytes;
  }
  return (size_t)(at - out);
}

static void test_container_runs(void **state) {
  (void)state;
  static uint8_t image[4][4096]; /* the runtime keeps pointers into `image` */
  static char kernels[4], variables[4];
  for (unsigned i = 0; i < 4; i++) {
    build_container(image[i], 80 + 8 * i, 0);
    register_program(image[i], &kernels[i], &variables[i]);
    assert_int_equal(stored(&kernels[i], (int)i), 100 + (int)i);
  }
}

/* Runs `body` in a child process. Returns the exit status of the child and stores its standard
 * error. */
static int in_child(void (*body)(void), char *said, size_t bytes) {
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    close(ends[0]);
    body();
    exit(0);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t n; (n = read(ends[0], said + length, bytes - 1 - length)) > 0;)
    length += (size_t)n;
  said[length] = 0;
  close(ends[0]);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void launch_compressed(void) {
  static uint8_t image[4096];
  static char kernel, variable;
  build_container(image, 80, 0x8000);
  register_program(image, &kernel, &variable);
  stored(&kernel, 1);
}

static void launch_broken(void) {
  static char kernel, variable;
  register_program(".version 6.3\n.target sm_70\nbroken {", &kernel, &variable);
  stored(&kernel, 1);
}

static void test_unusable_code_is_refused(void **state) {
  (void)state;
  char said[2000];
  assert_int_equal(in_child(launch_compressed, said, sizeof said), 2);
  assert_non_null(strstr(said, "is compressed: compile with nvcc --compress-mode=none"));
  assert_int_equal(in_child(launch_broken, said, sizeof said), 2);
  assert_non_null(strstr(said, "lockstep: the device code of this program is refused: "));
}

/* ---- launches -------------------------------------------------------------------------------- */
static void test_both_ways_to_launch(void **state) {
  (void)state;
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream = (cudaStream_t)8;
  assert_int_equal(__cudaPushCallConfiguration(size(3), size(32), 64, NULL), 0);
  ok(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  assert_int_equal(grid.x * 10000 + block.x * 100 + shared, 33264);
  assert_null(stream);
  assert_int_equal(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
                   cudaErrorMissingConfiguration);

  cudaKernel_t kernel;
  int *device, value = 1, host;
  ok(cudaMalloc((void **)&device, 4));
  ok(__cudaGetKernel(&kernel, &store_handle));
  ok(__cudaLaunchKernel(kernel, size(1), size(1), (void *[]){&device, &value}, 0, NULL));
  ok(cudaMemcpy(&host, device, 4, cudaMemcpyDeviceToHost));
  assert_int_equal(host, 101);
  ok(cudaFree(device));

  cudaLaunchConfig_t config = {.gridDim = size(1), .blockDim = size(1)};
  ok(cudaMalloc((void **)&device, 4));
  ok(cudaLaunchKernelExC(&config, &store_handle, (void *[]){&device, &value}));
  ok(cudaFree(device));
}

static void test_launch_limits(void **state) {
  (void)state;
  int *device = NULL, value = 0;
  void *arguments[] = {&device, &value};
  const cudaError_t invalid = cudaErrorInvalidValue;
  fails(cudaLaunchKernel(&store_handle, size(0), size(1), arguments, 0, NULL), invalid);
  fails(cudaLaunchKernel(&store_handle, size(1), size(1025), arguments, 0, NULL), invalid);
  fails(cudaLaunchKernel(&store_handle, size(1), (dim3){64, 32, 1}, arguments, 0, NULL), invalid);
  fails(cudaLaunchKernel(&store_handle, size(1), size(1), arguments, 1 << 20, NULL), invalid);
  fails(cudaLaunchKernel("unknown", size(1), size(1), arguments, 0, NULL),
        cudaErrorInvalidResourceHandle);
  fails(cudaLaunchKernel(NULL, size(1), size(1), arguments, 0, NULL),
        cudaErrorInvalidDeviceFunction);
  fails(cudaLaunchKernel(&store_handle, size(1), size(1), arguments, 0, (cudaStream_t)&value),
        cudaErrorInvalidResourceHandle);
}

static void test_symbols(void **state) {
  (void)state;
  int value = 1000, back = 0;
  size_t bytes;
  void *address;
  ok(cudaMemcpyToSymbol(&offset_handle, &value, 4, 0, cudaMemcpyHostToDevice));
  assert_int_equal(stored(&store_handle, 7), 1007);
  ok(cudaGetSymbolSize(&bytes, &offset_handle));
  assert_int_equal(bytes, 4);
  ok(cudaGetSymbolAddress(&address, &offset_handle));
  ok(cudaMemset(address, 0, 4));
  ok(cudaMemcpyFromSymbol(&back, &offset_handle, 4, 0, cudaMemcpyDeviceToHost));
  assert_int_equal(back, 0);
  fails(cudaMemcpyToSymbol(&value, &value, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
  fails(cudaMemcpyToSymbol(&offset_handle, &value, 4, 4, cudaMemcpyHostToDevice),
        cudaErrorInvalidValue);
}

/* ---- memory ---------------------------------------------------------------------------------- */
static void test_copies_and_sets(void **state) {
  (void)state;
  unsigned char host[64], back[64], *a, *b;
  for (int i = 0; i < 64; i++)
    host[i] = (unsigned char)i;
  ok(cudaMalloc((void **)&a, 64));
  ok(cudaMalloc((void **)&b, 64));
  ok(cudaMemcpy(back, a, 64, cudaMemcpyDeviceToHost));
  assert_int_equal(back[0] & back[63], 0xff); /* new memory is poisoned */
  ok(cudaMemcpy(a, host, 64, cudaMemcpyDefault));
  ok(cudaMemcpy(b + 8, a + 16, 48, cudaMemcpyDeviceToDevice));
  ok(cudaMemset(b, 0xab, 8));
  ok(cudaMemcpyAsync(back, b, 56, cudaMemcpyDeviceToHost, NULL));
  assert_int_equal(back[7], 0xab);
  assert_memory_equal(back + 8, host + 16, 48);
  fails(cudaMemcpy(a, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  fails(cudaMemcpy(a + 60, host, 5, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  fails(cudaMemset(a, 0, 65), cudaErrorInvalidValue);
  ok(cudaFree(a));
  fails(cudaMemcpy(a, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  fails(cudaFree(a), cudaErrorInvalidValue);
  ok(cudaFree(b));
}

static void test_rows_and_boxes(void **state) {
  (void)state;
  unsigned char host[6][10], back[2][3][4] = {0};
  struct cudaPitchedPtr box;
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 10; x++)
      host[y][x] = (unsigned char)(10 * y + x);
  ok(cudaMalloc3D(&box, make_cudaExtent(10, 3, 2)));
  struct cudaMemcpy3DParms copy = {.srcPtr = make_cudaPitchedPtr(host, 10, 10, 3),
                                   .dstPtr = box,
                                   .extent = make_cudaExtent(10, 3, 2),
                                   .kind = cudaMemcpyHostToDevice};
  ok(cudaMemcpy3D(&copy));
  copy = (struct cudaMemcpy3DParms){.srcPtr = box,
                                    .srcPos = make_cudaPos(2, 0, 0),
                                    .dstPtr = make_cudaPitchedPtr(back, 4, 4, 3),
                                    .extent = make_cudaExtent(4, 3, 2),
                                    .kind = cudaMemcpyDeviceToHost};
  ok(cudaMemcpy3D(&copy));
  assert_int_equal(back[1][2][3], 55);
  assert_int_equal(back[0][1][0], 12);
  ok(cudaMemset2D(box.ptr, box.pitch, 9, 10, 2));
  ok(cudaMemcpy2D(back, 4, box.ptr, box.pitch, 4, 3, cudaMemcpyDeviceToHost));
  assert_int_equal(back[0][1][3], 9);
  assert_int_equal(back[0][2][3], 23);
  fails(cudaMemcpy2D(back, 2, box.ptr, box.pitch, 4, 3, cudaMemcpyDeviceToHost),
        cudaErrorInvalidPitchValue);
  ok(cudaFree(box.ptr));
}

static void test_kinds_of_memory(void **state) {
  (void)state;
  int *managed, *pinned, *device, local;
  void *same;
  struct cudaPointerAttributes attributes;
  ok(cudaMallocManaged((void **)&managed, 40, cudaMemAttachGlobal));
  ok(cudaHostAlloc((void **)&pinned, 40, cudaHostAllocDefault));
  ok(cudaMalloc((void **)&device, 40));
  managed[9] = pinned[9] = 3;
  ok(cudaPointerGetAttributes(&attributes, managed));
  assert_int_equal(attributes.type, cudaMemoryTypeManaged);
  ok(cudaPointerGetAttributes(&attributes, pinned + 3));
  assert_int_equal(attributes.type, cudaMemoryTypeHost);
  ok(cudaPointerGetAttributes(&attributes, device));
  assert_int_equal(attributes.type, cudaMemoryTypeDevice);
  ok(cudaPointerGetAttributes(&attributes, &local));
  assert_int_equal(attributes.type, cudaMemoryTypeUnregistered);
  assert_int_equal(attributes.device, -2);
  ok(cudaHostGetDevicePointer(&same, pinned, 0));
  assert_ptr_equal(same, pinned);
  fails(cudaFree(pinned), cudaErrorInvalidValue);
  fails(cudaFreeHost(device), cudaErrorInvalidValue);
  ok(cudaFree(managed));
  ok(cudaFreeHost(pinned));
  ok(cudaFree(device));
}

/* ---- errors, streams, events, properties ----------------------------------------------------- */
static void test_error_texts(void **state) {
  (void)state;
  assert_string_equal(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  assert_string_equal(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  assert_string_equal(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
}

static void count_call(void *data) { ++*(int *)data; }
static void count_callback(cudaStream_t stream, cudaError_t status, void *data) {
  (void)stream;
  if (status == cudaSuccess)
    ++*(int *)data;
}

static void test_streams_and_events(void **state) {
  (void)state;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  int calls = 0;
  unsigned flags;
  float milliseconds = -1;
  ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ok(cudaStreamGetFlags(stream, &flags));
  assert_int_equal(flags, cudaStreamNonBlocking);
  ok(cudaEventCreate(&start));
  ok(cudaEventCreate(&stop));
  fails(cudaEventElapsedTime(&milliseconds, start, stop), cudaErrorInvalidResourceHandle);
  ok(cudaEventRecord(start, stream));
  ok(cudaLaunchHostFunc(stream, count_call, &calls));
  ok(cudaStreamAddCallback(stream, count_callback, &calls, 0));
  assert_int_equal(calls, 2);
  ok(cudaEventRecord(stop, stream));
  ok(cudaEventSynchronize(stop));
  ok(cudaEventElapsedTime(&milliseconds, start, stop));
  assert_true(milliseconds >= 0);
  ok(cudaStreamQuery(stream));
  ok(cudaStreamDestroy(stream));
  fails(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  ok(cudaEventDestroy(start));
  ok(cudaEventDestroy(stop));
  fails(cudaEventRecord(stop, NULL), cudaErrorInvalidResourceHandle);
}

static void test_properties_agree_with_attributes(void **state) {
  (void)state;
  struct cudaDeviceProp p;
  int value, count;
  size_t free_bytes, total_bytes;
  ok(cudaGetDeviceCount(&count));
  assert_int_equal(count, 1);
  ok(cudaGetDeviceProperties(&p, 0));
  assert_string_equal(p.name, "NVIDIA H200, emulated by Lockstep");
  assert_int_equal(p.warpSize, 32);
#define CUDA_ATTRIBUTE(name, driver, number, field)                                                \
  ok(cudaDeviceGetAttribute(&value, cudaDevAttr##name, 0));                                        \
  assert_int_equal(value, (int)p.field);
#include "../include/cuda_attributes.def"
  ok(cudaMemGetInfo(&free_bytes, &total_bytes));
  assert_true(free_bytes <= total_bytes && total_bytes == p.totalGlobalMem);
  fails(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
}

static void test_kernel_attributes_and_occupancy(void **state) {
  (void)state;
  struct cudaFuncAttributes attributes;
  int blocks;
  size_t bytes;
  ok(cudaFuncGetAttributes(&attributes, &store_handle));
  assert_int_equal(attributes.maxThreadsPerBlock, 1024);
  assert_int_equal(attributes.ptxVersion, 70);
  assert_int_equal(attributes.maxDynamicSharedSizeBytes, 49152);
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &store_handle, 256, 0));
  assert_int_equal(blocks, 8);
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &store_handle, 32, 0));
  assert_int_equal(blocks, 32);
  ok(cudaFuncSetAttribute(&store_handle, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &store_handle, 32, 100000));
  assert_int_equal(blocks, 2);
  ok(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &store_handle, 2, 32));
  assert_int_equal(bytes, 233472 / 2 / 128 * 128 - 1024);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain_ptx_runs),
      cmocka_unit_test(test_container_runs),
      cmocka_unit_test(test_unusable_code_is_refused),
      cmocka_unit_test(test_both_ways_to_launch),
      cmocka_unit_test(test_launch_limits),
      cmocka_unit_test(test_symbols),
      cmocka_unit_test(test_copies_and_sets),
      cmocka_unit_test(test_rows_and_boxes),
      cmocka_unit_test(test_kinds_of_memory),
      cmocka_unit_test(test_error_texts),
      cmocka_unit_test(test_streams_and_events),
      cmocka_unit_test(test_properties_agree_with_attributes),
      cmocka_unit_test(test_kernel_attributes_and_occupancy),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
