# Rules for C code: the emulator, the harness, the checker, and the tools that read recordings.
# Included by the Makefile.

# $(call c_string,TEXT): TEXT as a C string literal, quoted for the shell, for -DNAME=...
c_string = $(call quote,"$(subst ",\",$(subst \,\\,$1))")

WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes
# -g1 is enough for backtraces. DEBUG=-g adds variables; it takes 10 % more time to compile and
# three times as long to link.
DEBUG ?= -g1
C_FLAGS := -std=c11 -D_GNU_SOURCE -O2 $(DEBUG) -pthread -ffp-contract=off $(WARNINGS)
LIBRARIES := -ljansson $(BACKTRACE) -lm -lpthread -ldl
LINK_FLAGS := $(LINKER)
# make sanitize sets SANITIZE=address,undefined and a separate BUILD. This build uses -Og, because
# compiling takes longer than running the tests.
ifneq ($(SANITIZE),)
C_FLAGS := $(C_FLAGS:-O2=-Og) -fsanitize=$(SANITIZE) -fno-sanitize-recover=undefined -fno-omit-frame-pointer
LINK_FLAGS += -fsanitize=$(SANITIZE)
endif
# Only programs that are not labs need the folder MORE. The labs, the checker and their tests work
# without it (without_more.sh).
MORE := common/emulator/more
EMULATED_HEADERS := -Icommon -Icommon/emulator $(addprefix -isystem ,common/emulator/include $(MORE)/include) -DLOCKSTEP_EMULATED
LIBRARY_HEADERS := $(MORE)/libraries/include
# Headers that NVIDIA's samples include and a toolkit does not contain.
SAMPLE_HEADERS := $(MORE)/libraries/samples
# Folders that nvcc searches before the headers of the toolkit.
NVCC_FOLDERS := $(addprefix -I,$(wildcard $(MORE)/libraries/nvcc/include))
CUDA_FOLDERS := common/emulator/include $(MORE)/include $(LIBRARY_HEADERS) $(SAMPLE_HEADERS)
CUDA_HOME = $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
HEADERS_gpu = -Icommon -isystem $(CUDA_HOME)/include $(if $(CUBLAS_FOUND),-isystem $(CUBLAS_HEADERS) -DLOCKSTEP_CUBLAS='"$(CUBLAS_FOUND)"')
HEADERS_emulated-clang := $(EMULATED_HEADERS)
HEADERS_emulated-nvcc := $(EMULATED_HEADERS)

# Two makes may run at the same time, so a recipe writes a file under the name NEW, and renames it
# when it is complete.
NEW = $@.$$$$
WHEN_WHOLE = && mv -f $(NEW) $@ || { rm -f $(NEW); exit 1; }
# $(call in_turn,NAME): locks NAME.lock until the shell of the recipe ends. Used by recipes that
# write several files.
in_turn = exec 9>$1.lock; flock 9
# The process ID of make, used in the names of files that $(file >...) writes.
OWN_NUMBER = $(eval OWN_NUMBER := $(shell echo $$PPID))$(OWN_NUMBER)
COMPILE_C = @mkdir -p $(@D) && $(CC) $(C_FLAGS) $(HEADERS) -MMD -MP -MT $@ -MF $(NEW).d -c $< -o $(NEW) && mv -f $(NEW).d $(@:.o=.d) $(WHEN_WHOLE)
ARCHIVE = @mkdir -p $(@D) && $(AR) rcs $(NEW) $^ $(WHEN_WHOLE)
# All C objects depend on these files: on the compiler (tools) and on the rules in this file.
C_RULES := $(COMPILED)/tools common/make/c.mk
objects = $(patsubst %.c,$(BUILD)/objects/$1/%.o,$(wildcard $2))

EMULATOR := $(BUILD)/emulator/libemulator.a
# The sources that record and replay the runtime calls of a submission, including calls of more/.
TRANSCRIPT_SOURCES := $(wildcard common/emulator/transcript/*.c $(MORE)/record.c $(MORE)/replay.c)
# The objects of more/ are the first in the archive, so that the linker prefers their functions to
# the weak functions of without_more.c.
EMULATOR_OBJECTS := $(call objects,emulator,$(filter-out $(TRANSCRIPT_SOURCES),$(wildcard \
  $(foreach part,more ptx state timing observe machine runtime,common/emulator/$(part)/*.c))))
$(EMULATOR_OBJECTS): HEADERS := $(EMULATED_HEADERS)
$(call objects,emulator,common/emulator/observe/host_lines.c): HEADERS += $(if $(BACKTRACE),-DLOCKSTEP_BACKTRACE=$(call c_string,$(CURDIR)))
# The loops over the 32 lanes of a warp take most of the time of a run. Compilers use 512-bit
# vectors only with this option.
WIDEST := $(if $(filter x86_64,$(PROCESSOR)),-mprefer-vector-width=512)
$(call objects,emulator,$(foreach part,state timing observe machine runtime transcript more,common/emulator/$(part)/*.c)): \
  C_FLAGS := $(C_FLAGS) $(if $(SANITIZE),-Og,-O3) -march=native $(WIDEST) -fno-math-errno -fno-trapping-math
$(EMULATOR_OBJECTS): $(BUILD)/objects/emulator/%.o: %.c $(C_RULES) ; $(COMPILE_C)
# Replacements for functions of the C library. They are linked into play programs, not into labs.
FILE_CALLS := $(filter %/runtime/files.o %/runtime/clocks.o,$(EMULATOR_OBJECTS))
$(EMULATOR): $(filter-out $(FILE_CALLS),$(EMULATOR_OBJECTS)) ; $(ARCHIVE)

# The recorder is linked into a submission and wraps its runtime calls. The replayer repeats the
# recorded calls (transcript.h).
TRANSCRIPT_OBJECTS := $(call objects,emulator,$(TRANSCRIPT_SOURCES))
RECORDER := $(BUILD)/emulator/recorder.o
REPLAYER := $(filter-out %/record.o,$(TRANSCRIPT_OBJECTS))
$(RECORDER): $(filter %/record.o,$(TRANSCRIPT_OBJECTS)) ; @mkdir -p $(@D) && $(CC) -r -nostdlib -o $(NEW) $^ $(WHEN_WHOLE)
WRAPPED = $(shell grep -oh -e 'CALL.cuda[A-Za-z0-9]*' $(wildcard common/emulator/transcript/transcript.h $(MORE)/transcript.h) | \
  sed 's/CALL./-Wl,--wrap=/') -Wl,--wrap=__cudaLaunchKernel
$(TRANSCRIPT_OBJECTS): HEADERS := $(EMULATED_HEADERS)
$(TRANSCRIPT_OBJECTS): $(BUILD)/objects/emulator/%.o: %.c $(C_RULES) ; $(COMPILE_C)

# Kernels that measure the peak rates of a GPU.
CEILINGS := $(BUILD)/objects/gpu/common/harness/ceilings.o
$(CEILINGS): common/harness/ceilings.cu $(C_RULES)
	@mkdir -p $(@D) && { $(call in_turn,$@); $(call compile_gpu,$(@:.o=),$<,float); }

# $(call harness_rules,FLAVOUR): the rules of the harness for a flavour (options.mk).
define harness_rules
$(BUILD)/$1/libharness.a: $(call objects,$1,common/harness/*.c) $(if $(filter gpu,$1),$(CEILINGS)) ; $$(ARCHIVE)
$(call objects,$1,common/harness/*.c labs/*/lab.c): HEADERS = $(HEADERS_$1)
$(call objects,$1,common/harness/*.c): $(BUILD)/objects/$1/%.o: %.c $(C_RULES) ; $$(COMPILE_C)
-include $(patsubst %.o,%.d,$(call objects,$1,common/harness/*.c))
endef
$(foreach flavour,$(FLAVOURS),$(eval $(call harness_rules,$(flavour))))

CHECKER := $(BUILD)/checker/checker
CHECKER_OBJECTS := $(call objects,checker,$(filter-out checker/intake/% checker/tests/%,$(wildcard checker/*.c checker/*/*.c)))
CHECKER_LIBRARIES := $(BUILD)/emulated-clang/libharness.a $(EMULATOR)
$(CHECKER_OBJECTS): HEADERS := $(EMULATED_HEADERS) -Ichecker
$(CHECKER_OBJECTS): $(BUILD)/objects/checker/%.o: %.c $(C_RULES) ; $(COMPILE_C)
$(filter %/class/page.o,$(CHECKER_OBJECTS)): common/view/page.css checker/class/page.css
$(CHECKER): $(CHECKER_OBJECTS) $$(LIBDRAW) $(CHECKER_LIBRARIES)
	@mkdir -p $(@D) && $(CC) $(LINK_FLAGS) -o $(NEW) $^ -lcmocka -lseccomp $(LIBRARIES) $(WHEN_WHOLE)
-include $(patsubst %.o,%.d,$(EMULATOR_OBJECTS) $(TRANSCRIPT_OBJECTS) $(CHECKER_OBJECTS))

# The first build and a build in a folder that was moved take minutes. In these builds make prints a
# message and the number of files that are done.
ifneq ($(filter lab% hint% progress change% run% watch% profile% predict% view% race% step% demo play grade,$(GOALS)),)
ifneq ($(file <$(COMPILED)/tools),$(CURDIR) $(TOOLS))
FIRST_BUILT := $(EMULATOR_OBJECTS) $(CHECKER_OBJECTS)
$(FIRST_BUILT): | first_build
first_build:
	@echo '$(if $(wildcard $(COMPILED)/tools),The folder or a compiler has changed: everything is compiled again.,The emulated device is compiled once$(comma) before the first run.)' >&2; \
	  echo 'This takes a minute or two, or longer on a busy machine.' >&2
$(call counted,10,$(FIRST_BUILT))
endif
endif

# ---- the tools that read recordings --------------------------------------------------------------
# $(call tool,VIEW,view,viewer,LIBRARIES): the rules of a tool. VIEW is the program
# build/viewer/view, whose sources are in common/view. LIBVIEW is a library of its objects without
# main.o, for other tools and tests. LIBRARIES are the libraries of other tools that the program
# uses.
define tool
$1 := $(BUILD)/$3/$2
LIB$1 := $(BUILD)/$3/lib$2.a
$1_OBJECTS := $(call objects,$2,common/$2/*.c)
$$($1_OBJECTS): HEADERS := -Icommon -Icommon/emulator
$$($1_OBJECTS): $(BUILD)/objects/$2/%.o: %.c $(C_RULES) ; $$(COMPILE_C)
$$(LIB$1): $$(filter-out %/main.o,$$($1_OBJECTS)) ; $$(ARCHIVE)
$$($1): $$(filter %/main.o,$$($1_OBJECTS)) $$(LIB$1) $4
	@mkdir -p $$(@D) && $$(CC) $$(LINK_FLAGS) -o $$(NEW) $$^ $$(LIBRARIES) $$(TOOL_LIBRARIES) $$(WHEN_WHOLE)
-include $$($1_OBJECTS:.o=.d)
endef
TOOL_LIBRARIES := -lstdc++ # for demangling the names of kernels
