// A constant expression whose evaluation would take the compiler years.
// expect: not-compiled | not an integral constant expression
// compile: 20
#include "lab.h"
constexpr unsigned long long turn(unsigned long long n) {
  unsigned long long sum = 0;
  for (unsigned long long i = 0; i < n; i++)
    sum += i * n;
  return sum;
}
static_assert(turn(1ull << 60) != 1, "");
static int attack() { return 0; }
