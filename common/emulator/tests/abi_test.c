/* Compiles abi.c with our headers and with the toolkit's headers, and compares the output. Skipped
 * if CUDA Toolkit 13, which our headers follow, is not installed. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static const char script[] =
    "nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc); toolkit=$(readlink -f $nvcc); "
    "toolkit=${toolkit%/bin/nvcc}/include; "
    "grep -qs 'define CUDART_VERSION *13' $toolkit/cuda_runtime_api.h || exit 77; "
    "work=$(mktemp -d) && trap 'rm -r $work' EXIT; cd common/emulator/tests && "
    "${CC:-cc} -std=c11 -isystem ../include abi.c -o $work/ours && "
    "${CC:-cc} -std=c11 -isystem $toolkit abi.c -o $work/theirs && "
    "$work/ours >$work/ours.txt && $work/theirs >$work/theirs.txt && "
    "[ $(wc -l <$work/ours.txt) -gt 300 ] && diff $work/ours.txt $work/theirs.txt";

int main(void) {
  int status = system(script);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  puts(code == 77 ? "no CUDA Toolkit 13 to compare with"
       : code     ? "our headers differ from the toolkit's"
                  : "the same");
  return code;
}
