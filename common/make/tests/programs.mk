# Lists the programs of the tests. A file in one of the folders below needs no line here. Included
# by tests.mk.

EMULATED := $(filter-out $(if $(SANITIZE),%-nvcc),$(filter emulated-%,$(FLAVOURS)))
HOST_LIBRARIES := $(BUILD)/emulated-clang/libharness.a $(EMULATOR)

# ---- unit tests in C: build/tests/common_draw_tests_maps_test is of common/draw/tests/maps_test.c 
path_name = $(subst /,_,$(basename $1))
UNIT_TESTS := $(wildcard common/*/tests/*_test.c checker/tests/*_test.c)
UNIT_PROGRAMS := $(foreach test,$(UNIT_TESTS),$(BUILD)/tests/$(call path_name,$(test)))
unit_source = $(strip $(foreach test,$(UNIT_TESTS),$(if $(filter $1,$(call path_name,$(test))),$(test))))
units = $(foreach folder,$1,$(filter $(BUILD)/tests/$(folder)_%,$(UNIT_PROGRAMS)))
INTAKE_TESTS := $(addprefix $(BUILD)/tests/checker_tests_,intake_test arrivals_test)
RECORDED_PROGRAM := $(BUILD)/tests/recorded/01-naive.float
NAMED_UNITS = $(foreach test,$(UNIT_TESTS),$(test:_test.c=)=$(BUILD)/tests/$(call path_name,$(test)))
WORKBOOK_TEST := $(BUILD)/tests/checker_tests_workbook_test

# ---- CUDA programs: PROGRAMS has a row FLAVOUR:PROGRAM:SOURCE:PRECISION:OBJECTS for each ---------
# $(call objects_OBJECTS,PROGRAM,PRECISION): the objects and libraries that the program is linked
# with.
MISTAKES := $(wildcard common/emulator/tests/mistakes/*.cu $(MORE)/tests/mistakes/*.cu)
CUDA_TESTS := $(wildcard common/emulator/tests/programs/*.cu $(MORE)/tests/programs/*.cu) $(MISTAKES)
RACE_PAIRS := $(wildcard common/emulator/tests/races/pairs/*.cu)# each race with its repair (race_pairs.sh)
# Programs that call the toolkit's libraries, if the libraries for the CPU are installed.
LIBRARY_TESTS := $(filter-out $(if $(FFTW_FOUND),,%/cufft.cu),$(filter $(if $(BLAS_FOUND),%,%/nvrtc.cu %/cufft.cu),$(wildcard $(MORE)/tests/libraries/*.cu)))
test_program = $(BUILD)/$1/$(if $(findstring /mistakes/,$2),mistakes,$(if $(findstring /races/pairs/,$2),races/pairs,tests))/$(notdir $(basename $2))
# $(call through_each,SOURCES): the programs of these sources, compiled with each front end.
through_each = $(foreach flavour,$(EMULATED),$(foreach test,$1,$(call test_program,$(flavour),$(test))))
CUDA_TEST_PROGRAMS := $(call through_each,$(CUDA_TESTS))
PAIR_PROGRAMS := $(call through_each,$(RACE_PAIRS))
LIBRARY_TEST_PROGRAMS := $(call through_each,$(LIBRARY_TESTS))
LADDERS = $(call through_each,ladder.cu)
RECONVERGENCE = $(call through_each,$(wildcard common/emulator/tests/programs/reconvergence*.cu))
# nvcc compiles these programs completely: those with host code that differs between compilers, and
# for each runtime function the first program that names it. For all others it only generates PTX.
UNUSUAL_HOSTS := common/emulator/tests/programs/language.cu common/emulator/tests/programs/structs.cu $(shell \
  grep -l __clang__ $(CUDA_TESTS) /dev/null; grep -oHwE 'cu(da)?[A-Z][A-Za-z0-9]*' $(CUDA_TESTS) /dev/null | awk -F: '!seen[$$2]++ { print $$1 }')
tried_through = $(if $(and $(filter emulated-nvcc,$1),$(filter-out $(UNUSUAL_HOSTS),$2)),emulated-clang-ptx-of-nvcc,$1)
# These programs write files from memory that the device also writes, or read a clock.
objects_files = $(FILE_CALLS)
WRITE_FILES := %/host_memory.cu %/not_waited_file.cu %/clock_not_waited.cu
PROGRAMS := $(foreach flavour,$(EMULATED),\
  $(foreach test,$(CUDA_TESTS),$(call tried_through,$(flavour),$(test)):$(call test_program,$(flavour),$(test)):$(test):float:$(if $(filter $(WRITE_FILES),$(test)),files))\
  $(foreach test,$(RACE_PAIRS),$(call tried_through,$(flavour),$(test)):$(call test_program,$(flavour),$(test)):$(test):float)\
  $(foreach test,$(LIBRARY_TESTS),$(flavour)-library:$(call test_program,$(flavour),$(test)):$(test):float))

# ---- wrong solutions: a patch each, of the lab's solution or of a base-*.cu beside it ------------
MUTANTS := $(wildcard checker/mutants/*/*.patch)
MUTANT_BASES := $(wildcard checker/mutants/*/base-*.cu)
MUTANTS_IN_DOUBLE := $(if $(MUTANTS),$(shell grep -l '^// expect: task [0-9]* in double' $(MUTANTS)))# right in float
mutants_of = $(filter checker/mutants/$1/%,$(MUTANTS) $(MUTANT_BASES))
mutant_source = $(patsubst checker/%.patch,$(BUILD)/%.cu,$1)
mutant_program = $(patsubst checker/%,$(BUILD)/emulated-clang/%.float,$(basename $1))
objects_lab = $(call given,emulated-clang,$(notdir $(patsubst %/,%,$(dir $1))),$2) $(BUILD)/emulated-clang/libharness.a
PROGRAMS += $(foreach test,$(MUTANTS) $(MUTANT_BASES),emulated-clang:$(call mutant_program,$(test)):$(call mutant_source,$(test)):float:lab) \
  $(foreach test,$(MUTANTS_IN_DOUBLE),emulated-clang:$(patsubst %.float,%.double,$(call mutant_program,$(test))):$(call mutant_source,$(test)):double:lab)
# `make test` grades the wrong solutions of the first lab, or of the labs in GRADED, in one order of
# warps and blocks.
FIRST_LAB := $(firstword $(LAB_NAMES))
GRADED ?= $(FIRST_LAB)
PROFILED := 03-bank-conflicts/pad-nothing 03-bank-conflicts/pad-only-bs 03-bank-conflicts/exchange-only-loads \
  04-ilp/sums-in-memory 05-matvec/lanes-in-chunks
# A few wrong solutions for which the checker must find a change that makes the task pass
# (change.sh).
CHANGED := 01-naive/leak-on-error:double 01-naive/a-stride-n:operators 02-shared/second-barrier-missing:operators \
  02-shared/loads-inside-only 03-bank-conflicts/early-return 04-ilp/second-row-below 05-matvec/all-lanes-store-the-same \
  05-matvec/tail-without-head 06-nbody/velocity-first 06-nbody/another-kernel
CHANGED_MUTANTS := $(wildcard $(patsubst %,checker/mutants/%.patch,$(patsubst %:double,%,$(CHANGED:%:operators=%))))
CHANGE_COMMANDS := $(BUILD)/tests/change
# Programs for the test of the step page in a browser: KIND SOURCE PROGRAM of each.
STEPPED_MUTANTS := $(wildcard $(patsubst %,checker/mutants/02-shared/%.patch,second-barrier-missing first-barrier-missing no-barriers))
STEPPED := right $(call cu_file,solutions,02-shared) $(BUILD)/emulated-clang/solutions/02-shared.float $(foreach mutant,$(STEPPED_MUTANTS),\
  wrong $(call mutant_source,$(mutant)) $(call mutant_program,$(mutant)))

# ---- the programs of the labs --------------------------------------------------------------------
in_both = $(foreach precision,float double,$1.$(precision))
CHECKED_PROGRAMS := $(foreach labs,labs solutions,$(foreach lab,$(LAB_NAMES),$(call in_both,$(BUILD)/emulated-clang/$(labs)/$(lab))))
GPU_PROGRAMS := $(foreach lab,$(LAB_NAMES),$(call in_both,$(BUILD)/gpu/solutions/$(lab)))
# The programs whose counters are compared with recorded counters of a GPU, for each front end.
RECORDED_COUNTERS := $(wildcard slides/data/ncu-h200.csv)
COUNTED := $(foreach flavour,$(EMULATED),$(foreach lab,$(LAB_NAMES),$(call in_both,$(BUILD)/$(flavour)/solutions/$(lab))))
CHECKED_06 = $(foreach labs,solutions labs,$(BUILD)/emulated-clang/$(labs)/06-nbody.float)

# ---- benches: all files of a folder are one program ----------------------------------------------
# KERNELS: kernels of courses and books. TIMED: kernels whose times on an H200 are recorded, with
# those of KERNELS. BENCH: the table of `make bench`.
KERNELS := $(BUILD)/emulated-clang/bench_kernels
TIMED := $(BUILD)/emulated-clang/timing_kernels
BENCH := $(BUILD)/emulated-clang/bench
KERNEL_FILES := $(filter-out %/main.cu,$(wildcard common/emulator/tests/bench/*.cu))
TIMED_FILES := $(filter-out %/main.cu,$(wildcard common/emulator/tests/timing/*.cu))
KERNEL_OBJECTS := $(KERNEL_FILES:common/emulator/tests/bench/%.cu=$(KERNELS)-%.o)
TIMED_OBJECTS := $(TIMED_FILES:common/emulator/tests/timing/%.cu=$(TIMED)-%.o)
objects_kernels = $(KERNEL_OBJECTS)
objects_timed = $(KERNEL_OBJECTS) $(TIMED_OBJECTS)
objects_bench = $(BENCH)_loop.o
PROGRAMS += $(foreach file,$(KERNEL_FILES),emulated-clang:$(KERNELS)-$(notdir $(basename $(file))):$(file):float:alone) \
  $(foreach file,$(TIMED_FILES),emulated-clang:$(TIMED)-$(notdir $(basename $(file))):$(file):float:alone) \
  emulated-clang:$(KERNELS):common/emulator/tests/bench/main.cu:float:kernels \
  emulated-clang:$(TIMED):common/emulator/tests/timing/main.cu:float:timed \
  emulated-clang:$(BENCH):common/emulator/tests/bench.cu:float:bench

# ---- generated kernels, a few with every test: compared with the output of an H200 ---------------
FUZZ_FOLDER := common/emulator/tests/fuzz
FUZZ_SOURCES := $(wildcard $(FUZZ_FOLDER)/*.c)
FUZZ_GENERATOR := $(BUILD)/tests/fuzz_generate
FUZZ_FORMS := common/emulator/tests/values_h200.txt
FUZZ_RECORD := common/emulator/tests/fuzz_h200.txt
REPLAYED := $(if $(wildcard $(FUZZ_RECORD)),$(sort $(shell sed -n 's/^\([0-9]*\) program .*/\1/p' $(FUZZ_RECORD))))
REPLAYS := $(foreach flavour,$(EMULATED),$(REPLAYED:%=$(BUILD)/$(flavour)/fuzz/%))
PROGRAMS += $(foreach flavour,$(EMULATED),$(foreach seed,$(REPLAYED),$(call tried_through,$(flavour),replay):$(BUILD)/$(flavour)/fuzz/$(seed):$(BUILD)/fuzz/replay/$(seed).cu:float))

TESTED := $(WEAVE) $(UNIT_PROGRAMS) $(CUDA_TEST_PROGRAMS) $(PAIR_PROGRAMS) $(LIBRARY_TEST_PROGRAMS) $(CHECKER) $(BUILD)/tests/ptx_replay $(BUILD)/tests/ptx_list
