// What the compiler says of a file's date, of a file that is the next of its name, and of one that is embedded.
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
