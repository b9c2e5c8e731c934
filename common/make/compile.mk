# From sources to programs: the emulator and harness libraries, CUDA programs through either front end
# or for the GPU, the checker. Included by the Makefile; nothing here runs make again.

# ---- what this machine has (probe.sh), asked again when folder, PATH or machine change ---------------
$(if $(shell mkdir -p $(BUILD) 2>/dev/null && [ -w $(BUILD) ] && echo yes),,$(if $(wildcard $(BUILD)/.),\
  $(error you may not write to $(BUILD)/: type sudo chown -R $$USER $(BUILD)),\
  $(error you may not write to this folder: copy it to your home folder, or type sudo chown -R $$USER "$(CURDIR)")))
-include $(BUILD)/config.mk
THIS_MACHINE := $(CURDIR) $(PATH) $(file </proc/sys/kernel/hostname)$(CUBLAS_HOME:%= %)$(if $(wildcard HANDOUT), $(file <HANDOUT))
PROBE = mkdir -p $(BUILD) && CUBLAS_HOME='$(CUBLAS_HOME)' sh common/make/compile/probe.sh $(call quote,$(THIS_MACHINE)) \
  >$(BUILD)/config.mk.$$$$ && mv $(BUILD)/config.mk.$$$$ $(BUILD)/config.mk# whole at once: make may run in two terminals
ifneq ($(PROBED_FOR),$(THIS_MACHINE))
$(shell $(PROBE))
-include $(BUILD)/config.mk
endif
$(BUILD)/config.mk: common/make/compile/probe.sh ; @$(PROBE)
# A sanitized build is linked from what was compiled elsewhere (COMPILED).
COMPILED ?= $(BUILD)
# What was compiled names where it was: in a folder that was moved it is compiled again.
$(COMPILED)/tools: $(BUILD)/config.mk
	@printf '%s\n' $(call quote,$(CURDIR) $(TOOLS)) >$@.$$$$ && { cmp -s $@.$$$$ $@ && rm $@.$$$$ || \
	  { [ ! -e $@ ] || echo 'The folder or a compiler is another one than last time: everything is compiled again.' >&2; mv $@.$$$$ $@; }; }
# As many jobs as cores, unless -j says how many: make 4.3 would take ours and shows its makefile no other.
JOBS_GIVEN = tr '\0' '\n' </proc/$$PPID/cmdline | grep -e '^-[BeikmnpqrRsStw]*j' -e '^--jobs'
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += $(if $(shell $(JOBS_GIVEN)),,-j$(CORES))
endif

# ---- options, each with one clear line when it does not fit ------------------------------------------
CLANG ?= $(CLANG_FOUND)
NVCC ?= $(NVCC_FOUND)
# CARD=k40c: the emulated device is that card. Where numbers of a GPU are kept, CARD is their name, any name.
KEPT_BY_CARD := bench counters mark-counters
CARD_DOORS := lab% hint% run% watch% sweep% profile% predict% view% race% animate% demo play grade bench
CUDA_COMPILER ?= clang
DEVICE ?= $(if $(filter play change% profile% predict% view% race race0%,$(GOALS))$(and $(CARD),$(filter-out $(KEPT_BY_CARD),$(GOALS))),emulated,$(if $(and $(GPU_FOUND),$(NVCC)),gpu,emulated))
one_of = $(if $(filter 1,$(words $($1)))$(filter-out $2,$($1)),$(if $(filter $2,$($1)),,$(error \
  $1=$($1): choose $(firstword $2) or $(lastword $2))),$(error $1=$($1): choose $(firstword $2) or $(lastword $2)))
$(call one_of,DEVICE,emulated gpu)
$(call one_of,CUDA_COMPILER,clang nvcc)
$(call one_of,PRECISION,float double)
ifneq ($(filter-out format format-check slides weave charts handout gradescope%,$(GOALS)),)
ifeq ($(DEVICE),gpu)
$(if $(NVCC),,$(error DEVICE=gpu: no nvcc on the PATH or in /usr/local/cuda/bin))
$(if $(GPU_FOUND),,$(error DEVICE=gpu: no NVIDIA GPU here; DEVICE=emulated needs none))
else ifeq ($(CUDA_COMPILER),nvcc)
$(if $(NVCC),,$(error CUDA_COMPILER=nvcc: no nvcc on the PATH or in /usr/local/cuda/bin))
else
$(if $(CLANG),,$(error no clang on the PATH: `make setup` installs it))
endif
$(if $(wildcard $(LABS)/.),,$(error LABS=$(LABS): no such directory))
endif
ifneq ($(CARD),)
CARD_GOALS := $(filter-out $(if $(filter gpu,$(DEVICE)),bench) counters mark-counters,$(GOALS))
ifneq ($(CARD_GOALS),)
$(if $(filter gpu,$(DEVICE)),$(error CARD=$(CARD): a GPU is what it is; leave DEVICE=gpu out))
$(if $(filter-out 1,$(words $(CARD)))$(filter-out $(CARDS),$(CARD)),$(error CARD=$(CARD): no such card; choose one of $(CARDS)))
$(if $(filter-out $(CARD_DOORS),$(CARD_GOALS)),$(error \
  CARD=$(CARD): make $(firstword $(filter-out $(CARD_DOORS),$(CARD_GOALS))) is the same for every card))
$(if $(SUBMISSIONS),$(error CARD=$(CARD): a class is graded on the h200))
export LOCKSTEP_CARD := $(CARD)
endif
endif
# Where it is not the usual one: for titles, names of files, and the checker, which takes no card from the environment.
OTHER_CARD := $(if $(CARD_GOALS),$(filter-out h200,$(CARD)))
EMULATED_DEVICE := emulated device$(OTHER_CARD:%= as %)
GRADED_ON = $(OTHER_CARD:%=--card %)
FLAVOUR := $(if $(filter gpu,$(DEVICE)),gpu,emulated-$(CUDA_COMPILER))
FLAVOURS := $(sort emulated-clang $(FLAVOUR) $(if $(NVCC),emulated-nvcc))
OUT := $(BUILD)/$(FLAVOUR)
COMPILER_TITLE = $(if $(filter gpu,$(DEVICE)),$(NVCC_TITLE),$(if $(filter nvcc,$(CUDA_COMPILER)),$(NVCC_TITLE),\
  $(if $(filter $(CLANG_FOUND),$(CLANG)),$(CLANG_TITLE),$(notdir $(CLANG)))))

# $(call c_string,TEXT): for -D, a literal of C.
c_string = $(call quote,"$(subst ",\",$(subst \,\\,$1))")

# ---- C: the emulator, the harness, the checker ----------------------------------------------------------
WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes
# Lines for what walks the stack; DEBUG=-g brings variables, a tenth more to compile and three times as much to link.
DEBUG ?= -g1
C_FLAGS := -std=c11 -D_GNU_SOURCE -O2 $(DEBUG) -pthread -ffp-contract=off $(WARNINGS)
LIBRARIES := -ljansson $(BACKTRACE) -lm -lpthread -ldl
LINK_FLAGS := $(LINKER)
# SANITIZE=address,undefined (with a BUILD of its own): .ci/run uses it. Optimised little: what is compiled for it runs once.
ifneq ($(SANITIZE),)
C_FLAGS := $(C_FLAGS:-O2=-Og) -fsanitize=$(SANITIZE) -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LINK_FLAGS += -fsanitize=$(SANITIZE)
endif
# Only programs of others need this folder. Where it is not there, all labs, the checker and their tests work without it.
MORE := common/emulator/more
EMULATED_HEADERS := -Icommon -Icommon/emulator $(addprefix -isystem ,common/emulator/include $(MORE)/include) -DLOCKSTEP_EMULATED
LIBRARY_HEADERS := $(MORE)/libraries/include
# What the programs of NVIDIA's samples include; a real toolkit has none of it.
SAMPLE_HEADERS := $(MORE)/libraries/samples
# Headers that stand before the toolkit's own.
NVCC_FOLDERS := $(addprefix -I,$(wildcard $(MORE)/libraries/nvcc/include))
CUDA_FOLDERS := common/emulator/include $(MORE)/include $(LIBRARY_HEADERS) $(SAMPLE_HEADERS)
CUDA_HOME = $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
HEADERS_gpu = -Icommon -isystem $(CUDA_HOME)/include $(if $(CUBLAS_FOUND),-isystem $(CUBLAS_HEADERS) -DLOCKSTEP_CUBLAS='"$(CUBLAS_FOUND)"')
HEADERS_emulated-clang := $(EMULATED_HEADERS)
HEADERS_emulated-nvcc := $(EMULATED_HEADERS)

# Make may run in two terminals: a file gets a name of its own first, and its own name when it is whole.
NEW = $@.$$$$
WHEN_WHOLE = && mv -f $(NEW) $@ || { rm -f $(NEW); exit 1; }
# $(call in_turn,NAME): what takes several files goes one after the other, until the shell ends.
in_turn = exec 9>$1.lock; flock 9
# The same where make itself writes: its own number.
OWN_NUMBER = $(eval OWN_NUMBER := $(shell echo $$PPID))$(OWN_NUMBER)
COMPILE_C = @mkdir -p $(@D) && $(CC) $(C_FLAGS) $(HEADERS) -MMD -MP -MT $@ -MF $(NEW).d -c $< -o $(NEW) && mv -f $(NEW).d $(@:.o=.d) $(WHEN_WHOLE)
ARCHIVE = @mkdir -p $(@D) && $(AR) rcs $(NEW) $^ $(WHEN_WHOLE)
STALE := $(COMPILED)/tools common/make/compile.mk common/make/compile/clang.sed common/make/compile/link.sh
objects = $(patsubst %.c,$(BUILD)/objects/$1/%.o,$(wildcard $2))

EMULATOR := $(BUILD)/emulator/libemulator.a
# Transcripts of what a stranger's program asked of the device, with the calls of more/.
TRANSCRIPT_SOURCES := $(wildcard common/emulator/transcript/*.c $(MORE)/record.c $(MORE)/replay.c)
# The objects of more/ come first: the linker takes their functions in place of the weak ones of without_more.c.
EMULATOR_OBJECTS := $(call objects,emulator,$(filter-out $(TRANSCRIPT_SOURCES),$(wildcard \
  $(foreach part,more ptx state timing observe machine runtime,common/emulator/$(part)/*.c))))
$(EMULATOR_OBJECTS): HEADERS := $(EMULATED_HEADERS)
$(call objects,emulator,common/emulator/observe/host_lines.c): HEADERS += $(if $(BACKTRACE),-DLOCKSTEP_BACKTRACE=$(call c_string,$(CURDIR)))
# The machine is where the time goes; its loops over 32 lanes want the whole vector unit, which compilers are
# shy of by themselves.
WIDEST := $(if $(filter x86_64,$(shell uname -m)),-mprefer-vector-width=512)
$(call objects,emulator,$(foreach part,state timing observe machine runtime transcript more,common/emulator/$(part)/*.c)): \
  C_FLAGS := $(C_FLAGS) $(if $(SANITIZE),-Og,-O3) -march=native $(WIDEST) -fno-math-errno -fno-trapping-math
$(EMULATOR_OBJECTS): $(BUILD)/objects/emulator/%.o: %.c $(STALE) ; $(COMPILE_C)
# What stands in place of the C library's calls is for programs of others: whoever else links the archive has his own.
FILE_CALLS := $(filter %/runtime/files.o %/runtime/clocks.o,$(EMULATOR_OBJECTS))
$(EMULATOR): $(filter-out $(FILE_CALLS),$(EMULATOR_OBJECTS)) ; $(ARCHIVE)

# What goes between a stranger's program and the device, and what does again what that asked for (transcript/transcript.h).
TRANSCRIPT_OBJECTS := $(call objects,emulator,$(TRANSCRIPT_SOURCES))
RECORDER := $(BUILD)/emulator/recorder.o
REPLAYER := $(filter-out %/record.o,$(TRANSCRIPT_OBJECTS))
$(RECORDER): $(filter %/record.o,$(TRANSCRIPT_OBJECTS)) ; @mkdir -p $(@D) && $(CC) -r -nostdlib -o $(NEW) $^ $(WHEN_WHOLE)
WRAPPED := $(shell grep -oh -e 'CALL.cuda[A-Za-z0-9]*' $(wildcard common/emulator/transcript/transcript.h $(MORE)/transcript.h) | \
  sed 's/CALL./-Wl,--wrap=/') -Wl,--wrap=__cudaLaunchKernel
$(TRANSCRIPT_OBJECTS): HEADERS := $(EMULATED_HEADERS)
$(TRANSCRIPT_OBJECTS): $(BUILD)/objects/emulator/%.o: %.c $(STALE) ; $(COMPILE_C)

# Kernels of the harness itself, which measure what a GPU can do at best.
CEILINGS := $(BUILD)/objects/gpu/common/harness/ceilings.o
$(CEILINGS): common/harness/ceilings.cu $(STALE)
	@mkdir -p $(@D) && { $(call in_turn,$@); $(call compile_gpu,$(@:.o=),$<,float); }

# $(call harness_rules,FLAVOUR)
define harness_rules
$(BUILD)/$1/libharness.a: $(call objects,$1,common/harness/*.c) $(if $(filter gpu,$1),$(CEILINGS)) ; $$(ARCHIVE)
$(call objects,$1,common/harness/*.c labs/*/lab.c): HEADERS = $(HEADERS_$1)
$(call objects,$1,common/harness/*.c): $(BUILD)/objects/$1/%.o: %.c $(STALE) ; $$(COMPILE_C)
-include $(patsubst %.o,%.d,$(call objects,$1,common/harness/*.c))
endef
$(foreach flavour,$(FLAVOURS),$(eval $(call harness_rules,$(flavour))))

CHECKER := $(BUILD)/checker/checker
CHECKER_OBJECTS := $(call objects,checker,$(filter-out checker/intake/% checker/tests/%,$(wildcard checker/*.c checker/*/*.c)))
CHECKER_LIBRARIES := $(BUILD)/emulated-clang/libharness.a $(EMULATOR)
$(CHECKER_OBJECTS): HEADERS := $(EMULATED_HEADERS) -Ichecker
$(CHECKER_OBJECTS): $(BUILD)/objects/checker/%.o: %.c $(STALE) ; $(COMPILE_C)
$(filter %/class/page.o,$(CHECKER_OBJECTS)): common/view/page.css checker/class/page.css
$(CHECKER): $(CHECKER_OBJECTS) $$(LIBDRAW) $(CHECKER_LIBRARIES)
	@mkdir -p $(@D) && $(CC) $(LINK_FLAGS) -o $(NEW) $^ -lcmocka -lseccomp $(LIBRARIES) $(WHEN_WHOLE)
-include $(patsubst %.o,%.d,$(EMULATOR_OBJECTS) $(TRANSCRIPT_OBJECTS) $(CHECKER_OBJECTS))

# ---- C: the tools that read what the device recorded -----------------------------------------------------
# $(call tool,VIEW,view,viewer,LIBRARIES): VIEW is the program of common/view, build/viewer/view; LIBVIEW, beside it,
# is all of that but its main, for other tools and the tests; LIBRARIES are the tools' below.
define tool
$1 := $(BUILD)/$3/$2
LIB$1 := $(BUILD)/$3/lib$2.a
$1_OBJECTS := $(call objects,$2,common/$2/*.c)
$$($1_OBJECTS): HEADERS := -Icommon -Icommon/emulator
$$($1_OBJECTS): $(BUILD)/objects/$2/%.o: %.c $(STALE) ; $$(COMPILE_C)
$$(LIB$1): $$(filter-out %/main.o,$$($1_OBJECTS)) ; $$(ARCHIVE)
$$($1): $$(filter %/main.o,$$($1_OBJECTS)) $$(LIB$1) $4
	@mkdir -p $$(@D) && $$(CC) $$(LINK_FLAGS) -o $$(NEW) $$^ $$(LIBRARIES) $$(TOOL_LIBRARIES) $$(WHEN_WHOLE)
-include $$($1_OBJECTS:.o=.d)
endef
TOOL_LIBRARIES := -lstdc++ # names of kernels as they were written

include common/make/profile.mk
include common/make/slides.mk

# ---- CUDA: one recipe per flavour ---------------------------------------------------------------------
# libcu++ takes clang for a compiler of host code unless it is told that this is CUDA, and its assembly has special registers
# with one percent sign, which clang does not read: a copy has two. In a kernel that is a template, clang takes what a shared
# pipeline_shared_state does by default for an initialisation; the copy says that it does nothing. And a barrier's lanes hand
# over a token that one of them has: from that clang 19 concludes that each is the one, unless all have some token.
LIBCUXX := $(if $(LIBCUXX_FOUND),$(BUILD)/libcu++)
IN_PIPELINE := s/\bpipeline_shared_state() = default;/_LIBCUDACXX_INLINE_VISIBILITY pipeline_shared_state() {}\n_LIBCUDACXX_INLINE_VISIBILITY ~pipeline_shared_state() {}/
$(if $(LIBCUXX),$(shell $(call in_turn,$(LIBCUXX)); [ $(LIBCUXX)/cuda -nt $(LIBCUXX_FOUND)/cuda ] && [ $(LIBCUXX)/cuda -nt common/make/compile.mk ] || { \
  rm -rf $(LIBCUXX) && mkdir -p $(LIBCUXX) && cp -R $(LIBCUXX_FOUND)/cuda $(LIBCUXX_FOUND)/nv $(LIBCUXX) && \
  grep -rlE '[^%]%(laneid|globaltimer);' $(LIBCUXX) | xargs sed -i -E 's/([^%])%(laneid|globaltimer);/\1%%\2;/' && \
  sed -i '$(IN_PIPELINE)' $(LIBCUXX)/cuda/pipeline && \
  sed -i 's/\barrival_token __token;/arrival_token __token = {};/' $(LIBCUXX)/cuda/std/barrier && touch $(LIBCUXX)/cuda; }))
# To compile: $1 program, $2 source, $3 precision; files of the steps lie beside the program.
CUDA_FLAGS = -std=c++17 -O2 -Wall -Icommon -DREAL=$3
CLANG_OPTIONS = $(CUDA_FLAGS) -DLOCKSTEP_EMULATED -x cuda -fno-finite-loops -Xclang -fcuda-allow-variadic-functions \
  --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-gpu-arch=sm_70 $(addprefix -isystem ,$(CUDA_FOLDERS)) \
  $(LIBCUXX:%=-isystem % -D_LIBCUDACXX_COMPILER_NVCC)
CLANG_FLAGS = $(CLANG_OPTIONS) -include cuda_runtime.h
# Short pointers: addresses of shared and local memory in 32 bits, as nvcc has them; half the work at each access.
# No sinking: where a wide load and a narrow one stand on two paths, clang 14 would make them one and both narrow.
# Unrolling as far as nvcc does: a loop of 32 steps whole, as in every tiled product; arrays that it indexes stay in
# registers then. Inlining as far as nvcc does: large functions, too, so that arrays handed to them do. No vectors made of
# scalars: clang 19 loads 16 bytes that lie anywhere with ld.v4. An access through a pointer that is NULL in the source stays,
# so that it is reported.
CLANG_DEVICE_FLAGS := -Xclang -target-feature -Xclang +ptx63 -fcuda-short-ptr -mllvm --nvptx-short-ptr \
  -fno-delete-null-pointer-checks -fno-slp-vectorize -mllvm -sink-common-insts=0 -mllvm -unroll-threshold=1000 \
  -mllvm -inline-threshold=3000
CUDA_HEADERS := $(wildcard common/emulator/include/* common/emulator/include/*/* $(MORE)/include/* \
  $(LIBRARY_HEADERS)/* $(MORE)/libraries/nvcc/include/* common/emulator/machine/builtins.def common/emulator/machine/special.h)

# The lines of host code, for reports: with -g, and every caller on the stack.
HOST_LINES := -fno-optimize-sibling-calls
# Programs count on i * i to wrap around: a host compiler behind nvcc lets them, clang 19 takes it for what cannot be.
CLANG_device_SIDE := $(CLANG_DEVICE_FLAGS) --cuda-device-only -S -gline-tables-only
# A variable of a lab that got no value holds one that shows, such as a pointer that is freed all the same. Programs of others,
# which have no $3, have what lay there, as anywhere.
CLANG_host_SIDE := --cuda-host-only -w -g -fwrapv $(HOST_LINES) -Xclang -target-sdk-version=11.5 -ftrivial-auto-var-init=pattern
# $4 which clang, $5 how the host's side becomes an object; $6 where parsed headers are
define compile_with_clang
$4 $(CLANG_OPTIONS) -include $(or $(6:=/device.h),cuda_runtime.h) $(CLANG_device_SIDE) -MMD -MP -MT $1.compiled -MF $1.d $2 -o $1.ptx && \
  sed -i -f common/make/compile/clang.sed $(if $3,,$$limit) $1.ptx && \
  $4 $(CLANG_OPTIONS) -include $(or $(6:=/host.h),cuda_runtime.h) $(CLANG_host_SIDE) $(if $3,,-ftrivial-auto-var-init=uninitialized) \
  -Xclang -fcuda-include-gpubinary -Xclang $1.ptx $(or $5,-c $2 -o $1.o)
endef
# clang's work on the headers that every file begins with, half of all it does, is done once: a precompiled header for each
# side, good for headers of any date, with the templates that they use themselves. Without one, clang reads them each time.
# $(call parse,FOLDER,OUT): of FOLDER/device.h and FOLDER/host.h, which include cuda_runtime.h
SIDES := device host
parse = $(foreach side,$(SIDES),$(CLANG) $(filter-out -DREAL=%,$(CLANG_OPTIONS)) $(CLANG_$(side)_SIDE) -c -Qunused-arguments \
  -Xclang -emit-pch -Xclang -fno-pch-timestamp -fpch-instantiate-templates $1/$(side).h -o $2/$(side).h.pch;)
PARSED := $(COMPILED)/emulated-clang/parsed
PARSE_HEADERS = @mkdir -p $(@D) && $(call in_turn,$@); $(call include_runtime,$(@D)); { $(call parse,$(@D),$(@D)) } 2>/dev/null; touch $@
$(PARSED)/made: $(CUDA_HEADERS) $(STALE) ; $(PARSE_HEADERS)
# What has not changed is not written again: somebody may read it.
include_runtime = for side in $(SIDES); do [ -s $1/$$side.h ] || echo '\#include <cuda_runtime.h>' >$1/$$side.h; done
parsed_for = $(if $(findstring emulated-clang,$1),$(PARSED)/made)
compile_emulated-clang = $(call compile_with_clang,$1,$2,$3,$(CLANG),,$(PARSED))
define compile_emulated-nvcc
$(NVCC) $(NVCC_FOLDERS) $(CUDA_FLAGS:-Wall=) -DLOCKSTEP_EMULATED $(addprefix -isystem ,$(LIBRARY_HEADERS) $(SAMPLE_HEADERS)) -gencode arch=compute_75,code=compute_75 -lineinfo $(NVCC_UNCOMPRESSED) -cudart none \
  -Xcompiler -g1,$(HOST_LINES) \
  -MMD -MP -MT $1.compiled -MF $1.d -c $2 -o $1.o
endef
compile_gpu = $(NVCC) $(CUDA_FLAGS:-Wall=) -arch=native -lineinfo -MMD -MP -MT $1.compiled -MF $1.d -c $2 -o $1.o

# To link: $1 program, $2 its objects and libraries, $3 the emulator's, if not the usual one.
link_emulated-clang = sh common/make/compile/link.sh $(CC) $(LINK_FLAGS) -o $1.new $2 $(or $3,$(EMULATOR)) $(LIBRARIES) -Wl,--as-needed -lstdc++
link_emulated-nvcc = $(link_emulated-clang)
link_gpu = $(NVCC) -arch=native -o $1.new $2 -lm -lpthread -ldl

# Who asks for float is graded in double, too, on the emulated device: one program more, compiled side by side. Its
# compiler's warnings are those of the other, and not shown again.
also_double := $(filter emulated-float,$(DEVICE)-$(PRECISION))
in_double = $(if $(also_double),$(OUT)/$(call labs_key,$1)/$2.double)
IN_DOUBLE = $(addprefix --double ,$(call in_double,$1,$2))
BESIDE := $(foreach labs,$(sort labs solutions $(LABS)),$(foreach lab,$(LAB_NAMES),$(call in_double,$(labs),$(lab))))

# $(call cuda_program,FLAVOUR,PROGRAM,SOURCE,PRECISION,OBJECTS AND LIBRARIES) says how to make a program.
# PROGRAM.seen is a copy of the source: a restored file with an old date counts as changed, a touched one
# does not. PROGRAM.compiled is what the compiler said, PROGRAM.o what it made, if it did: compiled once for all
# versions of the emulator, sanitized ones (COMPILED) too. A source that does not compile is the learner's
# mistake, not make's: the rules leave PROGRAM.log and no program, and who wanted to run the program says so. All
# appears whole or not at all: a build that was killed is done again.
define cuda_program
$2: $(call compiled,$2).compiled $5 $(if $(filter gpu,$1),,$(EMULATOR))
	@mkdir -p $$(@D); $$(call in_turn,$2); cat $$< >$2.log; if [ -e $(call compiled,$2).o ]; then \
	  { $(call link_$1,$2,$(call compiled,$2).o $5) && mv -f $2.new $2; } >>$2.log 2>&1 || rm -f $2.new $2; else rm -f $$< $2; fi; \
	$(if $(or $(findstring /mutants/,$2),$(filter $2,$(BESIDE))),,[ ! -x $2 ] || awk -f common/make/compile/once.awk $2.log >&2)
$(call cuda_object,$1,$(call compiled,$2),$3,$4)
endef
define cuda_object
$2.compiled: $2.seen $(if $(filter gpu,$1),,$(CUDA_HEADERS)) $(call parsed_for,$1) $(STALE)
	@$$(call in_turn,$2); { $(call compile_$1,$2,$3,$4); } >$$@.new 2>&1 || { sh common/make/compile/why.sh $$@.new >>$$@.new; rm -f $2.o; }; \
	  [ ! -e $2.d ] || sed -i -f common/make/compile/depends.sed $2.d; mv $$@.new $$@
$2.seen: FORCE
	@cmp -s $3 $$@ || { mkdir -p $$(@D); rm -f $2; cat $3 >$$(NEW) && mv -f $$(NEW) $$@; } 2>/dev/null || rm -f $$(NEW) $$@
-include $2.d
endef
compiled = $(patsubst $(BUILD)/%,$(COMPILED)/%,$1)
.PHONY: FORCE
# A source that is gone is for the compiler to say, not for make.
$(sort $(FILE) $(foreach labs,labs solutions $(LABS),$(foreach lab,$(LAB_NAMES),$(call cu_file,$(labs),$(lab))))): ;
MUST_COMPILE = [ -x $< ] || { cat $<.log >&2; false; }

# A lab program: the student's file, the lab's given part, the harness. Given are lab.c and, where a lab
# comes with kernels to read, the CUDA files beside the student's, which may share a header.
# $(call given,FLAVOUR,NN-name,PRECISION), $(call lab_program,FLAVOUR,LABS,NN-name,PRECISION)
given_cu = $(filter-out $(call cu_file,labs,$1),$(wildcard labs/$1/*.cu))
given = $(BUILD)/$1/given/$2.$3.o $(patsubst labs/$2/%.cu,$(BUILD)/$1/given/$2-%.$3.o,$(call given_cu,$2))
define lab_program
$(call cuda_program,$1,$(BUILD)/$1/$(call labs_key,$2)/$3.$4,$(call cu_file,$2,$3),$4,$(call given,$1,$3,$4) $(BUILD)/$1/libharness.a)
endef
# $(call replay,FLAVOUR,NN-name,PRECISION): the program of the given part alone, for replays.
replay = $(if $(filter gpu,$1),,$(BUILD)/$1/replay/$2.$3)
define given_part
$(BUILD)/$1/given/$2.$3.o: HEADERS = $(HEADERS_$1) -DREAL=$3
$(BUILD)/$1/given/$2.$3.o: labs/$2/lab.c $(STALE) ; $$(COMPILE_C)
-include $(BUILD)/$1/given/$2.$3.d
$(BUILD)/$1/replay/$2.$3.o: HEADERS = $(HEADERS_$1) -DREAL=$3 -DLOCKSTEP_REPLAY
$(BUILD)/$1/replay/$2.$3.o: labs/$2/lab.c $(STALE) ; $$(COMPILE_C)
-include $(BUILD)/$1/replay/$2.$3.d
$(BUILD)/$1/replay/$2.$3: $(BUILD)/$1/replay/$2.$3.o $(filter-out %/$2.$3.o,$(call given,$1,$2,$3)) $(REPLAYER) $(BUILD)/$1/libharness.a $(EMULATOR)
	@mkdir -p $$(@D) && $$(CC) $$(LINK_FLAGS) -o $$(NEW) $$^ $$(LIBRARIES) -Wl,--as-needed -lstdc++ $$(WHEN_WHOLE)
$(patsubst labs/$2/%.cu,$(BUILD)/$1/given/$2-%.$3.o,$(call given_cu,$2)): $(BUILD)/$1/given/$2-%.$3.o: labs/$2/%.cu $(wildcard labs/$2/*.h) common/lab.h $(CUDA_HEADERS) $(call parsed_for,$1) $(STALE)
	@mkdir -p $$(@D) && { $$(call in_turn,$$(@:.o=)); $$(call compile_$1,$$(@:.o=),$$<,$3); }
endef
$(foreach flavour,$(FLAVOURS),$(foreach lab,$(LAB_NAMES),$(foreach precision,float double,\
  $(eval $(call given_part,$(flavour),$(lab),$(precision)))\
  $(foreach labs,$(sort labs solutions $(LABS)),\
    $(eval $(call lab_program,$(flavour),$(labs),$(lab),$(precision)))))))

# How the checker makes what a changed source is tried with (checker/change/trial.c): PTX, or a program, "$2", of "$1" in
# precision "$3". $(call edited_with,LAB,PARSED)
edited_with = $(CLANG) $(filter-out -DREAL=% -Wall,$(CLANG_OPTIONS)) -w -DREAL="$$3" -Ilabs/$1 -include $2/device.h \
  $(CLANG_device_SIDE) -g0 "$$1" -o "$$2" && sed -i -f common/make/compile/clang.sed "$$2"
rebuilt_with = $(if $(filter emulated-clang,$(FLAVOUR)),$(call compile_with_clang,"$$2","$$1","$$3",$(CLANG) -w -Ilabs/$1,,$(PARSED)),$(call compile_$(FLAVOUR),"$$2","$$1","$$3")) && \
  $(call link_$(FLAVOUR),"$$2","$$2".o $(call given,$(FLAVOUR),$1,$$3) $(BUILD)/$(FLAVOUR)/libharness.a) && mv "$$2".new "$$2"
# Changes towards the solution, where it is here, are tried first.
solution_of = $(addprefix --solution ,$(wildcard $(call cu_file,solutions,$1)))
WITH_CHANGES = --edited '$(call edited_with,$1,$(PARSED))' --rebuilt '$(call rebuilt_with,$1)' $(call solution_of,$1)

# The given part of a file counts as git has it, which is asked when HEAD has moved. Where git is not at hand, nothing is compared.
HANDED_OUT := $(BUILD)/handout
COMMITTED := $(if $(wildcard .git),$(HANDED_OUT)/commit)
$(HANDED_OUT)/commit: $(or $(wildcard .git/logs/HEAD),FORCE) ; @sh common/make/class/committed.sh $(HANDED_OUT) quiet 2>/dev/null || :
WITH_HANDOUT = $(if $(COMMITTED),$$([ ! -e $(COMMITTED) ] || echo --handout $(HANDED_OUT)/$(call cu_file,labs,$1)) --rebuilt '$(call rebuilt_with,$1)')

# On a GPU the checker times the reference solution, where it is there, in turns with the student's program.
timed_beside = $(if $(and $(filter gpu,$(DEVICE)),$(wildcard $(call cu_file,solutions,$1))),$(call program,solutions,$1))
REFERENCE = $(addprefix --reference ,$(call timed_beside,$1))

# ---- make grade: the marks of each lab in a file, made again when its program changes ---------------------
GRADE_OUT := $(OUT)/grade/$(call labs_key,$(LABS)).$(PRECISION)$(OTHER_CARD:%=.%)
GRADES := $(foreach lab,$(LAB_NAMES),$(GRADE_OUT)/$(lab).json)
$(GRADES): $(GRADE_OUT)/%.json: $$(call program,$(LABS),$$*) $$(call in_double,$(LABS),$$*) $(CHECKER) $$(call timed_beside,$$*) | $(COMMITTED)
	@mkdir -p $(@D) && { $(CHECKER) $(POINTS:%=--points %) --lab $* --source $(call cu_file,$(LABS),$*) --program $< --device $(DEVICE) $(GRADED_ON) \
	  --precision $(PRECISION) --compiler '$(COMPILER_TITLE)' --labs $(LABS) --plain --json $(NEW) \
	  $(call REFERENCE,$*) $(call IN_DOUBLE,$(LABS),$*) $(call WITH_HANDOUT,$*) $$([ -x $< ] || echo --compile-log $<.log) >$(NEW).txt || [ $$? = 1 ]; } && mv -f $(NEW).txt $(@:.json=.txt) && mv -f $(NEW) $@ || { rm -f $(NEW) $(NEW).txt $@; exit 2; }

include common/make/sandbox.mk
-include common/make/class.mk

include common/make/libraries.mk
include common/make/play.mk
include common/make/view.mk
include common/make/race.mk
include common/make/editor.mk
include common/make/predict.mk
