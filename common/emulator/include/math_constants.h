/* CUDA's names for infinities, NaNs and mathematical constants. */
#ifndef MATH_CONSTANTS_H
#define MATH_CONSTANTS_H

#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_MAX_NORMAL_F 3.402823466e+38f
#define CUDART_MIN_DENORM_F 1.401298464e-45f
#define CUDART_PI_F 3.141592654f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI 3.14159265358979323846
#define CUDART_SQRT_TWO 1.41421356237309504880

#endif
