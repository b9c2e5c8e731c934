# Rules that compile and link a .cu file: for the emulated device through clang or nvcc, and for the
# GPU through nvcc. Included by the Makefile.

CUDA_RULES := $(COMPILED)/tools $(addprefix common/make/,cuda.mk compile/clang.sed compile/link.sh compile/depends.sed)

# clang cannot compile the installed libcu++ of NVIDIA. libcuxx.sh makes a changed copy.
LIBCUXX := $(if $(LIBCUXX_FOUND),$(BUILD)/libcu++)
LIBCUXX_MADE := $(LIBCUXX:%=%/made)
$(LIBCUXX_MADE): common/make/compile/libcuxx.sh ; @sh $< $(LIBCUXX_FOUND) $(LIBCUXX)

# ---- to compile: $1 program, $2 source, $3 precision; $1.ptx, $1.o and $1.d are written -----------
CUDA_FLAGS = -std=c++17 -O2 -Wall -Icommon -DREAL=$3
CLANG_OPTIONS = $(CUDA_FLAGS) -DLOCKSTEP_EMULATED -x cuda -fno-finite-loops -Xclang -fcuda-allow-variadic-functions \
  --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-gpu-arch=sm_70 $(addprefix -isystem ,$(CUDA_FOLDERS)) \
  $(LIBCUXX:%=-isystem % -D_LIBCUDACXX_COMPILER_NVCC)
CLANG_FLAGS = $(CLANG_OPTIONS) -include cuda_runtime.h
# These options make the PTX of clang more like that of nvcc:
#   short pointers          addresses of shared and local memory have 32 bits; needs fewer instructions
#   -sink-common-insts=0    clang 14 would merge a wide and a narrow load in two branches into narrow
#                           loads
#   -unroll-threshold       a loop of 32 iterations is unrolled completely, so that arrays that it
#                           indexes stay in registers
#   -inline-threshold       large functions are inlined, so that their array arguments stay in
#                           registers
#   -fno-delete-null-pointer-checks   an access through a constant NULL pointer is not removed, and the
#                           device reports it
#   -fno-slp-vectorize      clang 19 would load 16 bytes with ld.v4 from addresses that are not aligned
CLANG_DEVICE_FLAGS := -Xclang -target-feature -Xclang +ptx63 -fcuda-short-ptr -mllvm --nvptx-short-ptr \
  -fno-delete-null-pointer-checks -fno-slp-vectorize -mllvm -sink-common-insts=0 -mllvm -unroll-threshold=1000 -mllvm -inline-threshold=3000
CUDA_HEADERS := $(wildcard common/emulator/include/* common/emulator/include/*/* $(MORE)/include/* \
  $(LIBRARY_HEADERS)/* $(MORE)/libraries/nvcc/include/* common/emulator/machine/builtins.def common/emulator/machine/special.h) $(LIBCUXX_MADE)

# Reports show source lines of host code. Without tail calls, every caller has a stack frame.
HOST_LINES := -fno-optimize-sibling-calls
CLANG_device_SIDE := $(CLANG_DEVICE_FLAGS) --cuda-device-only -S -gline-tables-only
# -fwrapv: some programs rely on signed overflow that wraps, as with nvcc, which calls gcc. clang
# 19 would assume that signed overflow does not happen. Uninitialised variables of a lab are filled
# with a pattern, so that their use gives the same wrong result in each run. Variables of other
# programs ($3 is empty) are not filled.
CLANG_host_SIDE := --cuda-host-only -w $(DEBUG) -fwrapv $(HOST_LINES) -Xclang -target-sdk-version=11.5 -ftrivial-auto-var-init=pattern
# $4: the clang; $5: options of the host side, default `-c $2 -o $1.o`; $6: the folder of
# precompiled headers
define compile_with_clang
$4 $(CLANG_OPTIONS) -include $(or $(6:=/device.h),cuda_runtime.h) $(CLANG_device_SIDE) -MMD -MP -MT $1.compiled -MF $1.d $2 -o $1.ptx && \
  sed -i -f common/make/compile/clang.sed -f common/make/compile/depends.sed $(if $3,,$$limit) $1.ptx $1.d && \
  $4 $(CLANG_OPTIONS) -include $(or $(6:=/host.h),cuda_runtime.h) $(CLANG_host_SIDE) $(if $3,,-ftrivial-auto-var-init=uninitialized) \
  -Xclang -fcuda-include-gpubinary -Xclang $1.ptx $(or $5,-c $2 -o $1.o)
endef
# clang needs half of its time for cuda_runtime.h. Therefore the device side and the host side each
# have a precompiled header, which contains the templates that cuda_runtime.h instantiates. The
# precompiled headers have no timestamps, because clang would compare them with the dates of the
# files. If precompiling fails, clang reads cuda_runtime.h each time.
# $(call parse,FOLDER,OUT): precompiles FOLDER/device.h and FOLDER/host.h, which include
# cuda_runtime.h
SIDES := device host
parse = $(foreach side,$(SIDES),$(CLANG) $(filter-out -DREAL=%,$(CLANG_OPTIONS)) $(CLANG_$(side)_SIDE) -c -Qunused-arguments \
  -Xclang -emit-pch -Xclang -fno-pch-timestamp -fpch-instantiate-templates $1/$(side).h -o $2/$(side).h.pch;)
PARSED := $(COMPILED)/emulated-clang/parsed
PARSE_HEADERS = @mkdir -p $(@D) && $(call in_turn,$@); $(call include_runtime,$(@D)); { $(call parse,$(@D),$(@D)) } 2>/dev/null; touch $@
$(PARSED)/made: $(CUDA_HEADERS) $(CUDA_RULES) ; $(PARSE_HEADERS)
# Writes these two headers only if they are missing, because another make may read them.
include_runtime = for side in $(SIDES); do [ -s $1/$$side.h ] || echo '\#include <cuda_runtime.h>' >$1/$$side.h; done
parsed_for = $(if $(findstring emulated-clang,$1),$(PARSED)/made)
compile_emulated-clang = $(call compile_with_clang,$1,$2,$3,$(CLANG),,$(PARSED))
define compile_emulated-nvcc
$(NVCC) $(NVCC_FOLDERS) $(CUDA_FLAGS:-Wall=) -DLOCKSTEP_EMULATED $(addprefix -isystem ,$(LIBRARY_HEADERS) $(SAMPLE_HEADERS)) -gencode arch=compute_75,code=compute_75 -lineinfo $(NVCC_UNCOMPRESSED) -cudart none \
  -Xcompiler -g1,$(HOST_LINES) \
  -MMD -MP -MT $1.compiled -MF $1.d -c $2 -o $1.o
endef
compile_gpu = $(NVCC) $(CUDA_FLAGS:-Wall=) -arch=native -lineinfo -MMD -MP -MT $1.compiled -MF $1.d -c $2 -o $1.o

# ---- to link: $1 program, $2 its objects and libraries, $3 a library in place of EMULATOR ---------
link_emulated-clang = (set -- $(CC) $(LINK_FLAGS) -o $1.new $2 $(or $3,$(EMULATOR)) $(LIBRARIES) -Wl,--as-needed -lstdc++; . common/make/compile/link.sh)
link_emulated-nvcc = $(link_emulated-clang)
link_gpu = $(NVCC) -arch=native -o $1.new $2 -lm -lpthread -ldl

# On the emulated device a lab in float is also graded in double, with a second program. The
# compiler's warnings about the second program are not printed, because they are the same as for the
# first (BESIDE).
also_double := $(filter emulated-float,$(DEVICE)-$(PRECISION))
in_double = $(if $(also_double),$(OUT)/$(call labs_key,$1)/$2.double)
IN_DOUBLE = $(addprefix --double ,$(call in_double,$1,$2))
BESIDE := $(foreach labs,$(sort labs solutions $(LABS)),$(foreach lab,$(LAB_NAMES),$(call in_double,$(labs),$(lab))))

# ---- the rules of a program ----------------------------------------------------------------------
# $(call cuda_program,FLAVOUR,PROGRAM,SOURCE,PRECISION,OBJECTS AND LIBRARIES)
#   PROGRAM.seen      a copy of the source, replaced when the contents of the source differ. The
#                     date of the source does not matter. The programs in float and double share it.
#   PROGRAM.compiled  the messages of the compiler. PROGRAM.o exists if the compiler succeeded.
#                     Both are in COMPILED, which is shared with the build with sanitizers.
#   PROGRAM.log       the messages of the compiler and the linker. If a source does not compile,
#                     make does not fail. Then there is a log and no program, and a recipe that
#                     needs the program prints the log (MUST_COMPILE).
# Every file is complete or missing, so a build that was killed can be repeated.
IN_FOLDER = [ -d $(@D) ] || mkdir -p $(@D)
define cuda_program
$2: $(call compiled,$2).compiled $5 $(if $(filter gpu,$1),,$(EMULATOR))
	@$$(IN_FOLDER); $$(call in_turn,$2); if [ -s $$< ]; then cat $$<; fi >$2.log; if [ -e $(call compiled,$2).o ]; then \
	  { $(call link_$1,$2,$(call compiled,$2).o $5) && mv -f $2.new $2; } >>$2.log 2>&1 || rm -f $2.new $2; else rm -f $$< $2; fi; \
	$(if $(or $(findstring /mutants/,$2),$(filter $2,$(BESIDE))),,[ ! -x $2 ] || [ ! -s $2.log ] || awk -f common/make/compile/once.awk $2.log >&2)
$(call cuda_object,$1,$(call compiled,$2),$3,$4)
endef
define cuda_object
$2.compiled: $(call seen,$2) $(if $(filter gpu,$1),,$(CUDA_HEADERS)) $(call parsed_for,$1) $(CUDA_RULES)
	@$$(call in_turn,$2); { $(call compile_$1,$2,$3,$4); } >$$@.new 2>&1 || { sh common/make/compile/why.sh $$@.new >>$$@.new; rm -f $2.o; }; \
	  $(if $(filter emulated-clang%,$1),,[ ! -e $2.d ] || sed -i -f common/make/compile/depends.sed $2.d; )mv $$@.new $$@
$(if $($(call seen,$2)),,$(call seen,$2): FORCE ; @install -CDm 644 $3 $$@ 2>/dev/null || rm -f $$@)
$(call seen,$2) := yes
-include $2.d
endef
seen = $(patsubst %.double,%.float,$1).seen
compiled = $(patsubst $(BUILD)/%,$(COMPILED)/%,$1)
.PHONY: FORCE
# These sources have an empty rule. If such a source does not exist, the compiler reports the error
# instead of make.
$(sort $(FILE) $(foreach labs,labs solutions $(LABS),$(foreach lab,$(LAB_NAMES),$(call cu_file,$(labs),$(lab))))): ;
