/* For programs of NVIDIA's samples (see helper_string.h): reads and writes images (PGM and PPM) and
 * files of numbers, and compares data. */
#ifndef HELPER_IMAGE_H
#define HELPER_IMAGE_H

#include "helper_string.h"

#include <fstream>
#include <math.h>
#include <stdint.h>
#include <vector>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN_EPSILON_ERROR
#define MIN_EPSILON_ERROR 1e-3f
#endif
#ifndef MAX_EPSILON_ERROR
#define MAX_EPSILON_ERROR 5e-3f
#endif

/* ---- pictures -------------------------------------------------------------------------------- */
/* Loads an image with one byte per channel and 1 (P5) or 3 (P6) channels. If *data is NULL,
 * allocates it with malloc. */
inline bool __loadPPM(const char *name, unsigned char **data, unsigned int *width,
                      unsigned int *height, unsigned int *channels) {
  std::ifstream file(name, std::ios::binary);
  unsigned int numbers[3] = {0, 0, 0};
  std::string kind, word;
  file >> kind;
  for (unsigned int found = 0; found < 3 && file >> word;) {
    if (word[0] == '#')
      getline(file, word);
    else
      numbers[found++] = (unsigned int)atol(word.c_str());
  }
  file.get(); /* skips the white space before the pixel data */
  if (!file || (kind != "P5" && kind != "P6") || numbers[2] != 255) {
    fprintf(stderr, "%s: no PGM or PPM with one byte a channel\n", name);
    return false;
  }
  *channels = kind == "P5" ? 1 : 3;
  const size_t bytes = (size_t)numbers[0] * numbers[1] * *channels;
  if (*data && (*width != numbers[0] || *height != numbers[1])) {
    fprintf(stderr, "%s: %u x %u, expected %u x %u\n", name, numbers[0], numbers[1], *width,
            *height);
    return false;
  }
  if (!*data)
    *data = (unsigned char *)malloc(bytes);
  *width = numbers[0];
  *height = numbers[1];
  return *data && file.read((char *)*data, (std::streamsize)bytes);
}
inline bool __savePPM(const char *name, const unsigned char *data, unsigned int width,
                      unsigned int height, unsigned int channels) {
  std::ofstream file(name, std::ios::binary);
  file << (channels == 1 ? "P5\n" : "P6\n") << width << "\n" << height << "\n255\n";
  file.write((const char *)data, (std::streamsize)((size_t)width * height * channels));
  return (bool)file;
}

/* Convert between the bytes of an image and values: floats from 0 to 1, or bytes. */
inline void sdkFromByte(unsigned char byte, unsigned char *to) { *to = byte; }
inline void sdkFromByte(unsigned char byte, float *to) { *to = (float)byte / 255; }
inline unsigned char sdkToByte(unsigned char value) { return value; }
inline unsigned char sdkToByte(float value) { return (unsigned char)(value * 255); }

template <class T>
inline bool sdkLoadPGM(const char *name, T **data, unsigned int *width, unsigned int *height) {
  unsigned char *bytes = NULL;
  unsigned int channels = 0;
  if (!__loadPPM(name, &bytes, width, height, &channels) || channels != 1) {
    free(bytes);
    return false;
  }
  const size_t count = (size_t)*width * *height;
  if (!*data)
    *data = (T *)malloc(count * sizeof(T));
  for (size_t i = 0; i < count; i++)
    sdkFromByte(bytes[i], *data + i);
  free(bytes);
  return true;
}
template <class T>
inline bool sdkSavePGM(const char *name, T *data, unsigned int width, unsigned int height) {
  std::vector<unsigned char> bytes((size_t)width * height);
  for (size_t i = 0; i < bytes.size(); i++)
    bytes[i] = sdkToByte(data[i]);
  return __savePPM(name, bytes.data(), width, height, 1);
}

/* Loads an image with four bytes per pixel, of which the last is 0. */
inline bool sdkLoadPPM4ub(const char *name, unsigned char **data, unsigned int *width,
                          unsigned int *height) {
  unsigned char *bytes = NULL;
  unsigned int channels = 0;
  if (!__loadPPM(name, &bytes, width, height, &channels) || channels != 3) {
    free(bytes);
    return false;
  }
  const size_t count = (size_t)*width * *height;
  if (!*data)
    *data = (unsigned char *)malloc(4 * count);
  for (size_t i = 0; i < count; i++) {
    memcpy(*data + 4 * i, bytes + 3 * i, 3);
    (*data)[4 * i + 3] = 0;
  }
  free(bytes);
  return true;
}
template <class T>
inline bool sdkLoadPPM4(const char *name, T **data, unsigned int *width, unsigned int *height) {
  return sdkLoadPPM4ub(name, (unsigned char **)data, width, height);
}
inline bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned int width,
                          unsigned int height) {
  std::vector<unsigned char> bytes((size_t)width * height * 3);
  for (size_t i = 0; i < (size_t)width * height; i++)
    memcpy(&bytes[3 * i], data + 4 * i, 3);
  return __savePPM(name, bytes.data(), width, height, 3);
}
inline bool sdkSavePPMub(const char *name, unsigned char *data, unsigned int width,
                         unsigned int height) {
  return __savePPM(name, data, width, height, 3);
}

/* ---- files of numbers ------------------------------------------------------------------------ */
template <class T>
inline bool sdkReadFile(const char *name, T **data, unsigned int *count, bool verbose) {
  std::ifstream file(name);
  std::vector<T> numbers;
  T number;
  while (file >> number)
    numbers.push_back(number);
  if (numbers.empty() && verbose)
    fprintf(stderr, "%s: no numbers in it\n", name);
  if (*data && *count != numbers.size())
    return false;
  if (!*data)
    *data = (T *)malloc(numbers.size() * sizeof(T));
  for (size_t i = 0; i < numbers.size(); i++)
    (*data)[i] = numbers[i];
  *count = (unsigned int)numbers.size();
  return !numbers.empty();
}
template <class T, class Epsilon>
inline bool sdkWriteFile(const char *name, const T *data, unsigned int count, Epsilon epsilon,
                         bool verbose, bool append = false) {
  std::ofstream file(name, append ? std::ios::app : std::ios::out);
  if (!file && verbose)
    fprintf(stderr, "%s: cannot be written\n", name);
  file << "# " << epsilon << "\n";
  for (unsigned int i = 0; i < count; i++)
    file << data[i] << " ";
  file << std::endl;
  return (bool)file;
}

/* ---- comparisons ----------------------------------------------------------------------------- */
/* Returns the number of elements that differ by more than `epsilon`. A NaN differs from all
 * numbers. */
template <class T, class Epsilon>
inline unsigned int sdkDifferences(const T *reference, const T *data, size_t count,
                                   Epsilon epsilon) {
  unsigned int differ = 0;
  for (size_t i = 0; i < count; i++)
    differ += !(fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);
  return differ;
}
/* Returns true if at most the fraction `threshold` of the elements differs. */
template <class T, class Epsilon>
inline bool compareData(const T *reference, const T *data, unsigned int count, Epsilon epsilon,
                        float threshold) {
  const unsigned int differ = sdkDifferences(reference, data, count, epsilon);
  if (differ)
    printf("%u of %u elements differ\n", differ, count);
  return threshold == 0 ? differ == 0 : (float)differ < threshold * (float)count;
}
template <class T, class Epsilon>
inline bool compareDataAsFloatThreshold(const T *reference, const T *data, unsigned int count,
                                        Epsilon epsilon, float threshold) {
  return compareData(reference, data, count, epsilon, threshold);
}
/* Returns true if the norm of the difference, divided by the norm of the reference, is below
 * epsilon. */
inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned int count,
                           float epsilon) {
  double error = 0, length = 0;
  for (unsigned int i = 0; i < count; i++) {
    const double difference = (double)reference[i] - data[i];
    error += difference * difference;
    length += (double)reference[i] * reference[i];
  }
  if (!(length > 1e-14)) {
    fprintf(stderr, "the reference is zero\n");
    return false;
  }
  return sqrt(error) < epsilon * sqrt(length);
}
inline bool sdkComparePictures(const char *name, const char *reference_name, float epsilon,
                               float threshold) {
  unsigned char *data = NULL, *reference = NULL;
  unsigned int width = 0, height = 0, channels = 0, width_2 = 0, height_2 = 0, channels_2 = 0;
  bool same = __loadPPM(name, &data, &width, &height, &channels) &&
              __loadPPM(reference_name, &reference, &width_2, &height_2, &channels_2) &&
              width == width_2 && height == height_2 && channels == channels_2 &&
              compareData(reference, data, width * height * channels, epsilon, threshold);
  free(data);
  free(reference);
  return same;
}
inline bool sdkComparePPM(const char *name, const char *reference, float epsilon, float threshold,
                          bool verbose) {
  (void)verbose;
  return sdkComparePictures(name, reference, epsilon, threshold);
}
inline bool sdkComparePGM(const char *name, const char *reference, float epsilon, float threshold,
                          bool verbose) {
  (void)verbose;
  return sdkComparePictures(name, reference, epsilon, threshold);
}

#endif
