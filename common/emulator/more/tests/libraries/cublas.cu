/* Compares cuBLAS on the emulated device with plain loops in double. Tests each function with odd
 * sizes, a leading dimension that exceeds the rows, steps between elements, and all sides,
 * triangles and operations. */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

static int failed;
static cublasHandle_t handle;
static unsigned state = 1;
static double number() { /* a multiple of 1/8: sums of products are exact in float */
  state = state * 1664525u + 1013904223u;
  return (int)(state >> 24) / 8 - 16;
}

static void check(const char *what, double difference, double limit) {
  if (difference <= limit)
    return;
  printf("%s: off by %g\n", what, difference);
  failed = 1;
}
static void good(const char *what, cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS)
    return;
  printf("%s: %s\n", what, cublasGetStatusString(status));
  failed = 1;
}

/* A matrix in host and device memory. The leading dimension exceeds the rows. */
template <class T> struct Matrix {
  int rows, columns, ld;
  std::vector<T> host;
  T *device;
  Matrix(int m, int n, int more = 3) : rows(m), columns(n), ld(m + more), host((size_t)ld * n) {
    for (auto &x : host)
      x = (T)number();
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Matrix() { cudaFree(device); }
  double at(cublasOperation_t o, int i, int j) const {
    return (double)(o == CUBLAS_OP_N ? host[i + (size_t)j * ld] : host[j + (size_t)i * ld]);
  }
  /* Copies the result from the device. Checks that the elements between the columns are unchanged.
   */
  std::vector<T> back() {
    std::vector<T> now(host.size());
    cudaMemcpy(now.data(), device, now.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (int j = 0; j < columns; j++)
      for (int i = rows; i < ld; i++)
        check("what lies behind the rows",
              fabs((double)now[i + (size_t)j * ld] - (double)host[i + (size_t)j * ld]), 0);
    return now;
  }
};

template <class T> struct Blas;
#define TYPED(name)                                                                                \
  template <class... A> static cublasStatus_t name(A... a) { return NAME(name)(handle, a...); }
#define LEVELS_1_2                                                                                 \
  TYPED(copy)                                                                                      \
  TYPED(scal)                                                                                      \
  TYPED(axpy)                                                                                      \
  TYPED(dot)                                                                                       \
  TYPED(nrm2)                                                                                      \
  TYPED(asum)                                                                                      \
  TYPED(gemv)
#define LEVEL_3                                                                                    \
  TYPED(gemm)                                                                                      \
  TYPED(trmm)                                                                                      \
  TYPED(trsm)                                                                                      \
  TYPED(geam)
#define NAME(name) cublasS##name
template <> struct Blas<float> {
  LEVELS_1_2
  LEVEL_3
  static cublasStatus_t amax(int n, const float *x, int step, int *at) {
    return cublasIsamax(handle, n, x, step, at);
  }
};
#undef NAME
#define NAME(name) cublasD##name
template <> struct Blas<double> {
  LEVELS_1_2
  LEVEL_3
  static cublasStatus_t amax(int n, const double *x, int step, int *at) {
    return cublasIdamax(handle, n, x, step, at);
  }
};

/* Tests functions on vectors. A vector is a matrix with one row, so its step is the leading
 * dimension. */
template <class T> static void vectors(int n, int step_x, int step_y) {
  Matrix<T> x(1, n, step_x - 1), y(1, n, step_y - 1);
  T sum, length, total, factor = 3;
  int largest, expected = 0;
  double dot = 0, squares = 0, absolute = 0;
  for (int i = 0; i < n; i++) {
    const double a = x.host[(size_t)i * step_x], b = y.host[(size_t)i * step_y];
    dot += a * b, squares += a * a, absolute += fabs(a);
    if (fabs(a) > fabs((double)x.host[(size_t)expected * step_x]))
      expected = i;
  }
  good("dot", Blas<T>::dot(n, x.device, step_x, y.device, step_y, &sum));
  good("nrm2", Blas<T>::nrm2(n, x.device, step_x, &length));
  good("asum", Blas<T>::asum(n, x.device, step_x, &total));
  good("amax", Blas<T>::amax(n, x.device, step_x, &largest));
  check("dot", fabs(sum - dot), 0);
  check("nrm2", fabs(length * length - squares), 1e-5 * squares);
  check("asum", fabs(total - absolute), 0);
  check("amax", abs(largest - 1 - expected), 0);
  good("axpy", Blas<T>::axpy(n, &factor, x.device, step_x, y.device, step_y));
  std::vector<T> now = y.back();
  for (int i = 0; i < n; i++)
    check("axpy",
          fabs(now[(size_t)i * step_y] -
               (3.0 * x.host[(size_t)i * step_x] + y.host[(size_t)i * step_y])),
          0);
  good("scal", Blas<T>::scal(n, &factor, x.device, step_x));
  good("copy", Blas<T>::copy(n, x.device, step_x, y.device, -step_y)); /* in reverse order */
  now = y.back();
  for (int i = 0; i < n; i++)
    check("copy", fabs(now[(size_t)(n - 1 - i) * step_y] - 3.0 * x.host[(size_t)i * step_x]), 0);
}

template <class T>
static void products(int m, int n, int k, cublasOperation_t oa, cublasOperation_t ob) {
  Matrix<T> a(oa == CUBLAS_OP_N ? m : k, oa == CUBLAS_OP_N ? k : m),
      b(ob == CUBLAS_OP_N ? k : n, ob == CUBLAS_OP_N ? n : k);
  Matrix<T> c(m, n), x(1, k, 1), y(1, m, 2);
  const T alpha = 2, beta = -1;
  good("gemm", Blas<T>::gemm(oa, ob, m, n, k, &alpha, a.device, a.ld, b.device, b.ld, &beta,
                             c.device, c.ld));
  std::vector<T> now = c.back();
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      double sum = -(double)c.host[i + (size_t)j * c.ld];
      for (int l = 0; l < k; l++)
        sum += 2 * a.at(oa, i, l) * b.at(ob, l, j);
      check("gemm", fabs(now[i + (size_t)j * c.ld] - sum), 0);
    }
  good("gemv", Blas<T>::gemv(oa, a.rows, a.columns, &alpha, a.device, a.ld, x.device, x.ld, &beta,
                             y.device, y.ld));
  now = y.back();
  for (int i = 0; i < y.columns; i++) {
    double sum = -(double)y.host[(size_t)i * y.ld];
    for (int l = 0; l < x.columns; l++)
      sum += 2 * a.at(oa, i, l) * x.host[(size_t)l * x.ld];
    check("gemv", fabs(now[(size_t)i * y.ld] - sum), 0);
  }
  Matrix<T> d(oa == CUBLAS_OP_N ? m : n, oa == CUBLAS_OP_N ? n : m), e(m, n);
  good("geam", Blas<T>::geam(oa, CUBLAS_OP_N, m, n, &alpha, d.device, d.ld, &beta, e.device, e.ld,
                             c.device, c.ld));
  now = c.back();
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      check("geam",
            fabs(now[i + (size_t)j * c.ld] - (2 * d.at(oa, i, j) - e.at(CUBLAS_OP_N, i, j))), 0);
}

/* Solves op(A) X = B and multiplies op(A) by the solution, for each side, triangle and operation.
 * alpha is 1/2. */
template <class T> static void triangles(int m, int n) {
  for (int way = 0; way < 16; way++) {
    const cublasSideMode_t side = way & 1 ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    const cublasFillMode_t fill = way & 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    const cublasOperation_t o = way & 4 ? CUBLAS_OP_N : CUBLAS_OP_T;
    const cublasDiagType_t diagonal = way & 8 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;
    Matrix<T> a(size, size), b(m, n), c(m, n);
    for (int j = 0; j < size; j++)
      for (int i = 0; i < size; i++)
        a.host[i + (size_t)j * a.ld] = i == j ? 4 : (T)((i + 2 * j) % 5) / 8;
    cudaMemcpy(a.device, a.host.data(), a.host.size() * sizeof(T), cudaMemcpyHostToDevice);
    const T half = 0.5, one = 1;
    good("trsm",
         Blas<T>::trsm(side, fill, o, diagonal, m, n, &half, a.device, a.ld, b.device, b.ld));
    good("trmm", Blas<T>::trmm(side, fill, o, diagonal, m, n, &one, a.device, a.ld, b.device, b.ld,
                               c.device, c.ld));
    std::vector<T> now = c.back();
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        check("trsm and trmm", fabs(now[i + (size_t)j * c.ld] - b.host[i + (size_t)j * b.ld] / 2.0),
              1e-4);
  }
}

static void halves(int m, int n, int k) {
  std::vector<__half> a((size_t)m * k), b((size_t)k * n), c((size_t)m * n);
  for (auto &x : a)
    x = __float2half((float)number());
  for (auto &x : b)
    x = __float2half((float)number() / 64);
  __half *da, *db, *dc;
  cudaMalloc(&da, a.size() * sizeof *da);
  cudaMalloc(&db, b.size() * sizeof *db);
  cudaMalloc(&dc, c.size() * sizeof *dc);
  cudaMemcpy(da, a.data(), a.size() * sizeof *da, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof *db, cudaMemcpyHostToDevice);
  const float one = 1, zero = 0;
  const __half one_half = __float2half(1), zero_half = __float2half(0);
  /* Batches of one matrix, for the functions that process batches. */
  __half *all[] = {da, db, dc}, **lists;
  cudaMalloc(&lists, sizeof all);
  cudaMemcpy(lists, all, sizeof all, cudaMemcpyHostToDevice);
  for (int way = 0; way < 4; way++) {
    cudaMemset(dc, 0xff, c.size() * sizeof *dc);
    if (way == 3)
      good("HgemmBatched", cublasHgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one_half,
                                              lists, m, lists + 1, k, &zero_half, lists + 2, m, 1));
    else if (way == 2)
      good("HgemmStridedBatched",
           cublasHgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one_half, da, m, 0,
                                     db, k, 0, &zero_half, dc, m, 0, 1));
    else if (way)
      good("Hgemm", cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one_half, da, m, db, k,
                                &zero_half, dc, m));
    else
      good("GemmEx", cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da, CUDA_R_16F,
                                  m, db, CUDA_R_16F, k, &zero, dc, CUDA_R_16F, m,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    cudaMemcpy(c.data(), dc, c.size() * sizeof *dc, cudaMemcpyDeviceToHost);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int l = 0; l < k; l++)
          sum += (double)__half2float(a[i + (size_t)l * m]) *
                 (double)__half2float(b[l + (size_t)j * k]);
        check("products of halves", fabs(__half2float(c[i + (size_t)j * m]) - sum),
              fabs(sum) / 2048 + 1e-6);
      }
  }
  float dot;
  double sum = 0;
  good("DotEx",
       cublasDotEx(handle, k, da, CUDA_R_16F, 2, db, CUDA_R_16F, -1, &dot, CUDA_R_32F, CUDA_R_32F));
  for (int l = 0; l < k; l++)
    sum += (double)__half2float(a[2 * l]) * (double)__half2float(b[k - 1 - l]);
  check("product of vectors of halves", fabs(dot - sum), 0);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  cudaFree(lists);
}

/* Tests scalars and results in device memory, and calls that fail. */
static void the_rest() {
  Matrix<float> x(1, 9, 0), scalars(1, 2, 0);
  float length, three = 3;
  cudaMemcpy(scalars.device, &three, sizeof three, cudaMemcpyHostToDevice);
  good("SetPointerMode", cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  good("scal", cublasSscal(handle, 9, scalars.device, x.device, 1));
  good("asum", cublasSasum(handle, 9, x.device, 1, scalars.device + 1));
  good("SetPointerMode", cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  cudaMemcpy(&length, scalars.device + 1, sizeof length, cudaMemcpyDeviceToHost);
  double expected = 0;
  for (float each : x.host)
    expected += 3 * fabs(each);
  check("device pointers", fabs(length - expected), 0);
  check("no handle", cublasSscal(nullptr, 9, &three, x.device, 1) != CUBLAS_STATUS_NOT_INITIALIZED,
        0);
  check("rows that do not fit",
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &three, x.device, 2, x.device, 3,
                    &three, x.device, 3) != CUBLAS_STATUS_INVALID_VALUE,
        0);
}

template <class T> static void all() {
  vectors<T>(1, 1, 1);
  vectors<T>(37, 2, 3);
  for (int way = 0; way < 4; way++)
    products<T>(5 + 2 * way, 7, 13, way & 1 ? CUBLAS_OP_N : CUBLAS_OP_T,
                way & 2 ? CUBLAS_OP_N : CUBLAS_OP_T);
  triangles<T>(6, 9);
}

static double gelu(double x) {
  return x / 2 * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

/* Tests cublasLt: d = gelu(a' * b + c + bias) in two batches, with the arguments of GELU stored in
 * `aux`; then the derivative of GELU, as in a backward pass. */
static void light(int m, int n, int k) {
  Matrix<float> a(k, 2 * m, 0), b(k, 2 * n, 0), c(m, 2 * n, 0), d(m, 2 * n), aux(m, 2 * n),
      bias(m, 1, 0);
  cublasLtHandle_t other;
  cublasLtMatmulDesc_t product;
  cublasLtMatrixLayout_t layouts[4];
  cublasLtMatmulPreference_t any;
  cublasLtMatmulHeuristicResult_t how;
  cublasOperation_t turned = CUBLAS_OP_T, seen = CUBLAS_OP_N;
  cublasLtEpilogue_t out = CUBLASLT_EPILOGUE_GELU_AUX_BIAS, back = CUBLASLT_EPILOGUE_DGELU;
  const int batches = 2;
  const int64_t steps[] = {(int64_t)k * m, (int64_t)k * n, (int64_t)m * n, (int64_t)d.ld * n},
                ld = aux.ld;
  const float one = 0.125f, keep = 1;
  int found = 0;
  size_t written = 0;
  good("LtCreate", cublasLtCreate(&other));
  good("DescCreate", cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
#define SET(name, value)                                                                           \
  good(#name,                                                                                      \
       cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_##name, &value, sizeof value))
  SET(TRANSA, turned);
  SET(EPILOGUE, out);
  SET(BIAS_POINTER, bias.device);
  SET(EPILOGUE_AUX_POINTER, aux.device);
  SET(EPILOGUE_AUX_LD, ld);
  SET(EPILOGUE_AUX_BATCH_STRIDE, steps[3]);
  good("GetAttribute", cublasLtMatmulDescGetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &seen,
                                                      sizeof seen, &written));
  check("what was set", seen != CUBLAS_OP_T || written != sizeof seen, 0);
  cublasLtMatrixLayoutOpaque_t own;
  layouts[0] = &own;
  good("LayoutInit", cublasLtMatrixLayoutInit(&own, CUDA_R_32F, k, m, k));
  good("LayoutCreate", cublasLtMatrixLayoutCreate(&layouts[1], CUDA_R_32F, k, n, k));
  good("LayoutCreate", cublasLtMatrixLayoutCreate(&layouts[2], CUDA_R_32F, m, n, m));
  good("LayoutCreate", cublasLtMatrixLayoutCreate(&layouts[3], CUDA_R_32F, m, n, d.ld));
  for (int i = 0; i < 4; i++) {
    good("batches", cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                     &batches, sizeof batches));
    good("steps",
         cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                          &steps[i], sizeof *steps));
  }
  good("PreferenceCreate", cublasLtMatmulPreferenceCreate(&any));
  good("Heuristic", cublasLtMatmulAlgoGetHeuristic(other, product, layouts[0], layouts[1],
                                                   layouts[2], layouts[3], any, 1, &how, &found));
  check("algorithms", found != 1, 0);
  good("Matmul",
       cublasLtMatmul(other, product, &one, a.device, layouts[0], b.device, layouts[1], &keep,
                      c.device, layouts[2], d.device, layouts[3], &how.algo, nullptr, 0, nullptr));
  std::vector<float> now = d.back(), before = aux.back();
  auto sum = [&](int i, int j) {
    double x = 0;
    for (int l = 0; l < k; l++)
      x += 0.125 * a.at(CUBLAS_OP_N, l, j / n * m + i) * b.at(CUBLAS_OP_N, l, j);
    return x;
  };
  for (int j = 0; j < 2 * n; j++)
    for (int i = 0; i < m; i++) {
      const double x = sum(i, j) + c.at(CUBLAS_OP_N, i, j) + bias.host[i];
      check("before GELU", fabs(before[i + (size_t)j * ld] - x), 0);
      check("GELU", fabs(now[i + (size_t)j * d.ld] - gelu(x)), 1e-5 * (1 + fabs(x)));
    }
  /* Chooses arguments near 0, where the derivative is neither 0 nor 1. */
  for (size_t i = 0; i < aux.host.size(); i++)
    aux.host[i] = (float)(int)(i % 13) / 4 - 1.5f;
  cudaMemcpy(aux.device, aux.host.data(), aux.host.size() * sizeof(float), cudaMemcpyHostToDevice);
  SET(EPILOGUE, back);
  const float none = 0;
  good("Matmul",
       cublasLtMatmul(other, product, &one, a.device, layouts[0], b.device, layouts[1], &none,
                      d.device, layouts[3], d.device, layouts[3], nullptr, nullptr, 0, nullptr));
  now = d.back();
  for (int j = 0; j < 2 * n; j++)
    for (int i = 0; i < m; i++) {
      const double x = aux.host[i + (size_t)j * ld],
                   slope = (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5;
      check("GELU's slope", fabs(now[i + (size_t)j * d.ld] - slope * sum(i, j)),
            1e-5 * (1 + fabs(sum(i, j))));
    }
  back = CUBLASLT_EPILOGUE_BGRADB;
  SET(EPILOGUE, back);
  cublasLtMatmulAlgoGetHeuristic(other, product, layouts[0], layouts[1], layouts[3], layouts[3],
                                 any, 1, &how, &found);
  check("what is not supported", found, 0);
  cublasLtMatmulPreferenceDestroy(any);
  for (int i = 1; i < 4; i++)
    cublasLtMatrixLayoutDestroy(layouts[i]);
  cublasLtMatmulDescDestroy(product);
  good("LtDestroy", cublasLtDestroy(other));
#undef SET
}

/* Tests that a call in a capturing stream fails and adds no node to the graph. */
static void captured() {
  float *x, factor = 2;
  size_t nodes = 1;
  cudaStream_t stream, before;
  cudaGraph_t graph;
  cudaMalloc(&x, 4 * sizeof *x);
  cudaStreamCreate(&stream);
  good("GetStream", cublasGetStream(handle, &before));
  good("SetStream", cublasSetStream(handle, stream));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cublasStatus_t status = cublasSscal(handle, 4, &factor, x, 1);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphGetNodes(graph, nullptr, &nodes);
  if (status != CUBLAS_STATUS_NOT_SUPPORTED || nodes)
    failed = printf("captured: %s, %zu nodes\n", cublasGetStatusString(status), nodes);
  good("SetStream", cublasSetStream(handle, before));
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(x);
}

int main() {
  good("Create", cublasCreate(&handle));
  all<float>();
  all<double>();
  halves(7, 5, 11);
  the_rest();
  light(5, 7, 11);
  captured();
  good("Destroy", cublasDestroy(handle));
  puts(failed ? "wrong" : "good");
  return failed;
}
