/* For programs of NVIDIA's samples, which include a header of this name from the folder Common/:
 * reads options on the command line, such as -n=5 or --device=0, and finds data files. Written for
 * this workbook; works with any compiler and device. */
#ifndef HELPER_STRING_H
#define HELPER_STRING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <strings.h>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) ((result) == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* Returns the number of `delimiter` characters at the beginning of a text. */
inline int stringRemoveDelimiter(char delimiter, const char *text) {
  int count = 0;
  while (text[count] == delimiter)
    count++;
  return text[count] ? count : 0;
}

inline int getFileExtension(char *name, char **extension) {
  char *dot = strrchr(name, '.');
  *extension = dot ? dot + 1 : name + strlen(name);
  return (int)(*extension - name);
}

/* Returns the text after -NAME in an argument: "", or a text that begins with =. Returns NULL if no
 * argument has this name. */
inline const char *sdkArgument(int argc, const char **argv, const char *name) {
  const size_t length = strlen(name);
  for (int i = 1; i < argc; i++) {
    const char *text = argv[i] + stringRemoveDelimiter('-', argv[i]);
    if (text != argv[i] && strncasecmp(text, name, length) == 0 &&
        (text[length] == '=' || !text[length]))
      return text + length;
  }
  return NULL;
}
inline const char *sdkArgumentValue(int argc, const char **argv, const char *name) {
  const char *value = sdkArgument(argc, argv, name);
  return value && *value == '=' ? value + 1 : value;
}

inline bool checkCmdLineFlag(int argc, const char **argv, const char *name) {
  return sdkArgument(argc, argv, name) != NULL;
}
/* Returns the value of an integer option; 0 if the option is missing. */
inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name) {
  const char *value = sdkArgumentValue(argc, argv, name);
  return value ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name) {
  const char *value = sdkArgumentValue(argc, argv, name);
  return value ? (float)atof(value) : 0;
}
inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **text) {
  const char *value = sdkArgumentValue(argc, argv, name);
  *text = (char *)value;
  return value && *value;
}
template <class T>
inline bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *value) {
  const char *text = sdkArgumentValue(argc, argv, name);
  if (text && *text)
    *value = (T)atof(text);
  return text && *text;
}

/* Finds a file in the working directory, in the folder of the program, or in a folder named data.
 * Returns its path, which the caller frees; NULL if there is no such file. */
inline char *sdkFindFilePath(const char *name, const char *program) {
  const std::string path = program ? program : "";
  const size_t slash = path.rfind('/');
  const std::string beside = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  const std::string folders[] = {"",
                                 "data/",
                                 "Data/",
                                 "../data/",
                                 "../Data/",
                                 "../../data/",
                                 "../../Common/data/",
                                 "../../../Common/data/",
                                 beside,
                                 beside + "data/",
                                 beside + "../data/"};
  for (const std::string &folder : folders)
    if (FILE *file = fopen((folder + name).c_str(), "rb")) {
      fclose(file);
      return strdup((folder + name).c_str());
    }
  return NULL;
}

#endif
