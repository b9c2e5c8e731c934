// Typical C++ code: streams, containers, exceptions, clocks, random numbers and static objects.
// expect: unwritten | none-written
#include "lab.h"
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
static const int table[] = {1, 2, 3};
static std::vector<int> numbers(table, table + 3);
static std::string heading = "lab " + std::to_string(1);
static int work(int n) {
  std::map<std::string, int> named;
  named["n"] = n;
  std::ostringstream text;
  text << std::setw(5) << std::fixed << 1.5 << n << heading;
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  auto start = std::chrono::steady_clock::now();
  std::unique_ptr<float[]> many(new float[100]);
  std::generate(many.get(), many.get() + 100, [&] { return uniform(generator); });
  std::shared_ptr<int> shared = std::make_shared<int>(n);
  std::function<int(int)> add = [&](int x) { return x + *shared; };
  std::sort(numbers.begin(), numbers.end(), std::greater<int>());
  try {
    if (std::accumulate(many.get(), many.get() + 100, 0.0) > n)
      throw std::runtime_error("sum");
  } catch (const std::exception &e) {
    std::cerr << e.what() << std::endl;
  }
  double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << text.str() << passed << named["n"] << std::endl;
  assert(n < 1000);
  return add(numbers[0]);
}
static int attack() { return work((int)numbers.size()); }
