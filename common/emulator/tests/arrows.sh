#!/bin/sh
# Checks that the folders of the emulator depend on each other in one direction only:
# ptx <- state <- timing <- observe <- hooks.h <- machine <- runtime <- transcript <- more.
#
#   arrows.sh OBJECTS [OTHERS]   the folder with the objects of common/emulator; run in the workbook's folder
#                                OTHERS: folders with objects of labs, harness, checker, tools and tests
#
# The headers that a file includes, and the symbols that its object uses, must be in its own folder or in a
# folder that the tables below list for it. Only hooks.h includes observe/, and the machine calls observers
# only through these hooks. No observer calls the machine, not even with a declaration of its own. If a
# folder may use emulator.h (the interface for programs), devices.def or include/ (the headers for programs),
# its row names them.
#
# No file outside more/ uses more/. The functions of more/ that the runtime and the machine call are
# declared in those two folders, and have weak definitions in without_more.c.

may_include() { # LAYER
  case $1 in
  ptx) ;;
  state) echo ptx devices.def ;;
  timing) echo ptx state ;;
  observe) echo ptx state timing emulator.h tape.h words.h ;;
  hooks.h) echo ptx state observe ;;
  machine) echo ptx state hooks.h ;;
  runtime) echo ptx state hooks.h machine include emulator.h ;;
  transcript) echo runtime observe/host_lines.h emulator.h ;;
  more) echo state hooks.h machine runtime transcript include more/include ;;
  more/libraries) echo include more/include more/random.h machine/arith.h ;;
  emulator.h) echo observe/counters.def ;;
  prediction_error.h) echo prediction_error.def ;;
  esac
}
may_call() { # LAYER; inline functions of hooks.h make calls for the files that include them
  case $1 in
  ptx) ;;
  state) echo ptx ;;
  timing) echo ptx state ;;
  observe) echo ptx state timing ;;
  machine) echo ptx state observe ;;
  runtime) echo ptx state observe machine ;;
  transcript) echo ptx state observe machine runtime ;;
  more) echo ptx state observe machine runtime transcript ;;
  more/libraries) echo runtime more ;;
  esac
}
layers='ptx state timing observe machine runtime transcript more more/libraries'

allowed() { # LIST: prints a line "LAYER NAME" for each name in a layer's row
  for layer in $layers hooks.h emulator.h prediction_error.h; do
    for name in "$layer" $("$1" "$layer"); do echo "$layer $name"; done
  done
}

# ---- the checks: they print a line for each arrow in the wrong direction -------------------------------
wrong_includes() { # EMULATOR
  (
    cd "$1" || exit
    allowed may_include >"$work/rules"
    find . -type f | sed 's|^\./||' >"$work/files"
    awk '
      function layer_of(path) {
        if (path ~ "^more/(libraries|include)/") { sub("/[^/]*$", "", path); sub("/libraries/.*", "/libraries", path) }
        else sub("/.*", "", path)
        return path
      }
      FILENAME ~ /rules$/ { may[$1, $2] = 1; next }
      FILENAME ~ /files$/ { exists[$0] = 1; next }
      match($0, /^#[ ]*include "[^"]*"/) {
        name = $0
        gsub(/^[^"]*"|"[^"]*$/, "", name)
        layer = layer_of(FILENAME)
        at = FILENAME
        sub("[^/]*$", name, at)
        while (sub("[a-z_]*/[.][.]/", "", at)) ;
        if (!(at in exists)) at = "include/" name # found by -I
        top = layer_of(at)
        if (!((layer, top) in may) && !((layer, at) in may)) print FILENAME " includes " at
      }' "$work/rules" "$work/files" *.h ptx/*.[ch] state/*.[ch] timing/*.[ch] observe/*.[ch] machine/*.[ch] runtime/*.[ch] transcript/*.[ch] $(ls more/*.[ch] more/libraries/*.[ch] 2>/dev/null)
  )
}

# Skips objects whose source is not in SOURCES, because an old build can contain objects of deleted
# files.
wrong_calls() { # OBJECTS SOURCES
  (
    sources=$(cd "$2" && pwd) || exit
    cd "$1" || exit
    allowed may_call
    # A name that two layers define belongs to the lower layer, which is listed last. The lower
    # layer has the weak function that the other layer replaces (runtime/host.c, without_more.c).
    for object in more/libraries/*.o more/*.o transcript/*.o ptx/*.o state/*.o timing/*.o observe/*.o machine/*.o runtime/*.o; do
      [ ! -e "$object" ] || [ ! -e "$sources/${object%.o}.c" ] || echo "$object"
    done | xargs nm -A -P
  ) | awk '
    NF == 2 { may[$1, $2] = 1; next }
    { file = layer = $1; sub(/[.]o:$/, ".c", file); if (layer ~ "^more/libraries/") layer = "more/libraries"; else sub("/.*", "", layer) }
    # These files replace functions of the C library that every layer calls.
    file ~ /^runtime[/](files|clocks)[.]c$/ && $3 == "W" { next }
    $3 ~ /^[TDBRVWC]$/ { layer_of[$2] = layer; file_of[$2] = file }
    $3 == "U" { n++; user[n] = layer; from[n] = file; wanted[n] = $2 }
    END {
      for (i = 1; i <= n; i++)
        if (wanted[i] in layer_of && !((user[i], layer_of[wanted[i]]) in may))
          print from[i] " uses " wanted[i] " of " file_of[wanted[i]]
    }'
}

# Skips the programs that test more/. Their objects are named after the test programs of that
# folder.
users_of_more() { # OBJECTS EMULATOR FOLDER...: prints objects of labs, tools and tests that call functions of more/
  objects=$1 emulator=$2
  shift 2
  own=$(find "$emulator/more/tests" -name '*.cu' -exec basename -s .cu {} + 2>/dev/null)
  {
    nm -P $(find "$objects" -path "$objects/more" -prune -o -name "*.o" -print) | awk '$2 ~ /^[TDBRVWC]$/ { print "below", $1 }'
    nm -P $(find "$objects/more" -name '*.o') | awk '$2 ~ /^[TDBRVWC]$/ { print "more", $1 }'
    # Skips the objects of a handout, which another test may be building.
    find "$@" -path '*/tests/handout' -prune -o -name '*.o' -print |
      awk -v own="$own" '
        BEGIN { for (n = split(own, name, "\n"); n > 0; n--) left_out[name[n]] = 1 }
        { object = $0; sub(".*/", ""); sub("[.]o$", "") }
        !($0 in left_out) { print object }' | xargs -d '\n' -r nm -A -P
  } | awk '
    $1 == "below" { below[$2] = 1; next }
    $1 == "more" { more[$2] = 1; next }
    $3 == "U" && ($2 in more) && !($2 in below) { sub(/:$/, "", $1); print $1 " uses " $2 " of more/" }'
}

wrong_names() { # EMULATOR OBJECTS: the machine calls observers through hooks only
  nm -P "$2"/observe/*.o | awk '$2 == "T" { print $1 }' >"$work/observers"
  (
    cd "$1" || exit
    awk '
      FILENAME ~ /observers$/ { observer[$1] = 1; next }
      {
        n = split($0, word, "[^A-Za-z0-9_]+")
        for (i = 1; i <= n; i++) if (word[i] in observer) print FILENAME " calls " word[i] ", not a hook"
      }' "$work/observers" machine/*.[ch]
  )
}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# ---- tests of the checks: a small emulator with one wrong arrow ----------------------------------------
small() { # FILE LINE: makes a tree in which LINE, in FILE, is the only include or call
  rm -rf "$work/tree" && mkdir -p "$work/tree/include" && touch "$work/tree/hooks.h" "$work/tree/emulator.h"
  for layer in $layers; do
    file=${layer#*/} && mkdir "$work/tree/$layer" && echo "int ${file}_answer(void);" >"$work/tree/$layer/$file.h"
    echo "int ${file}_answer(void); int ${file}_answer(void) { return 1; }" >"$work/tree/$layer/$file.c"
  done
  echo "$2" >>"$work/tree/$1"
}
expect() { # WHAT SAID
  [ "$1" = "$2" ] && return
  echo "expected: ${1:-nothing}, said: ${2:-nothing}"
  exit 1
}
include_is() { # FILE NAME SAID
  small "$1" "#include \"$2\""
  expect "$3" "$(wrong_includes "$work/tree")"
}
include_is machine/machine.c ../observe/observe.h 'machine/machine.c includes observe/observe.h'
include_is runtime/runtime.c ../observe/observe.h 'runtime/runtime.c includes observe/observe.h'
include_is observe/observe.h ../machine/machine.h 'observe/observe.h includes machine/machine.h'
include_is observe/observe.c ../hooks.h 'observe/observe.c includes hooks.h'
include_is state/state.c ../observe/observe.h 'state/state.c includes observe/observe.h'
include_is timing/timing.c ../observe/observe.h 'timing/timing.c includes observe/observe.h'
include_is ptx/ptx.c ../state/state.h 'ptx/ptx.c includes state/state.h'
include_is hooks.h machine/machine.h 'hooks.h includes machine/machine.h'
include_is state/state.c cuda_runtime_api.h 'state/state.c includes include/cuda_runtime_api.h'
include_is transcript/transcript.c ../more/more.h 'transcript/transcript.c includes more/more.h'
include_is more/libraries/libraries.c ../../runtime/runtime.h 'more/libraries/libraries.c includes runtime/runtime.h'
include_is more/more.c ../runtime/runtime.h ''
include_is runtime/runtime.c ../machine/machine.h ''
include_is machine/machine.c ../hooks.h ''
include_is hooks.h observe/observe.h ''

compiled() { ${CC:-cc} -c -o "$2" "$work/tree/$1/${1#*/}.c" || exit 2; }
small hooks.h ''
for layer in $layers; do compiled "$layer" "$work/${layer#*/}.o"; done
call_is() { # CALLER CALLED SAID
  name=${1#*/}
  small "$1/$name.c" "int $2_answer(void); int ${name}_asks(void); int ${name}_asks(void) { return $2_answer(); }"
  for layer in $layers; do cp "$work/${layer#*/}.o" "$work/tree/$layer"; done
  compiled "$1" "$work/tree/$1/$name.o"
  expect "$3" "$(wrong_calls "$work/tree" "$work/tree")"
}
call_is observe machine 'observe/observe.c uses machine_answer of machine/machine.c'
call_is state observe 'state/state.c uses observe_answer of observe/observe.c'
call_is runtime more 'runtime/runtime.c uses more_answer of more/more.c'
call_is runtime libraries 'runtime/runtime.c uses libraries_answer of more/libraries/libraries.c'
call_is more/libraries machine 'more/libraries/libraries.c uses machine_answer of machine/machine.c'
call_is more runtime ''
call_is machine runtime 'machine/machine.c uses runtime_answer of runtime/runtime.c'
call_is machine observe ''
expect 'machine/machine.c calls observe_answer, not a hook' "$(wrong_names "$work/tree" "$work/tree" | sort -u)"
call_is runtime machine ''
expect '' "$(wrong_names "$work/tree" "$work/tree")"
# The runtime may call a function that more/ replaces, but a lab must not call a function that only
# more/ has.
small runtime/runtime.c 'int asked(void); int __attribute__((weak)) asked(void) { return 0; } int asks(void); int asks(void) { return asked(); }'
echo 'int asked(void); int asked(void) { return 1; }' >>"$work/tree/more/more.c"
for layer in $layers; do compiled "$layer" "$work/tree/$layer/${layer#*/}.o"; done
expect '' "$(wrong_calls "$work/tree" "$work/tree")"
mkdir "$work/labs"
echo 'int more_answer(void), asks(void); int main(void) { return more_answer() + asks(); }' | ${CC:-cc} -x c -c -o "$work/labs/lab.o" - || exit 2
expect "$work/labs/lab.o uses more_answer of more/" "$(users_of_more "$work/tree" "$work/tree" "$work/labs")"

# ---- the emulator itself -------------------------------------------------------------------------------
[ -e common/emulator/hooks.h ] && [ -e "$1/observe/report.o" ] && [ -e "$1/machine/launch.o" ] || {
  echo "arrows.sh: the emulator and its objects are not here"
  exit 2
}
objects=$1
shift
wrong=$(wrong_includes common/emulator && wrong_calls "$objects" common/emulator && wrong_names common/emulator "$objects" &&
  { [ ! -d "$objects/more" ] || [ $# = 0 ] || users_of_more "$objects" common/emulator "$@"; })
[ ! "$wrong" ] || {
  echo "$wrong"
  exit 1
}
