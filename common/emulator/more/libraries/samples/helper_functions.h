/* For programs of NVIDIA's samples (see helper_string.h): includes all headers with helper
 * functions for host code. */
#ifndef HELPER_FUNCTIONS_H
#define HELPER_FUNCTIONS_H

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

#include <algorithm>
#include <assert.h>
#include <fstream>
#include <iostream>
#include <math.h>
#include <string>
#include <vector>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

#endif
