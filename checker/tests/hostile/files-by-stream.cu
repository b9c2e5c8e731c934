// Reads a solution with a C++ file stream.
// expect: ended-early | contained
#include "lab.h"
#include <cstdlib>
#include <fstream>
#include <iostream>
static int attack() {
  std::ifstream solution("@ROOT@/solutions/01-naive/naive.cu");
  std::cout << (solution.good() ? "BREACH" : "contained") << std::endl;
  std::exit(3);
}
