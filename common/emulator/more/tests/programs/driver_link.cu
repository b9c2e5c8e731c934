// Tests the linker of the driver API: a kernel uses a function and a variable of another PTX text.
#include "driver.h"
#include <cstring>

enum { N = 96 };

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"one.cu\"\n"

// A weak function, which both texts define. The first definition is used.
#define SHARED_FUNCTION                                                                            \
  ".weak .func (.param .s32 result) plus_one(.param .s32 x)\n"                                     \
  "{\n"                                                                                            \
  "  .reg .s32 %r<3>;\n"                                                                           \
  "  ld.param.s32 %r1, [x];\n"                                                                     \
  "  add.s32 %r2, %r1, 1;\n"                                                                       \
  "  st.param.s32 [result], %r2;\n"                                                                \
  "  ret;\n"                                                                                       \
  "}\n"

static char kernel[] = HEAD R"(
.extern .global .align 4 .s32 factor;
.extern .func (.param .s32 result) scaled(.param .s32 x);
)" SHARED_FUNCTION R"(
.visible .entry run(.param .u64 out)
{
  .reg .s32 %r<5>;
  .reg .s64 %rd<4>;
  .loc 1 3 1
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  {
    .param .s32 x;
    .param .s32 result;
    st.param.s32 [x], %r1;
    call.uni (result), scaled, (x);
    ld.param.s32 %r2, [result];
  }
  ld.global.s32 %r3, [factor];
  add.s32 %r2, %r2, %r3;
  mul.wide.s32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.s32 [%rd3], %r2;
  ret;
}
)";

static char helper[] = HEAD SHARED_FUNCTION R"(
.visible .global .align 4 .s32 factor = 5;
.visible .func (.param .s32 result) scaled(.param .s32 x)
{
  .reg .s32 %r<5>;
  .loc 1 9 1
  ld.param.s32 %r1, [x];
  ld.global.s32 %r2, [factor];
  {
    .param .s32 y;
    .param .s32 next;
    st.param.s32 [y], %r1;
    call.uni (next), plus_one, (y);
    ld.param.s32 %r3, [next];
  }
  mul.lo.s32 %r4, %r3, %r2;
  st.param.s32 [result], %r4;
  ret;
}
)";

static char broken[] = HEAD ".visible .entry run( { ret; }\n";

int main() {
  CUcontext context;
  CUlinkState link;
  CUmodule module;
  CUfunction run;
  CUdeviceptr out;
  void *image = nullptr;
  size_t bytes = 0;
  int host[N];
  char log[300] = "";
  DRIVER(cuInit(0));
  DRIVER(cuDevicePrimaryCtxRetain(&context, 0));
  DRIVER(cuCtxSetCurrent(context));
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  DRIVER(cuLinkCreate(2, options, values, &link));
  EXPECT(cuLinkComplete(link, &image, &bytes) == CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, kernel, sizeof kernel, "kernel.ptx", 0, 0, 0));
  EXPECT(cuLinkAddData(link, CU_JIT_INPUT_PTX, broken, sizeof broken, "broken.ptx", 0, 0, 0) ==
         CUDA_ERROR_INVALID_PTX);
  EXPECT(strstr(log, "broken.ptx") != nullptr);
  EXPECT(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, kernel, sizeof kernel, "cubin", 0, 0, 0) ==
         CUDA_ERROR_NOT_SUPPORTED);
  EXPECT(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "no/such/file.ptx", 0, 0, 0) ==
         CUDA_ERROR_FILE_NOT_FOUND);
  DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, helper, sizeof helper, "helper.ptx", 0, 0, 0));
  DRIVER(cuLinkComplete(link, &image, &bytes));
  EXPECT(bytes > sizeof kernel);
  DRIVER(cuModuleLoadData(&module, image));
  DRIVER(cuLinkDestroy(link));
  DRIVER(cuModuleGetFunction(&run, module, "run"));
  DRIVER(cuMemAlloc(&out, sizeof host));
  void *arguments[] = {&out};
  DRIVER(cuLaunchKernel(run, 1, 1, 1, N, 1, 1, 0, 0, arguments, nullptr));
  DRIVER(cuMemcpyDtoH(host, out, sizeof host));
  for (int i = 0; i < N; i++)
    EXPECT(host[i] == (i + 1) * 5 + 5);

  // Two definitions of a function that is not weak are an error.
  DRIVER(cuLinkCreate(0, nullptr, nullptr, &link));
  DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, helper, sizeof helper, "a", 0, 0, 0));
  DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, helper, sizeof helper, "b", 0, 0, 0));
  EXPECT(cuLinkComplete(link, &image, &bytes) == CUDA_ERROR_INVALID_PTX);
  DRIVER(cuLinkDestroy(link));
  DRIVER(cuMemFree(out));
  DRIVER(cuModuleUnload(module));
  DRIVER(cuDevicePrimaryCtxRelease(0));
  return done();
}
