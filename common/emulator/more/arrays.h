/* What textures need to know of arrays. */
#ifndef MORE_ARRAYS_H
#define MORE_ARRAYS_H

#include "../runtime/runtime.h"

/* 1, 2 or 4 channels of 1, 2 or 4 bytes; false: another format. */
bool runtime_channels(const struct cudaChannelFormatDesc *, uint8_t *channels, uint8_t *bytes);

#endif
