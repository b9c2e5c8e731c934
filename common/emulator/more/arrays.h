/* Declares the function of arrays.c that textures.c uses. */
#ifndef MORE_ARRAYS_H
#define MORE_ARRAYS_H

#include "../runtime/runtime.h"

/* Stores the number of channels and the bytes per channel, and returns true, if both are 1, 2 or 4.
 * Otherwise returns false. */
bool runtime_channels(const struct cudaChannelFormatDesc *, uint8_t *channels, uint8_t *bytes);

#endif
