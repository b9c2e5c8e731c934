/* libstdc++ writes __attribute__((__noinline__)) in this header, CUDA programs write __noinline__
 * alone: where the second is a macro (host_defines.h), it must not be one here. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.h>
#pragma pop_macro("__noinline__")
