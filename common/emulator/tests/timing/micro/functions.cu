/* Functions of the math library, for arguments of ordinary size. Each body adds or multiplies once
 * more, so that x stays in a range where the function takes its usual path. */
#include "chains.h"

#define OPS(_)                                                                                     \
  _(add_f32, float, x = x + y, 0.5f, 1e-3f)                                                        \
  _(add_f64, double, x = x + y, 0.5, 1e-3)                                                         \
  _(sinf, float, x = sinf(x) + y, 0.5f, 0.7f)                                                      \
  _(cosf, float, x = cosf(x) + y, 0.5f, 0.7f)                                                      \
  _(tanf, float, x = tanf(x) * y, 0.5f, 0.5f)                                                      \
  _(asinf, float, x = asinf(x) * y, 0.5f, 0.7f)                                                    \
  _(acosf, float, x = acosf(x) * y, 0.5f, 0.5f)                                                    \
  _(atanf, float, x = atanf(x) + y, 0.5f, 0.7f)                                                    \
  _(atan2f, float, x = atan2f(x, y) + y, 0.5f, 0.7f)                                               \
  _(expf, float, x = expf(x) * y, 0.1f, 0.1f)                                                      \
  _(exp2f, float, x = exp2f(x) * y, 0.1f, 0.1f)                                                    \
  _(exp10f, float, x = exp10f(x) * y, 0.1f, 0.1f)                                                  \
  _(logf, float, x = logf(x) + y, 3, 2)                                                            \
  _(log2f, float, x = log2f(x) + y, 3, 2)                                                          \
  _(log10f, float, x = log10f(x) + y, 3, 2)                                                        \
  _(log1pf, float, x = log1pf(x) + y, 3, 2)                                                        \
  _(expm1f, float, x = expm1f(x) * y + y, 0.1f, 0.1f)                                              \
  _(powf, float, x = powf(x, y) + y, 1.5f, 0.7f)                                                   \
  _(tanhf, float, x = tanhf(x) + y, 0.5f, 0.3f)                                                    \
  _(sinhf, float, x = sinhf(x) * y, 0.5f, 0.7f)                                                    \
  _(coshf, float, x = coshf(x) * y, 0.5f, 0.5f)                                                    \
  _(erff, float, x = erff(x) + y, 0.5f, 0.3f)                                                      \
  _(erfcf, float, x = erfcf(x) + y, 0.5f, 0.3f)                                                    \
  _(cbrtf, float, x = cbrtf(x) + y, 2, 0.7f)                                                       \
  _(hypotf, float, x = hypotf(x, y) * y, 0.5f, 0.7f)                                               \
  _(fmodf, float, x = fmodf(x, y) + 3 * y, 2, 0.7f)                                                \
  _(sin, double, x = sin(x) + y, 0.5, 0.7)                                                         \
  _(cos, double, x = cos(x) + y, 0.5, 0.7)                                                         \
  _(tan, double, x = tan(x) * y, 0.5, 0.5)                                                         \
  _(atan, double, x = atan(x) + y, 0.5, 0.7)                                                       \
  _(exp, double, x = exp(x) * y, 0.1, 0.1)                                                         \
  _(exp2, double, x = exp2(x) * y, 0.1, 0.1)                                                       \
  _(log, double, x = log(x) + y, 3, 2)                                                             \
  _(log2, double, x = log2(x) + y, 3, 2)                                                           \
  _(log10, double, x = log10(x) + y, 3, 2)                                                         \
  _(pow, double, x = pow(x, y) + y, 1.5, 0.7)                                                      \
  _(tanh, double, x = tanh(x) + y, 0.5, 0.3)                                                       \
  _(erf, double, x = erf(x) + y, 0.5, 0.3)                                                         \
  _(cbrt, double, x = cbrt(x) + y, 2, 0.7)

/* The kernels have names of their own: those of the functions are taken. */
#define KERNEL(name, T, body, x0, y0) OP(k_##name, T, body, x0, y0)
#define MEASURE_IT(name, T, body, x0, y0) MEASURE(k_##name, T, body, x0, y0)
OPS(KERNEL)
int main() {
  mechanism = "function";
  const int sms = multiprocessors();
  double *out = zeros<double>((size_t)sms * 1024);
  Ticks one(1), all(sms);
  OPS(MEASURE_IT)
  return 0;
}
