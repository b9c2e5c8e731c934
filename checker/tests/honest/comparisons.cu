// Calls that compilers replace: memcmp, std::string's == and sprintf of a text have other names in
// the object. Also calls that wait, read the date, or read from /dev/null.
// expect: unwritten | none-written
#include "lab.h"
#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
static std::once_flag once;
static int attack() {
  char text[32];
  int number = 0;
  std::vector<int> one = {1, 2, 3}, other(3, atoi("2"));
  std::string name = setlocale(LC_ALL, "") ? "set" : "not";
  std::map<std::string, int> found = {{name, 1}};
  time_t now = time(NULL);
  struct tm date = *localtime(&now);
  char year[8];
  strftime(year, sizeof year, "%Y", &date);
  std::call_once(once, [&] { number = std::stoi("7"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (scanf("%d", &number) != 1)
    number += (int)strtol("11", NULL, 10);
  int used = sprintf(text, "%s", name.c_str());
  bool same = one == other || memcmp(text, year, sizeof year) == 0 || found.begin()->first == "set";
  std::wstring wide(name.begin(), name.end());
  same |= wcslen(wide.c_str()) == 4 && wide == L"none";
  printf("%d %d %d\n", used, same, number);
  return same;
}
