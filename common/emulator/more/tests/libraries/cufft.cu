// Compares cuFFT with sums that are computed by the definition: for all types, for sizes that are
// not powers of two, for several transforms at once, and in place.
#include "../../../tests/programs/check.h"
#include <cmath>
#include <complex>
#include <cufftXt.h>
#include <vector>

#define FFT(call) EXPECT((call) == CUFFT_SUCCESS)
typedef std::complex<double> Complex;

static double number(int i) { return (i * 37 % 101) / 50.0 - 1; }

// Returns the transform of an array of n0 x n1 x n2 numbers, computed by the definition.
static std::vector<Complex> expected(const std::vector<Complex> &in, int n0, int n1, int n2,
                                     int sign) {
  std::vector<Complex> out(in.size());
  for (int a = 0; a < n0; a++)
    for (int b = 0; b < n1; b++)
      for (int c = 0; c < n2; c++)
        for (int i = 0; i < n0; i++)
          for (int j = 0; j < n1; j++)
            for (int k = 0; k < n2; k++) {
              double turn =
                  sign * 2 * M_PI * ((double)a * i / n0 + (double)b * j / n1 + (double)c * k / n2);
              out[(a * n1 + b) * n2 + c] +=
                  in[(i * n1 + j) * n2 + k] * Complex(cos(turn), sin(turn));
            }
  return out;
}

template <typename T> static T *on_device(const std::vector<T> &values) {
  T *d;
  CHECK(cudaMalloc(&d, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(d, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}
template <typename T> static std::vector<T> from_device(T *d, size_t n) {
  std::vector<T> values(n);
  CHECK(cudaMemcpy(values.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  return values;
}
template <typename T> static bool is_near(const T &got, const Complex &want) {
  return fabs(got.x - want.real()) < 1e-3 && fabs(got.y - want.imag()) < 1e-3;
}

static void forward_and_back(int batch) {
  const int n = 60;
  std::vector<cufftComplex> in(n * batch);
  std::vector<Complex> same(n * batch);
  for (int i = 0; i < n * batch; i++) {
    in[i] = {(float)number(i), (float)number(i + 7)};
    same[i] = Complex(in[i].x, in[i].y);
  }
  cufftHandle plan;
  FFT(cufftPlan1d(&plan, n, CUFFT_C2C, batch));
  cufftComplex *d = on_device(in), *back = on_device(in);
  FFT(cufftExecC2C(plan, d, d, CUFFT_FORWARD));
  FFT(cufftExecC2C(plan, d, back, CUFFT_INVERSE));
  FFT(cufftDestroy(plan));
  std::vector<cufftComplex> there = from_device(d, n * batch), again = from_device(back, n * batch);
  for (int b = 0; b < batch; b++) {
    std::vector<Complex> want =
        expected({same.begin() + b * n, same.begin() + (b + 1) * n}, 1, 1, n, -1);
    for (int i = 0; i < n; i++)
      EXPECT(is_near(there[b * n + i], want[i]));
  }
  for (int i = 0; i < n * batch; i++)
    EXPECT(is_near(again[i], same[i] * (double)n));
}

static void of_real_numbers(bool in_place) {
  const int n0 = 4, n1 = 3, n2 = 10, half = n2 / 2 + 1, row = in_place ? 2 * half : n2;
  std::vector<double> in(n0 * n1 * row, 0);
  std::vector<Complex> same(n0 * n1 * n2);
  for (int i = 0; i < n0 * n1; i++)
    for (int k = 0; k < n2; k++)
      same[i * n2 + k] = in[i * row + k] = number(i * n2 + k);
  cufftHandle plan, back;
  FFT(cufftPlan3d(&plan, n0, n1, n2, CUFFT_D2Z));
  FFT(cufftPlan3d(&back, n0, n1, n2, CUFFT_Z2D));
  double *d = on_device(in);
  cufftDoubleComplex *out = in_place ? (cufftDoubleComplex *)d
                                     : on_device(std::vector<cufftDoubleComplex>(n0 * n1 * half));
  FFT(cufftExecD2Z(plan, d, out));
  std::vector<cufftDoubleComplex> got(n0 * n1 * half);
  CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof got[0], cudaMemcpyDeviceToHost));
  std::vector<Complex> want = expected(same, n0, n1, n2, -1);
  for (int i = 0; i < n0 * n1; i++)
    for (int k = 0; k < half; k++)
      EXPECT(is_near(got[i * half + k], want[i * n2 + k]));
  FFT(cufftExecZ2D(back, out, d));
  std::vector<double> again = from_device(d, in.size());
  for (int i = 0; i < n0 * n1; i++)
    for (int k = 0; k < n2; k++)
      EXPECT(fabs(again[i * row + k] - n0 * n1 * n2 * same[i * n2 + k].real()) < 1e-6);
  if (!in_place)
    CHECK(cudaFree(out));
  FFT(cufftDestroy(plan));
  FFT(cufftDestroy(back));
}

// Transforms the columns of a matrix, whose elements are one row apart.
static void columns(bool by_types) {
  int n[] = {8}, width = 5;
  std::vector<cufftComplex> in(8 * width);
  for (int i = 0; i < 8 * width; i++)
    in[i] = {(float)number(i), 0};
  cufftHandle plan;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  if (by_types) {
    long long size[] = {8};
    FFT(cufftCreate(&plan));
    FFT(cufftXtMakePlanMany(plan, 1, size, size, width, 1, CUDA_C_32F, size, width, 1, CUDA_C_32F,
                            width, nullptr, CUDA_C_32F));
  } else {
    FFT(cufftPlanMany(&plan, 1, n, n, width, 1, n, width, 1, CUFFT_C2C, width));
  }
  FFT(cufftSetStream(plan, stream));
  cufftComplex *d = on_device(in);
  FFT(by_types ? cufftXtExec(plan, d, d, CUFFT_FORWARD) : cufftExecC2C(plan, d, d, CUFFT_FORWARD));
  CHECK(cudaStreamSynchronize(stream));
  std::vector<cufftComplex> got = from_device(d, in.size());
  for (int c = 0; c < width; c++) {
    std::vector<Complex> column(8);
    for (int i = 0; i < 8; i++)
      column[i] = in[i * width + c].x;
    column = expected(column, 1, 1, 8, -1);
    for (int i = 0; i < 8; i++)
      EXPECT(is_near(got[i * width + c], column[i]));
  }
  FFT(cufftDestroy(plan));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  cufftHandle plan;
  size_t room;
  forward_and_back(1);
  forward_and_back(3);
  of_real_numbers(false);
  of_real_numbers(true);
  columns(false);
  columns(true);
  EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  EXPECT(cufftDestroy(77) == CUFFT_INVALID_PLAN);
  FFT(cufftCreate(&plan));
  EXPECT(cufftExecR2C(plan, nullptr, nullptr) == CUFFT_INVALID_PLAN);
  FFT(cufftMakePlan2d(plan, 4, 4, CUFFT_R2C, &room));
  EXPECT(cufftExecC2C(plan, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_TYPE);
  FFT(cufftDestroy(plan));
  return done();
}
