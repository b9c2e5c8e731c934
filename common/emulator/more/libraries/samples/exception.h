/* For programs of NVIDIA's samples (see helper_string.h): exceptions whose text contains the file
 * and the line. */
#ifndef EXCEPTION_H
#define EXCEPTION_H

#include <exception>
#include <iostream>
#include <stdexcept>
#include <stdlib.h>
#include <string>

template <class Standard> class Exception : public Standard {
public:
  Exception(const std::string &text) : Standard(text) {}
  static void throw_it(const char *file, int line, const char *text) {
    throw Exception(std::string(file) + ":" + std::to_string(line) + ": " + text);
  }
  static void throw_it(const char *file, int line, const std::string &text) {
    throw_it(file, line, text.c_str());
  }
};

template <class Standard> inline void handleException(const Standard &exception) {
  std::cerr << exception.what() << std::endl;
  exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(text) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, text)
#define LOGIC_EXCEPTION(text) Exception<std::logic_error>::throw_it(__FILE__, __LINE__, text)
#define RANGE_EXCEPTION(text) Exception<std::range_error>::throw_it(__FILE__, __LINE__, text)

#endif
