/* This header of libstdc++ contains __attribute__((__noinline__)), but CUDA programs write
 * __noinline__ alone. If host_defines.h defines it as a macro, the macro must be undefined here. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.tcc>
#pragma pop_macro("__noinline__")
