/* Computes with the sizes and offsets that a PTX text declares. The results never overflow: if a
 * size exceeds 4 GiB, loading fails. */
#include "ptx.h"

static const uint64_t size_most = UINT64_C(1) << 32;

Size size_times(Loader *loader, Size size, uint64_t count) {
  if (count && size.bytes > size_most / count)
    fail(loader, loader->token.line, "an array of more than 4 GiB");
  return (Size){size.bytes * count};
}

Size size_plus(Loader *loader, Size size, uint64_t bytes) {
  if (bytes > size_most || size.bytes > size_most - bytes)
    fail(loader, loader->token.line, "an array of more than 4 GiB");
  return (Size){size.bytes + bytes};
}
