/* Includes the header of libstdc++ with this name, which contains __attribute__((__noinline__)).
 * host_defines.h may define __noinline__ as a macro, which must not be expanded in this header. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
