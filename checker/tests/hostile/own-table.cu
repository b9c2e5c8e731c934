// Declares the harness's table of variants as its own.
// expect: unwritten | none-written
#include "lab.h"
extern "C" const struct { const char *title; } lab;
static int attack() { return lab.title[0]; }
