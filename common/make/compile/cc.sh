# Implements lockstep-cc, which replaces nvcc for the emulated device. make writes the script
# build/bin/lockstep-cc (play.mk), which has the recipes of cuda.mk as shell functions and sources
# this file. This file parses the command line of nvcc. It refuses an unsupported option with a
# one-line message, and ignores options for the GPU's assembler.

say() {
  echo "lockstep-cc: $1" >&2
  exit 1
}

sources= objects= output= what=program cuda= failed= relocatable= verbose=
# The options of each step, quoted for the shell. common: all compilations; preprocessor: headers.
common= preprocessor= linker= openmp= standard=-std=c++17 dependencies= dependencies_to= dependencies_of=
for_nvcc= # options that only nvcc needs
limit= # for -maxrregcount: an option of sed that adds the limit to the PTX
host= host_words= # from -Xcompiler: options of the host side only, quoted for the shell, and as words
quoted() { printf " '%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
# Adds an option. Precompiled headers are not used with options that can change the meaning of
# headers.
common() {
  common=$common$(quoted "$1")
  case $1 in -D_* | -DCU* | -DTHRUST_* | -DNDEBUG* | -[!DIw]*) parsed= ;; esac
}
host() { host=$host$(quoted "$1") host_words="$host_words $1" parsed=; }
linker() { linker=$linker$(quoted "$1"); }

# Returns true for the include folder of a CUDA toolkit. Such a folder is left out, because its
# headers would be found before those of the emulated device.
is_toolkit() { [ -e "$1/cuda_runtime.h" ]; }

# Parses the options in -Xcompiler. Definitions of macros and include folders apply to the host and
# the device side of a CUDA file.
for_host() {
  for each in $(printf %s "$1" | tr ',' ' '); do
    each=${each#[\"\']} each=${each%[\"\']}
    case $each in
    -fopenmp*) openmp=-fopenmp ;;
    -I* | -D* | -U*) common "$each" ;;
    -std=*) language "${each#-std=}" ;;
    -f* | -m* | -pthread) host "$each" ;;
    -l* | -L* | -Wl,*) linker "$each" ;;
    esac
  done
}

# Sets -std. Older standards than C++14 become C++14, which still accepts `register` and throw().
language() {
  case $1 in
  *98 | *03 | *0x | *11 | *14 | *1y) standard=-std=c++14 ;;
  *) standard=-std=$1 ;;
  esac
  [ "$standard" = -std=c++17 ] || parsed=
}

# CMake calls nvcc for its version, the toolkit's folder and the command line of the linker. The
# functions below print these answers.
say_version() {
  number=$(sed -n 's/^#define CUDART_VERSION \([0-9]*\)$/\1/p' "$root/common/emulator/include/cuda_runtime_api.h")
  number=$((number / 1000)).$((number % 1000 / 10))
  echo "lockstep-cc: replaces nvcc, and compiles with $compiler"
  echo "For CMake, as if nvcc: NVIDIA (R) Cuda compiler driver, release $number, V$number.0"
}
# play.sh sets LOCKSTEP_TOOLKIT to a path without blanks.
toolkit=${LOCKSTEP_TOOLKIT:-$toolkit}
say_toolkit() {
  echo "#\$ TOP=$toolkit"
  echo "#\$ NVVMIR_LIBRARY_DIR=$toolkit/nvvm/libdevice"
  echo "#\$ INCLUDES=\"-I$toolkit/include\""
  echo "#\$ LIBRARIES=\"-L$toolkit/lib64\""
}
say_link() { # OUTPUT: prints the command line of the linker in the format of nvcc
  echo '#$ lockstep-cc for -arch compute_70'
  echo "#\$ $toolkit/bin/nvcc -o \"$1\" \"-L$toolkit/lib64\" -lcudadevrt -lcudart_static -lrt -lpthread -ldl"
  echo " ld -o $1 -L$toolkit/lib64 -lcudadevrt -lcudart_static -lrt -lpthread -ldl"
}

parse() {
  while [ $# -gt 0 ]; do
    word=$1 shifted=1
    case $1 in # --name=value and --name value mean -n value
    --output-file | -o | --include-path | -I | --define-macro | -D | --undefine-macro | -U | --library | -l | \
      --library-path | -L | --std | -std | --compiler-options | -Xcompiler | --linker-options | -Xlinker | -x | --x | \
      -arch | --gpu-architecture | -gencode | --generate-code | -code | --gpu-code | -maxrregcount | --maxrregcount | \
      -Xptxas | --ptxas-options | -cudart | --cudart | -ccbin | --compiler-bindir | -isystem | --system-include | \
      -include | --pre-include | -MF | -MT | -MQ | -O | -rdc | --relocatable-device-code | -Xfatbin | -Xnvlink | \
      -Xcudafe | -diag-suppress | --diag-suppress | -t | --threads | -default-stream | --default-stream | -Werror | \
      -odir | --output-directory | -keep-dir | --keep-dir | -dopt | -Xarchive | -fatbin-options | --compress-mode | \
      -compress-mode | -optf | --options-file | --lockstep-compiler | -ftz | --ftz | -fmad | --fmad | -prec-div | --prec-div | -prec-sqrt | --prec-sqrt)
      case $1 in -Werror) ;; *)
        [ $# -gt 1 ] || say "$1: what?"
        value=$2 shifted=2
        ;;
      esac
      ;;
    --[a-z]*=* | -std=* | -arch=* | -gencode=* | -code=* | -Xcompiler=* | -Xptxas=* | -Xlinker=* | -cudart=* | -ccbin=* | \
      -maxrregcount=* | -rdc=* | -x=* | -o=* | -I=* | -isystem=* | -default-stream=* | -diag-suppress=* | -Xcudafe=* | -t=*)
      word=${1%%=*} value=${1#*=}
      ;;
    -lib | -lineinfo) ;;
    -I?* | -D?* | -U?* | -L?* | -l?*) value=${1#-?} word=$(printf %.2s "$1") ;;
    esac
    case $word in
    -o | --output-file) output=$value ;;
    -c | --compile) what=object ;;
    -dc | --device-c) what=object relocatable=yes ;;
    -rdc | --relocatable-device-code) [ "$value" != true ] || relocatable=yes ;;
    -dlink | --device-link) what=nothing ;;
    -lib | --lib) what=library ;;
    # Each of these options produces PTX, because the device loads PTX only.
    -ptx | --ptx | -cubin | --cubin | -fatbin | --fatbin) what=ptx suffix=${1##*-} ;;
    -E | --preprocess | -run | --run)
      say "$word: not supported; start the program by its name" ;;
    -V | --version) say_version && exit ;;
    -v | --verbose) verbose=yes ;;
    __cmake_determine_cuda) [ -z "$verbose" ] || say_toolkit && exit ;;
    -h | --help) echo 'lockstep-cc takes the options of nvcc: lockstep-cc -o program file.cu -Ifolder -Dname=value -llibrary' && exit ;;
    --lockstep-compiler) compiler=$value ;;
    -optf | --options-file) eval "parse $(cat "$value")" && shifted=2 ;;
    @?*) eval "parse $(cat "${1#@}")" && shifted=1 ;;
    -I | --include-path) is_toolkit "$value" || preprocessor=$preprocessor$(quoted "-I$value") ;;
    -isystem | --system-include) is_toolkit "$value" || preprocessor="$preprocessor -isystem$(quoted "$value")" ;;
    -include | --pre-include) preprocessor="$preprocessor -include$(quoted "$value")" parsed= ;;
    -D | --define-macro) common "-D$value" ;;
    -U | --undefine-macro) common "-U$value" ;;
    -l | --library) linker "-l$value" ;;
    -L | --library-path) linker "-L$value" ;;
    -std | --std) language "$value" ;;
    -x | --x) [ "$value" != cu ] || cuda=yes ;;
    -Xcompiler | --compiler-options) for_host "$value" ;;
    -Xlinker | --linker-options) linker "-Wl,$value" ;;
    -fopenmp*) openmp=-fopenmp ;;
    -maxrregcount | --maxrregcount)
      case $value in '' | *[!0-9]*) say "$1: want a number of registers" ;; esac
      limit="-e/\.entry/,/^{/s/^{/.maxnreg\\t$value{/" for_nvcc="$for_nvcc -maxrregcount=$value"
      ;;
    -forward-* | -fmad* | -ftz*) ;; # ignored: options for ptxas
    -f* | -pthread | -m64 | -march=* | -mtune=* | -mavx* | -msse* | -mfma) host "$1" ;;
    -MD | -MMD | --generate-dependencies-with-compile) dependencies=yes ;;
    -MF) dependencies_to=$value ;;
    -MT | -MQ) dependencies_of=$value ;;
    -w) common -w ;;
    --extended-lambda | -extended-lambda | --expt-extended-lambda | -expt-extended-lambda) for_nvcc="$for_nvcc --extended-lambda" ;;
    --expt-relaxed-constexpr | -expt-relaxed-constexpr) for_nvcc="$for_nvcc --expt-relaxed-constexpr" ;;
    -O[0123s]) ;;
    -*) ;; # ignored: options for ptxas and the device linker, and warnings
    *.cu | *.c | *.cc | *.cpp | *.cxx | *.C) sources="$sources$(quoted "$1")" ;;
    *.o | *.obj | *.a | *.so | *.so.*) objects="$objects$(quoted "$1")" ;;
    *) say "$1: neither a source (.cu .c .cc .cpp .cxx) nor something to link (.o .obj .a .so)" ;;
    esac
    shift $shifted
  done
}

# Compiles one source to STEM.o. The recipe writes intermediate files beside it.
compile() { # SOURCE STEM
  case $cuda$1 in
  *.cu | yes*)
    for_halves=$openmp
    if [ "$compiler" = nvcc ]; then
      for_halves=${openmp:+-Xcompiler $openmp}
      for word in $host_words; do for_halves="$for_halves -Xcompiler$(quoted "$word")"; done
    else
      for_nvcc=
    fi
    [ -z "$openmp$relocatable" ] || parsed=
    [ -n "$parsed" ] || { parsed=$scratch/parsed && mkdir -p "$parsed" && for side in device host; do
      echo '#include <cuda_runtime.h>' >"$parsed/$side.h"
    done; }
    eval "compile_$compiler \"\$1\" \"\$2\" -I \"\$(dirname \"\$1\")\" $standard $preprocessor $common $for_halves $for_nvcc" &&
      { [ -z "$relocatable" ] || relocatable_object "$2.o"; }
    ;;
  *.c) eval "$cc -O2 $preprocessor $common $host $openmp $headers -MMD -MP -MF \"\$2.d\" -c \"\$1\" -o \"\$2.o\"" ;;
  *)
    cxx=$clang
    [ "$compiler$openmp" != nvcc-fopenmp ] || cxx=g++
    eval "$cxx -x c++ $standard -O2 -w $preprocessor $common $host $openmp $headers -MMD -MP -MF \"\$2.d\" -c \"\$1\" -o \"\$2.o\""
    ;;
  esac
}

# Writes the dependencies for -MMD -MF FILE. For a program, the dependencies of all sources are
# appended.
note_dependencies() { # STEM SOURCE MADE
  [ -z "$dependencies" ] || sed -e "1s|^[^:]*:|${dependencies_of:-$3}:|" -e "s|$1\.spaced\.cu|$2|" "$1.d" |
    sed -f "$root/common/make/compile/depends.sed" >>"${dependencies_to:-${3%.*}.d}"
}

# Links the OpenMP library of the compiler: libgomp for nvcc, which uses gcc, and libomp for clang.
openmp_library() {
  if [ "$compiler" = nvcc ]; then
    linker "$(gcc -print-file-name=libgomp.so)"
    return
  fi
  file=$("$clang" -print-file-name=libomp.so)
  [ -e "$file" ] || file=$(dirname "$(realpath "$(command -v "$clang")")")/../lib/libomp.so
  [ -e "$file" ] || say "-fopenmp: clang's own library for it is not here (Debian: apt-get install libomp-dev)"
  linker "$file"
  linker "-Wl,-rpath,$(dirname "$(realpath "$file")")"
}

link_program() { # OUTPUT
  [ -z "$verbose" ] || say_link "$1"
  [ -z "$openmp" ] || openmp_library
  eval "sh \"\$root/common/make/compile/link.sh\" $linking -o \"\$1\" $objects $linker $libraries"
}

# Adds objects to an archive, like nvcc -lib.
make_library() { # OUTPUT
  rm -f "$1"
  eval "ar rcs \"\$1\" $objects"
}

# Writes an empty object in place of the object that nvcc's device linker writes (-dlink). The
# emulated device links device code when the program starts.
make_nothing() { # OUTPUT
  echo 'typedef int nothing;' | $cc -x c -c - -o "$1"
}

build() {
  [ -n "$sources$objects" ] || say 'no source file; it takes the options of nvcc: lockstep-cc -o program file.cu'
  [ -z "$verbose" ] || say_toolkit
  scratch=$(mktemp -d) || exit 1
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 1' HUP INT TERM
  number=0
  [ -z "$dependencies_to" ] || rm -f "$dependencies_to"
  eval "set -- $sources"
  [ $# -le 1 ] || [ -z "$output" ] || [ $what != object ] || say "-o with several sources: one object each"
  for source; do
    name=$(basename "$source") number=$((number + 1))
    stem=$scratch/$number
    [ -e "$source" ] || say "$source: no such file"
    compile "$source" "$stem" 2>"$stem.said" || failed=yes
    cat "$stem.said" >&2
    [ -z "$failed" ] || { sh "$root/common/make/compile/why.sh" "$stem.said" >&2; exit 1; }
    case $what in
    object)
      object=${output:-${name%.*}.o}
      [ -n "$dependencies_to" ] || rm -f "${object%.*}.d"
      note_dependencies "$stem" "$source" "$object"
      mv "$stem.o" "$object"
      ;;
    ptx) mv "$stem.ptx" "${output:-${name%.*}.$suffix}" 2>/dev/null || say "$source: no PTX was generated" ;;
    *)
      note_dependencies "$stem" "$source" "${output:-a.out}"
      objects=$objects$(quoted "$stem.o")
      ;;
    esac
  done
  case $what in
  program) link_program "${output:-a.out}" ;;
  library) make_library "${output:-a.a}" ;;
  nothing) make_nothing "${output:-a_dlink.o}" ;;
  esac
}
