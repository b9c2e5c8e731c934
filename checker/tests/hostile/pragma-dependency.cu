// Tries to learn about files from the compiler: the date of a file (#pragma GCC dependency),
// whether another file of the same name exists, and the contents of a file (#embed).
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
