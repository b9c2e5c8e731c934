// A switch over billions of labels, and a hundred thousand brackets.
// expect: not-compiled | expected expression
// compile: 20
#include "lab.h"
#define A(x) x x x x x x x x x x
static int attack() {
  switch (attack()) {
  case 0 ... 2147483646:
    return 1;
  }
  return A(A(A(A(A((  )))))) 0 A(A(A(A(A() )))));
}
