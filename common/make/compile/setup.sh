#!/bin/sh
# Installs the programs and libraries that Lockstep needs and this machine lacks. It first prints
# their names and why they are needed. On Debian and Ubuntu it uses apt-get; on other systems it
# only prints the names. It tests each program and library itself instead of asking the package
# manager, so it also finds a compiler in /opt.
#
#   setup.sh             for the labs
#   setup.sh slides      for `make slides`; prints nothing if nothing is missing
#   setup.sh libraries   for programs that call cuBLAS, cuFFT, thrust and cub

trial=$(mktemp) || exit 2
needed=$(mktemp) || exit 2
trap 'rm -f "$trial" "$needed"' EXIT

links() { # LIBRARIES: fails unless the C program on standard input compiles and links
  cc -x c - -o "$trial" "$@"
}

have_c() {
  cc --version && c++ --version && echo '#include <stdio.h>
    int main(void) { return puts(""); }' | links
}

have_clang() { # tests for a clang that compiles CUDA, and its C++ library
  for clang in ${CLANG:-clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14}; do
    $clang --version && return
  done
  return 1
}

have_cmocka() {
  echo '#include <setjmp.h>
    #include <stdarg.h>
    #include <stddef.h>
    #include <stdint.h>
    #include <cmocka.h>
    int main(void) { skip(); }' | links -lcmocka
}

have_jansson() {
  echo '#include <jansson.h>
    int main(void) { return !json_null(); }' | links -ljansson
}

have_libmicrohttpd() {
  echo '#include <microhttpd.h>
    int main(void) { return !MHD_get_version(); }' | links -lmicrohttpd
}

have_libseccomp() {
  echo '#include <seccomp.h>
    int main(void) { return !seccomp_init(SCMP_ACT_ALLOW); }' | links -lseccomp
}

have_libarchive() {
  echo '#include <archive.h>
    int main(void) { return !archive_read_new(); }' | links -larchive
}

have_libyaml() {
  echo '#include <yaml.h>
    int main(void) { return !yaml_get_version_string(); }' | links -lyaml
}

have_zlib() {
  echo '#include <zlib.h>
    int main(void) { return !zlibVersion(); }' | links -lz
}

have_libunistring() {
  echo '#include <uninorm.h>
    int main(void) { return !u8_normalize(UNINORM_NFC, 0, 0, 0, &(size_t){0}); }' | links -lunistring
}

have_blas() {
  echo '#include <cblas.h>
    int main(void) { return cblas_sdot(0, 0, 1, 0, 1) != 0; }' | links -lopenblas
}

have_fftw() {
  echo '#include <fftw3.h>
    int main(void) { return fftw_alignment_of(0) + fftwf_alignment_of(0); }' | links -lfftw3 -lfftw3f
}

have_thrust() { [ -e /usr/include/thrust/version.h ] && [ -e /usr/include/cub/version.cuh ]; }

have_libcuxx() { echo '#include <cuda/std/version>' | c++ -x c++ -E -; }

have_patch() { patch --version; }
have_bwrap() { bwrap --version; }
have_gnuplot() { gnuplot --version; }
have_browser() { "$(sh common/make/pictures/browser.sh)" --version; }
have_node() { [ "$(node --version | tr -dc '0-9.' | cut -d. -f1)" -ge 18 ]; }
have_npm() { npm --version; }

needs() { # CHECK PACKAGE WHAT FOR
  if [ "$1" = slides ]; then
    cat <<'END'
have_c g++ compiles what fills in the slides' code and numbers
have_browser chromium Chromium, makes the PDF of a deck
have_node nodejs Node.js 18 or later, runs Marp
have_npm npm fetches Marp
END
  elif [ "$1" = libraries ]; then
    cat <<'END'
have_blas libopenblas-dev OpenBLAS, computes for cuBLAS
have_fftw libfftw3-dev FFTW, computes for cuFFT
have_thrust libthrust-dev thrust and cub, NVIDIA's own, which are C++ and run as they are
have_libcuxx libcu++-dev libcu++, NVIDIA's own: <cuda/atomic>, <cuda/pipeline>
END
  else
    cat <<'END'
have_c g++ compiles the emulated device, the harness and the checker
have_clang clang compiles CUDA programs; no CUDA Toolkit is needed
have_cmocka libcmocka-dev CMocka, the engine of the checks
have_jansson libjansson-dev jansson, reads and writes JSON
have_libmicrohttpd libmicrohttpd-dev libmicrohttpd, serves the page of make step
have_libseccomp libseccomp-dev libseccomp, what a program in the sandbox may ask of the system
have_gnuplot gnuplot-nox gnuplot draws the curves of a sweep
END
    # A handout has no programs for grading a class, and does not need their libraries.
    [ ! -d checker/intake ] || cat <<'END'
have_libarchive libarchive-dev libarchive, reads what a class hands in
have_libyaml libyaml-dev libyaml, reads the names in what Gradescope exports
have_libunistring libunistring-dev libunistring, knows a name whose accents came apart
have_zlib zlib1g-dev zlib, checks that an archive is whole
have_bwrap bubblewrap bubblewrap, the sandbox for what a class hands in
have_patch patch patch, makes wrong solutions of right ones, for the tests
END
  fi
}

look() { # sets `missing`, and prints a line for each missing package
  missing=
  while read -r check package reason; do
    if ! "$check" >/dev/null 2>&1 </dev/null; then
      missing="$missing $package"
      printf '  %-16s %s\n' "$package" "$reason"
    fi
  done <"$needed"
}

needs "$1" >"$needed"
lacking=$(look)
if [ -z "$lacking" ]; then
  [ "$1" = slides ] || echo 'setup: nothing to install, everything is installed'
  exit 0
fi
echo 'setup: this machine lacks'
look
if ! command -v apt-get >/dev/null; then
  echo "setup: no apt-get here: install these with the package manager of your system, then run make setup again" >&2
  exit 2
fi
install="apt-get install -y --no-install-recommends$missing"
as_root=
if [ "$(id -u)" != 0 ]; then
  as_root=sudo
  if ! command -v sudo >/dev/null || ! sudo -v; then
    echo "setup: you may not use sudo here: ask an administrator to type: apt-get update && $install" >&2
    exit 2
  fi
fi

echo 'setup: installs them now; this takes a minute or two'
echo '  apt-get update'
# If the update fails, the installation may still succeed, so the status of the update is ignored.
$as_root apt-get update >"$trial" 2>&1 </dev/null
echo "  $install"
if ! $as_root env DEBIAN_FRONTEND=noninteractive $install >>"$trial" 2>&1 </dev/null; then
  if grep -q -e 'Could not resolve' -e 'Temporary failure resolving' -e 'Could not connect' -e 'Network is unreachable' "$trial"; then
    echo 'setup: the package servers cannot be reached: check the network, and type make setup again' >&2
  else
    tail -n 20 "$trial" >&2
    echo "setup: failed: $install" >&2
  fi
  exit 2
fi

look >"$trial"
if [ -n "$missing" ]; then
  echo "setup: installed, but these still do not work:$missing" >&2
  exit 2
fi
echo 'setup: done'
