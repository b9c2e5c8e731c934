/* Tests NVRTC: it compiles source text with a header and options, finds templates by name
 * expressions, returns a log if the source does not compile, and returns no results before the
 * compilation. */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vector>

static int failed;
static void check(const char *what, bool good) {
  if (!good)
    printf("wrong: %s\n", what), failed = 1;
}

static const char *const SOURCE = R"(
#include "parts/factor.h"
namespace own {
template <class T, int N> __global__ void scale(T *out) { out[threadIdx.x] = T(FACTOR * N * threadIdx.x); }
__device__ int added = 5;
}
extern "C" __global__ void add(int *out) { out[threadIdx.x] += own::added + PLUS; }
)";

int main() {
  const char *header = "#define FACTOR 3\n", *name = "parts/factor.h";
  const char *options[] = {"--gpu-architecture=compute_90", "-DPLUS=100", "-std=c++17"};
  const char *scaled = "own::scale<int, 2>", *variable = "&own::added", *lowered = "", *place = "";
  nvrtcProgram program, wrong;
  check("create",
        nvrtcCreateProgram(&program, SOURCE, "own.cu", 1, &header, &name) == NVRTC_SUCCESS);
  check("name", nvrtcAddNameExpression(program, scaled) == NVRTC_SUCCESS);
  check("variable", nvrtcAddNameExpression(program, variable) == NVRTC_SUCCESS);
  size_t bytes = 0;
  check("too early", nvrtcGetPTXSize(program, &bytes) == NVRTC_ERROR_INVALID_PROGRAM &&
                         nvrtcGetLoweredName(program, scaled, &lowered) ==
                             NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  nvrtcResult result = nvrtcCompileProgram(program, 3, options);
  nvrtcGetProgramLogSize(program, &bytes);
  std::vector<char> log(bytes), ptx;
  nvrtcGetProgramLog(program, log.data());
  if (result != NVRTC_SUCCESS)
    return printf("%s: %s\n", nvrtcGetErrorString(result), log.data()), 1;
  check("too late", nvrtcAddNameExpression(program, "own::other") ==
                        NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  check("size", nvrtcGetCUBINSize(program, &bytes) == NVRTC_SUCCESS && bytes > 100);
  ptx.resize(bytes);
  nvrtcGetCUBIN(program, ptx.data());
  check("lowered", nvrtcGetLoweredName(program, scaled, &lowered) == NVRTC_SUCCESS);
  check("lowered variable", nvrtcGetLoweredName(program, variable, &place) == NVRTC_SUCCESS);
  check("other", nvrtcGetLoweredName(program, "own::other", &place) ==
                     NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);

  CUdevice device = 0;
  CUcontext context = 0;
  CUmodule module = 0;
  CUfunction scale = 0, add = 0;
  CUdeviceptr out = 0, added = 0;
  int host[32], seven = 7;
  check("module", !cuInit(0) && !cuDeviceGet(&device, 0) &&
                      !cuDevicePrimaryCtxRetain(&context, device) && !cuCtxSetCurrent(context) &&
                      !cuModuleLoadData(&module, ptx.data()) &&
                      !cuModuleGetFunction(&scale, module, lowered) &&
                      !cuModuleGetFunction(&add, module, "add") &&
                      !cuModuleGetGlobal(&added, &bytes, module, place) && bytes == sizeof seven);
  check("launch", !cuMemcpyHtoD(added, &seven, sizeof seven) && !cuMemAlloc(&out, sizeof host));
  void *arguments[] = {&out};
  check("run", !cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0) &&
                   !cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0) &&
                   !cuMemcpyDtoH(host, out, sizeof host) && !cuMemFree(out));
  for (int i = 0; i < 32; i++)
    check("element", host[i] == 6 * i + 107);
  check("destroy", nvrtcDestroyProgram(&program) == NVRTC_SUCCESS && !program);

  /* Headers are found in the folder of the program's name. */
  char folder[] = "/tmp/nvrtc-XXXXXX", beside[64], source[64];
  check("folder", mkdtemp(folder));
  snprintf(beside, sizeof beside, "%s/beside.h", folder);
  snprintf(source, sizeof source, "%s/own.cu", folder);
  FILE *file = fopen(beside, "w");
  check("header", file && fputs("#define BESIDE 1\n", file) >= 0 && fclose(file) == 0);
  nvrtcCreateProgram(&program, "#include \"beside.h\"\n__global__ void k(int *x) { *x = BESIDE; }",
                     source, 0, 0, 0);
  check("beside", nvrtcCompileProgram(program, 0, 0) == NVRTC_SUCCESS);
  nvrtcDestroyProgram(&program);
  unlink(beside), rmdir(folder);

  nvrtcCreateProgram(&wrong, "__global__ void k() { nowhere = 1; }", "wrong.cu", 0, 0, 0);
  check("does not compile", nvrtcCompileProgram(wrong, 0, 0) == NVRTC_ERROR_COMPILATION);
  nvrtcGetProgramLogSize(wrong, &bytes);
  log.resize(bytes);
  nvrtcGetProgramLog(wrong, log.data());
  check("says where", strstr(log.data(), "wrong.cu:1:") && strstr(log.data(), "nowhere"));
  nvrtcDestroyProgram(&wrong);
  puts(failed ? "nvrtc: failed" : "nvrtc: ok");
  return failed;
}
