// Templates whose instantiation would take the compiler years.
// expect: not-compiled | the compiler was stopped
// compile: 2
#include "lab.h"
template <int N, int M> struct Tree {
  static constexpr int value = Tree<N - 1, 2 * M>::value + Tree<N - 1, 2 * M + 1>::value;
};
template <int M> struct Tree<0, M> { static constexpr int value = M; };
static int attack() { return Tree<28, 0>::value; }
