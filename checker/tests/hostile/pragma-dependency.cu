// Asks the compiler for the date of a file, for the next file of the same name, and for the
// contents of a file.
// expect: not-compiled | '/etc/passwd' file not found
#include "lab.h"
_Pragma("GCC dependency \"/etc/passwd\"")
#pragma GCC dependency "@ROOT@/build/secret"
#if __has_include_next("naive.cu")
#error BREACH
#endif
#embed "/etc/passwd"
    static int attack() {
  return 0;
}
