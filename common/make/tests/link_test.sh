#!/bin/sh
# Tests the messages of link.sh about undefined functions. Each function must have one line, and
# only functions of CUDA may be reported as missing in the device.

folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cat >"$folder/calls.c" <<'END'
int cudaGraphLaunch(void), __cudaRegisterTexture(void), cuInit(void), cutoff(void), cublasSgemm_v2(void), cublasCreate_v2(void), glutInit(void), glBegin(void);
int cufftPlan1d(void), cufftExecC2C(void), nppiAdd_8u_C1RSfs(void);
int known(void) { return 0; }
int main(void) {
  return cudaGraphLaunch() +
         __cudaRegisterTexture() +
         cuInit() + known() +
         cublasCreate_v2() +
         cublasSgemm_v2() +
         glutInit() + glBegin() +
         cufftPlan1d() + cufftExecC2C() +
         nppiAdd_8u_C1RSfs() +
         cutoff();
}
END
cat >"$folder/expected" <<'END'
calls.c:5: error: the emulated device has no cudaGraphLaunch
calls.c:6: error: the emulated device has no __cudaRegisterTexture
calls.c:7: error: the emulated device has no cuInit
calls.c:8: error: the emulated device has cuBLAS only with OpenBLAS: make setup-libraries
error: the emulated device draws nothing on a screen: OpenGL is not here
calls.c:11: error: the emulated device has cuFFT only with FFTW: make setup-libraries
calls.c:12: error: NPP is not emulated; cuBLAS, cuFFT and cuRAND are. Run the program on a GPU
calls.c:13: undefined reference to `cutoff'
END
link=$PWD/common/make/compile/link.sh
cd "$folder" || exit 2
${CC:-cc} -g -c calls.c -o calls.o || exit 2
sh "$link" "${CC:-cc}" -o calls calls.o 2>said && { echo 'a program with missing functions was linked'; exit 1; }
sed "s|^/.*/calls.c|calls.c|" said | diff expected - || exit 1

${CC:-cc} -g -c -o stripped.o -x c - <calls.c && objcopy --strip-debug stripped.o 2>/dev/null
sh "$link" "${CC:-cc}" -o calls stripped.o 2>&1 | grep -qx 'error: the emulated device has no cuInit' ||
  { echo 'without lines, the name is missing'; exit 1; }
sh "$link" "${CC:-cc}" -o calls -Dmain=other -x c calls.c 2>&1 | grep -q "main" || { echo 'no word on main'; exit 1; }
# If cuBLAS is available, each of its missing functions has a line.
ar rc libcublas.a && sh "$link" "${CC:-cc}" -o calls calls.o libcublas.a 2>&1 | grep -c 'has no cublas' | grep -qx 2 ||
  { echo 'calls of cuBLAS are not told one by one'; exit 1; }
printf 'int main(void) { return 0; }' | sh "$link" "${CC:-cc}" -o calls -x c - && ./calls
# A library that is not available is reported once.
printf 'int nppiAdd(void), cufftPlan1d(void); int main(void) { return nppiAdd() + cufftPlan1d(); }' |
  sh "$link" "${CC:-cc}" -o calls -x c - -x none -lnppial -lnppc 2>&1 | grep -c '^error: NPP is not emulated' | grep -qx 1 ||
  { echo 'no word on a library that is not there'; exit 1; }
