#!/bin/sh
# Implements make play DIR=folder. The script builds the folder with its Makefile, with NVCC in
# place of nvcc. Without a Makefile, all CUDA, C and C++ files are built as one program. Then the
# program runs in that folder.
#
#   play.sh FOLDER NVCC 'FLAGS' 'LIBRARIES' 'PROGRAM' ARGUMENT...
#
# PROGRAM is the program to run, if the folder has several; otherwise it is empty.
#
# PLAY_START is a command that starts the program. PLAY_MAKEFLAGS are flags for make. The folder
# PLAY_NOTES stores the compiler and flags of the last build of each folder.

folder=$1 nvcc=$2 flags=$3 libraries=$4 program=$5
shift 5
refuse() {
  echo "make play: $*" >&2
  exit 2
}
cd "$folder" || exit 2

# Prints the variables of a Makefile that contain the path of nvcc, with the options that follow it,
# as in CC := $(CUDA_PATH)/bin/nvcc -Wno-something.
named_nvcc() {
  MAKEFLAGS= make -pqr 2>/dev/null | sed -n 's|^\([A-Za-z_][A-Za-z0-9_]*\) *:*[:?]*= *[^ ]*/nvcc\( .*\)*$|\1=\2|p'
}

# make splits a path with blanks into words. If the compilers have such a path, a link in /tmp gives
# them a path without blanks. The name of the link is always the same, because built files may
# contain it.
plain_path() {
  case $nvcc in *[!A-Za-z0-9_/.,+@%=-]*) ;; *) return ;; esac
  detour=/tmp/lockstep-$(id -u)-$(printf %s "$tools" | cksum | cut -d ' ' -f 1)
  mkdir -m 700 "$detour" 2>/dev/null
  [ -d "$detour" ] && [ ! -h "$detour" ] && [ -O "$detour" ] || refuse "$detour: not yours"
  ln -sfn "$tools" "$detour/bin" && ln -sfn "${tools%/bin}/toolkit" "$detour/toolkit" || exit 2
  nvcc=$detour/bin/${nvcc##*/} tools=$detour/bin
  export LOCKSTEP_TOOLKIT="$detour/toolkit"
}

# Returns true if the last build used another compiler or other flags. Everything is then built
# again, because make does not notice the change.
built_otherwise() {
  [ -n "$PLAY_NOTES" ] && mkdir -p "$PLAY_NOTES" || return
  note=$PLAY_NOTES/$(pwd -P | cksum | cut -d ' ' -f 1).built
  built="$LOCKSTEP_COMPILER $nvcc $flags"
  [ "$(cat "$note" 2>/dev/null)" != "$built" ] && echo "$built" >"$note"
}

by_makefile() {
  tools=$(dirname "$nvcc")
  plain_path
  # Also sets the usual variables for the toolkit's folder, because Makefiles of subfolders use
  # them.
  case $nvcc in /*/bin/*)
    for variable in PATH HOME DIR ROOT ROOT_DIR INSTALL_PATH TOOLKIT_PATH; do
      set -- "$@" "CUDA_$variable=${tools%/bin}/toolkit"
    done
    ;;
  esac
  started=$(mktemp) || exit 2
  while IFS== read -r variable rest; do
    [ -z "$variable" ] || [ "$variable" = NVCC ] || set -- "$@" "$variable=$nvcc $flags$rest"
  done <<END
$(named_nvcc)
END
  built_otherwise && PLAY_MAKEFLAGS=B$PLAY_MAKEFLAGS
  PATH="$tools:$tools/host:$PATH" CUDACXX="$nvcc" MAKEFLAGS=$PLAY_MAKEFLAGS make NVCC="$nvcc $flags" "$@" >"$started.said" 2>&1 || {
    cat "$started.said" >&2
    exit 2
  }
  [ -n "$program" ] || program=$(find . -type f -perm -u+x -newer "$started" ! -name '*.so*' ! -name '*.sh' ! -path '*/CMakeFiles/*' | sort)
  # If make built nothing, because the program was built earlier, any program in the folder is used.
  [ -n "$program" ] || program=$(find . -maxdepth 2 -type f -perm -u+x ! -name '*.so*' ! -name '*.sh' ! -name '*.py' | sort)
  rm -f "$started" "$started.said"
}

# Compiles PTX files that the program loads at run time, as add_custom_command in CMakeLists.txt
# says.
loaded_later() {
  values=$(echo "$cmake" | sed -n 's/^ *set *( *\([A-Za-z_][A-Za-z0-9_]*\) *"\([^"|]*\)" *) *$/s|[$]{\1}|\2|g/p')
  echo "$cmake" | sed -e "$values" -e 's,[$]{\(PROJECT\|CMAKE\|CMAKE_CURRENT\)_BINARY_DIR},.,g' |
    sed -n 's/^ *add_custom_command *(.* COMMAND .*-o  *\([^ ]*\) .*-\(fatbin\|cubin\|ptx\)  *\([^ ]*[.]cu\).*/\2 \1 \3/p' | while read -r kind made source; do
    "$nvcc" "-$kind" -o "$made" $flags "$source" || exit 2
  done
}

# Reads CMakeLists.txt, if there is one, for include folders, OpenMP, the files of the program if it
# has only one, and files that nvcc generates.
all_files() {
  cmake=$(sed -e 's/#.*//' -e 's,[$]{\(PROJECT\|CMAKE\|CMAKE_CURRENT\)_SOURCE_DIR},.,g' CMakeLists.txt 2>/dev/null |
    tr '\n\t' '  ' | sed 's/)/)\n/g') # one command per line
  named=$(echo "$cmake" | sed -n 's/^ *add_executable *( *[^ ()]* \([^()]*\)) *$/\1/p')
  sources=$(find . -maxdepth 1 \( -name '*.cu' -o -name '*.c' -o -name '*.cpp' -o -name '*.cc' -o -name '*.cxx' \) | sort)
  case $named in '' | *'$'* | *'
'*) ;; *) sources=$named ;; esac
  case $sources in *.cu*) ;; *) grep -qs '[<"]\(cuda\|nvrtc\)' $sources || refuse "$folder: no CUDA file in it" ;; esac
  for each in $(echo "$cmake" | sed -n 's/^ *aux_source_directory *( *\([^ ]*\) .*/\1/p'); do
    sources="$sources $(find "$each" -maxdepth 1 \( -name '*.cu' -o -name '*.c' -o -name '*.cpp' \) | sort)"
  done
  includes=$(echo "$cmake" | sed -n -e 's/^ *target_include_directories *( *[^ ]*/include_directories(/' -e 's/^ *include_directories *(\([^)$]*\)).*/\1/p')
  for each in $includes include; do
    [ ! -d "$each" ] || flags="$flags -I$each"
  done
  case $cmake in *OpenMP::*) flags="$flags -Xcompiler -fopenmp" ;; esac
  loaded_later || exit 2
  program=$(mktemp) || exit 2
  trap 'rm -f "$program"' EXIT
  "$nvcc" -o "$program" $flags -I. $sources $libraries || exit 2
}

if [ -e Makefile ] || [ -e makefile ] || [ -e GNUmakefile ]; then
  by_makefile
else
  all_files
fi
case $program in
'') refuse "$folder: its Makefile built no program" ;;
*'
'*) refuse "$folder: which one? PROGRAM=" $(echo "$program" | sed 's|^\./||') ;;
/* | ./*) ;;
*) program=./$program ;;
esac
[ -x "$program" ] || refuse "$folder: no program $program"
export LOCKSTEP_STATUS="${LOCKSTEP_STATUS:-1}"
eval "$PLAY_START \"\$program\" \"\$@\""
