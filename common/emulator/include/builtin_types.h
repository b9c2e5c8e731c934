/* Programs may include this header of the toolkit; driver_types.h has the types. */
#include "driver_types.h"
