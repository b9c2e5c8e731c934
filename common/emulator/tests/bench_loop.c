/* The lecture's matrix product on one CPU core. B is passed transposed, so that both operands are
 * read along their rows. The file is compiled with the options for a student's file (-O2 without
 * -ffast-math), so the terms are added in order. */
void bench_loop(const float *A, const float *B_transposed, float *C, int n);

void bench_loop(const float *A, const float *B_transposed, float *C, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int l = 0; l < n; l++)
        sum += A[i * n + l] * B_transposed[j * n + l];
      C[i * n + j] = sum;
    }
}
