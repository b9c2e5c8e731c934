/* A header of the toolkit: the types of the runtime API. */
#include "driver_types.h"
