/* Functions of arrays that textures use. */
#ifndef MORE_ARRAYS_H
#define MORE_ARRAYS_H

#include "../runtime/runtime.h"

/* Returns false unless the format has 1, 2 or 4 channels of 1, 2 or 4 bytes. */
bool runtime_channels(const struct cudaChannelFormatDesc *, uint8_t *channels, uint8_t *bytes);

#endif
