# Rules for the tests of the workbook itself, the fuzzers and the benches. tests/programs.mk lists
# the programs, and tests/list.mk lists the tests, which test.sh runs. Included by the Makefile.

include common/make/tests/programs.mk common/make/tests/list.mk

# ---- unit tests in C -----------------------------------------------------------------------------
$(UNIT_PROGRAMS:=.o): HEADERS := $(EMULATED_HEADERS) -Ichecker -Wno-missing-prototypes -Wno-psabi
$(UNIT_PROGRAMS:=.o): $(BUILD)/tests/%.o: $$(call unit_source,$$*) $(C_RULES) ; $(COMPILE_C)
$(UNIT_PROGRAMS): %: %.o $(HOST_LIBRARIES)
	@mkdir -p $(@D) && $(CC) $(C_FLAGS) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(filter-out $(HOST_LIBRARIES),$(filter %.a,$^)) $(HOST_LIBRARIES) -lcmocka $(LIBRARIES)
$(call units,checker): $(filter-out %/main.o,$(CHECKER_OBJECTS)) $(LIBDRAW)
$(call units,checker): LIBRARIES += -lseccomp
$(INTAKE_TESTS): LIBRARIES += -larchive
$(INTAKE_TESTS): | $(INTAKE)
$(BUILD)/tests/checker_tests_spoilers_test: | $(CHECKER) $(VIEW) $(PROFILE)
$(call units,common_profile): $(LIBPROFILE)
$(call units,common_draw): $(LIBDRAW) $(LIBPROFILE) | $(DRAW)
$(call units,common_view): $(LIBVIEW) $(LIBDRAW) $(LIBPROFILE)
$(call units,common_step): | $(STEP) $(BUILD)/emulated-clang/solutions/02-shared.float
$(call units,common_profile common_draw common_view): LIBRARIES += $(TOOL_LIBRARIES)
$(call units,common_weave): $(filter-out %/main.o,$(WEAVE_OBJECTS))
# Builds two programs for transcript_test: the solution of lab 01 with the recorder, and the replay
# of its calls.
$(RECORDED_PROGRAM): $(BUILD)/emulated-clang/solutions/01-naive.float $(RECORDER) $(EMULATOR)
	@mkdir -p $(@D) && $(call link_emulated-clang,$@,$(call compiled,$<).o $(call given,emulated-clang,01-naive,float) $(BUILD)/emulated-clang/libharness.a $(RECORDER) $(WRAPPED)) && mv $@.new $@
$(filter %_transcript_test,$(UNIT_PROGRAMS)): | $(RECORDED_PROGRAM) $(call replay,emulated-clang,01-naive,float)
-include $(UNIT_PROGRAMS:=.d)

# ---- the CUDA programs, compiled with every supported clang --------------------------------------
ifneq ($(filter test-compilers,$(GOALS)),)
CLANGS ?= clang-14 clang-15 clang-16 clang-17 clang-18 clang-19
CLANGS_HERE := $(foreach clang,$(CLANGS),$(if $(shell command -v $(clang)),$(clang)))
$(foreach clang,$(CLANGS_HERE),$(eval compile_emulated-$(clang) = $$(call compile_with_clang,$$1,$$2,$$3,$(clang)))$(eval link_emulated-$(clang) = $$(link_emulated-clang)))
PROGRAMS += $(foreach clang,$(CLANGS_HERE),$(foreach test,$(CUDA_TESTS),emulated-$(clang):$(call test_program,emulated-$(clang),$(test)):$(test):float))
.PHONY: test-compilers
test-compilers: $(foreach clang,$(CLANGS_HERE),$(foreach test,$(CUDA_TESTS),$(call test_program,emulated-$(clang),$(test))))
	@echo 'not installed: $(or $(filter-out $(CLANGS_HERE),$(CLANGS)),none)'
	@sh common/make/tests/test.sh $(foreach clang,$(CLANGS_HERE),$(foreach test,$(CUDA_TESTS),\
	  $(notdir $(basename $(test)))/$(clang):$(test)=$(call test_program,emulated-$(clang),$(test))))
endif

# ---- generated kernels: compares devices, compilers and settings ---------------------------------
# make fuzz-kernels [SEEDS="1 2 3"] [GPU_LINES=file] [GENERATOR=generate.c]: the generator prints a
# program for each seed. fuzz_kernels.sh describes the output of such a program, and compares the
# outputs. The default generator is common/emulator/tests/fuzz; its main.c explains how to find the
# cause of a difference.
$(FUZZ_GENERATOR): $(FUZZ_SOURCES) $(wildcard $(FUZZ_FOLDER)/*.h $(FUZZ_FOLDER)/*.def) common/emulator/tests/values.h
	@mkdir -p $(@D) && $(CC) -std=c11 -O1 -Wall -Wextra -o $@ $(FUZZ_SOURCES)

ifneq ($(and $(WHOLE),$(filter fuzz-kernels,$(GOALS))),)
$(if $(or $(if $(GENERATOR),,yes),$(wildcard $(GENERATOR))),,$(error make fuzz-kernels: GENERATOR=$(GENERATOR): no such file))
SEEDS ?= $(shell seq 20)
GENERATED := $(BUILD)/fuzz/kernels
# A generated file is only written if its contents differ, so that it is not compiled again.
$(if $(shell mkdir -p $(GENERATED) && rm -f $(filter-out $(SEEDS:%=$(GENERATED)/%.cu),$(wildcard $(GENERATED)/*.cu)) && \
  $(CC) -O1 -w -o $(GENERATED)/generate $(or $(GENERATOR),$(FUZZ_SOURCES)) -lm && \
  for seed in $(SEEDS); do $(GENERATED)/generate $$seed >$(GENERATED)/new && \
    { cmp -s $(GENERATED)/new $(GENERATED)/$$seed.cu || mv $(GENERATED)/new $(GENERATED)/$$seed.cu; } || exit; done && echo yes),,$(error \
  make fuzz-kernels: $(or $(GENERATOR),$(FUZZ_FOLDER)) does not compile, or does not like its seeds))
quiet = $(subst -O2,$2,$(subst -Wall,,$(subst -lineinfo,,$1)))
compile_emulated-clang-fast = $(call quiet,$(compile_emulated-clang),-O2 -w)
compile_emulated-clang-O0 = $(call quiet,$(call compile_with_clang,$1,$2,$3,$(CLANG)),-O0 -w)
compile_emulated-nvcc-fast = $(call quiet,$(compile_emulated-nvcc),-O2 -w)
compile_emulated-nvcc-G = $(call quiet,$(compile_emulated-nvcc),-G -w)
link_emulated-clang-fast = $(link_emulated-clang)
link_emulated-clang-O0 = $(link_emulated-clang)
link_emulated-nvcc-fast = $(link_emulated-nvcc)
link_emulated-nvcc-G = $(link_emulated-nvcc)
FUZZED := emulated-clang-fast emulated-clang-O0 $(if $(NVCC),emulated-nvcc-fast emulated-nvcc-G $(if $(GPU_FOUND),gpu))
PROGRAMS += $(foreach flavour,$(FUZZED),$(foreach seed,$(SEEDS),$(flavour):$(BUILD)/$(flavour)/fuzz/$(seed):$(GENERATED)/$(seed).cu:float))
# The programs of the first flavour also run without observers, with one worker and with three, and
# in other orders of warps.
FUZZ_SETTINGS := LOCKSTEP_CHECKS=0 LOCKSTEP_WORKERS=1 LOCKSTEP_WORKERS=3+LOCKSTEP_SEED=7 LOCKSTEP_SEED=42
.PHONY: fuzz-kernels
fuzz-kernels: $(foreach flavour,$(FUZZED),$(foreach seed,$(SEEDS),$(BUILD)/$(flavour)/fuzz/$(seed)))
	@sh common/make/tests/fuzz_kernels.sh $(GENERATED) '$(GPU_LINES)' $(BUILD) $(FUZZED) $(FUZZ_SETTINGS:%=emulated-clang-fast+%)
endif

# ---- the same reports in every run ---------------------------------------------------------------
# make same-reports [REPEATS=200] [BUSY=12] [WORKERS="1 2 8"]: runs programs with mistakes that
# involve several blocks or workers, and compares their reports (same_reports.sh).
ifneq ($(filter same-reports,$(GOALS)),)
RACES := $(wildcard common/emulator/tests/races/*.cu)
REPORTING := $(foreach word,race_ same_value_writes out_of_bounds_ uninitialised_ assert_failed trap misaligned deadlock \
  barrier,$(filter common/emulator/tests/mistakes/$(word)%,$(MISTAKES)))
RACE_PROGRAMS := $(RACES:common/emulator/tests/%.cu=$(BUILD)/emulated-clang/%)
PROGRAMS += $(foreach race,$(RACES),emulated-clang:$(BUILD)/emulated-clang/races/$(notdir $(basename $(race))):$(race):float)
RUN_OFTEN := $(foreach test,$(REPORTING),$(call test_program,emulated-clang,$(test))) $(RACE_PROGRAMS)
.PHONY: same-reports
same-reports: export REPEATS := $(REPEATS)
same-reports: export BUSY := $(BUSY)
same-reports: export WORKERS := $(WORKERS)
same-reports: $(RUN_OFTEN)
	@sh common/make/tests/same_reports.sh $(RUN_OFTEN)
endif

# ---- CUDA programs: a rule for each row of PROGRAMS ----------------------------------------------
# For a program whose runtime calls are in other programs too (tried_through), nvcc only generates
# the PTX, which takes a third of its time. The host code comes from the object that clang has
# generated. If the program has a kernel, the PTX of nvcc replaces that of clang in a section of the
# object.
define compile_emulated-clang-ptx-of-nvcc
$(NVCC) $(NVCC_FOLDERS) $(CUDA_FLAGS:-Wall=) -DLOCKSTEP_EMULATED -isystem $(LIBRARY_HEADERS) -arch compute_75 -lineinfo -ptx $2 -o $1.ptx && \
  { cat $1.ptx; printf '\0'; } >$1.string && cp $(call beside_nvcc,$1).o $1.o && \
  if grep -q nv_fatbin $1.o; then $(OBJCOPY) --update-section .nv_fatbin=$1.string $1.o; fi
endef
beside_nvcc = $(patsubst $(COMPILED)/emulated-nvcc/%,$(COMPILED)/emulated-clang/%,$1)
link_emulated-clang-ptx-of-nvcc = $(link_emulated-clang)
compile_emulated-clang-library = $(compile_emulated-clang)
compile_emulated-nvcc-library = $(compile_emulated-nvcc)
link_emulated-clang-library = $(call with_libraries,$(link_emulated-clang))
link_emulated-nvcc-library = $(call with_libraries,$(link_emulated-nvcc))
$(LIBRARY_TEST_PROGRAMS): | $(EMULATED_LIBRARIES) $(DEVICE_ARCHIVE) $(COMPILER_SCRIPT)
# The sources of mutants and of replayed programs are generated.
$(call mutant_source,$(MUTANTS)): $(BUILD)/mutants/%.cu: checker/mutants/%.patch $$(wildcard solutions/$$(*D)/*.cu checker/mutants/$$(*D)/base-*.cu) common/make/tests/mutant.sh
	@mkdir -p $(@D) && sh common/make/tests/mutant.sh build $< >$@
$(REPLAYED:%=$(BUILD)/fuzz/replay/%.cu): $(BUILD)/fuzz/replay/%.cu: $(FUZZ_GENERATOR) $(FUZZ_FORMS)
	@mkdir -p $(@D) && $(FUZZ_GENERATOR) --forms $(FUZZ_FORMS) $* >$@
# Dependency files of old builds name these sources, which have been replaced by patches.
$(MUTANTS:.patch=.cu): ;
$(KERNEL_OBJECTS) $(TIMED_OBJECTS): %.o: %.compiled ; @cat $< >&2; [ -e $@ ] && touch $@
$(BENCH)_loop.o: HEADERS :=
$(BENCH)_loop.o: common/emulator/tests/bench_loop.c $(C_RULES) ; $(COMPILE_C)
# $(call program_of,FLAVOUR PROGRAM SOURCE PRECISION OBJECTS): the rules of a row. For the OBJECTS
# `alone`, the source is compiled and not linked.
program_of = $(call $(if $(filter alone,$(word 5,$1)),cuda_object,cuda_program),$(word 1,$1),$(word 2,$1),$(word 3,$1),$(word 4,$1),$(call objects_$(word 5,$1),$(word 2,$1),$(word 4,$1)))
$(foreach row,$(PROGRAMS),$(eval $(call program_of,$(subst :, ,$(row)))))
# A program whose PTX comes from nvcc needs the object of clang, and other programs need their
# generated source.
$(foreach row,$(filter emulated-clang-ptx-of-nvcc:%,$(PROGRAMS)),$(call compiled,$(word 2,$(subst :, ,$(row)))).compiled): \
  $(COMPILED)/emulated-nvcc/%.compiled: $(COMPILED)/emulated-clang/%.compiled
$(foreach mutant,$(MUTANTS),$(call mutant_program,$(mutant)).seen): $(BUILD)/emulated-clang/%.float.seen: $(BUILD)/%.cu
$(foreach mutant,$(MUTANTS_IN_DOUBLE),$(call mutant_program,$(mutant))): %.float: %.double
$(foreach flavour,$(EMULATED),$(REPLAYED:%=$(BUILD)/$(flavour)/fuzz/%.seen)): $(BUILD)/fuzz/replay/$$(basename $$(@F)).cu

# ---- all tests -----------------------------------------------------------------------------------
.PHONY: test mutants silence sanitize sanitized bench race-pairs mutant
export LADDERS RECONVERGENCE # paths of programs that unit tests run
# The number of tests that test.sh runs at the same time.
export JOBS = $(or $(firstword $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))),$(CORES))
RUN_TESTS := @sh common/make/tests/test.sh
$(LAB_NAMES:%=$(CHANGE_COMMANDS)/%): $(CHANGE_COMMANDS)/%: common/make/cuda.mk common/make/programs.mk $(BUILD)/config.mk
	$(shell mkdir -p $(@D))$(file >$@,edited='$(call edited_with,$*,$(PARSED))' rebuilt='$(call rebuilt_with,$*)' solution=$(call cu_file,solutions,$*))
test: $(COMMANDS) $(HONEST_GRADING) $(if $(filter test,$(GOALS)),$(OPENED)) $(TESTED) $(DATA_PROGRAMS) $(CHECKED_PROGRAMS) \
  $(if $(RECORDED_COUNTERS),$(COUNTED)) $(KERNELS) $(TIMED) $(REPLAYS) $(LAB_NAMES:%=$(CHANGE_COMMANDS)/%) \
  $(call mutant_program,$(STEPPED_MUTANTS) $(CHANGED_MUTANTS) $(foreach lab,$(GRADED),$(call mutants_of,$(lab)))) $(PROFILED:%=$(BUILD)/emulated-clang/mutants/%.float)
	$(RUN_TESTS) $(call quoted_lines,$(TESTS)) $(NAMED_HOSTILE) $(NAMED_HONEST) $(NAMED_BENT) $(NAMED_REPLAY) $(NAMED_FUZZ_PTX) $(NAMED_PAIRS) $(NAMED_PROGRAMS)
race-pairs: $(PAIR_PROGRAMS) ; $(RUN_TESTS) $(NAMED_PAIRS)
# make mutant FILE=checker/mutants/NN-name/NAME.cu: makes the patch of an edited copy.
mutant: ; @sh common/make/tests/mutant.sh patch '$(FILE)'
# Prints a message if many programs are not built yet.
UNBUILT := $(if $(filter test,$(GOALS)),$(foreach program,$(TESTED) $(REPLAYS) $(DATA_PROGRAMS),$(if $(wildcard $(program)),,$(program))))
ifneq ($(word 20,$(UNBUILT)),)
$(UNBUILT): | first_tested
first_tested: ; @echo 'The programs of the tests are compiled first. This takes several minutes.' >&2
$(call counted,20,$(UNBUILT))
endif

# Each lab has its own target, so that labs run in parallel. With SCHEDULES=n, n orders of warps and
# blocks are used instead of 3 for mutants and 20 for silence.
mutants silence: %: $$(addprefix $$*-,$$(LAB_NAMES))
$(foreach part,mutants silence,$(LAB_NAMES:%=$(part)-%)): $(WORKBOOK_TEST) $(CHECKER) $(CHECKED_PROGRAMS)
$(LAB_NAMES:%=mutants-%): mutants-%: $$(call mutant_program,$$(call mutants_of,$$*)) ; $(RUN_TESTS) 'mutants of $*=$(WORKBOOK_TEST) mutants $* $(SCHEDULES)'
$(LAB_NAMES:%=silence-%): silence-%: ; $(RUN_TESTS) 'silence of $*=$(WORKBOOK_TEST) silence $* $(SCHEDULES)'

# make mutation [LAB=03] [MOST=40]: grades wrong solutions that mutate.c generates from right
# solutions. After ctrl-C the same command continues; with a new checker it starts again. The order
# is random, so the graded solutions are a sample of all generated solutions. LAB: one lab only;
# MOST: at most this many per lab, evenly distributed.
ifneq ($(and $(WHOLE),$(filter mutation,$(GOALS))),)
MUTATE := $(BUILD)/tests/mutate
MUTATION := $(BUILD)/mutation$(MOST:%=.%)
MUTATED := $(if $(LAB),$(call lab_name,$(LAB)),$(LAB_NAMES))
$(if $(MUTATED),,$(error make mutation LAB=$(LAB): no such lab; its number is one of: $(LAB_NUMBERS)))
$(if $(filter emulated-clang,$(FLAVOUR)),,$(error make mutation: mistakes are graded on the emulated device only$(comma) compiled by clang: add DEVICE=emulated CUDA_COMPILER=clang))
$(MUTATE): checker/tests/mutate.c $(addprefix checker/change/,tokens.c operators.c operators.def candidates.c change.h) checker/facts/bad_input.c checker/facts/source.c checker/facts/source.h common/harness/gaps.h $(C_RULES)
	@mkdir -p $(@D) && $(CC) $(C_FLAGS) $(EMULATED_HEADERS) -Ichecker -o $@ $(filter %.c,$^)
.PHONY: mutation
mutation: $(MUTATE) $$(foreach lab,$$(MUTATED),$$(call grading,$$(lab)) $(BUILD)/emulated-clang/solutions/$$(lab).float $(BUILD)/emulated-clang/solutions/$$(lab).double)
	@for lab in $(MUTATED); do d=$(MUTATION)/$$lab; [ $$d/list -nt $(CHECKER) ] || \
	  { rm -rf $$d && mkdir -p $$d && $(MUTATE) solutions/$$lab/*.cu $$d $(MOST); } || exit; \
	  for f in $$d/*.cu; do [ -s $${f%.cu}.result ] || echo "$$lab $$f"; done; done | shuf | \
	  xargs -P $(JOBS) -L1 sh -c 'exec sh common/make/tests/mutation.sh one $(call grading,"$$0") $(BUILD)/emulated-clang/solutions "$$1"'
	@sh common/make/tests/mutation.sh sum $(MUTATED:%=$(MUTATION)/%)
endif

# Tests the emulator, the harness and the checker with sanitizers, in a separate build folder. The
# counters, the mutants and all but one order of warps are left out, because they take long and find
# nothing new with sanitizers. The emulated device handles the signal when host code dereferences a
# device pointer, so the sanitizer must not handle this signal.
sanitize:
	@$(MAKE) BUILD=$(BUILD)/sanitized COMPILED=$(BUILD) SANITIZE=address,undefined sanitized
sanitized: $(TESTED)
	@ASAN_OPTIONS=handle_segv=0 UBSAN_OPTIONS=print_stacktrace=1 ORDERS=0 \
	  sh common/make/tests/test.sh $(filter-out %counters_test %workbook_test %spoilers_test %reports_test %runs_test %ncu_test %predictions_test,$(NAMED_UNITS)) $(NAMED_REPLAY) $(NAMED_PROGRAMS)

# make others LIST=file [OTHERS=folder]: tests third-party programs. others.sh describes the
# columns of the list. The folder may already contain the programs.
.PHONY: others
others: $(COMPILER_SCRIPT)
	@OTHERS='$(OTHERS)' LIMIT='$(LIMIT)' sh common/make/tests/others.sh '$(LIST)' $(CUDA_COMPILER) '$(abspath $<)' $(BUILD)/others || $(LEAVE)

# Records the counters of Nsight Compute for the solutions on this GPU. ncu_test compares them with
# those of the emulated device. There are two commands, because the machine with the GPU may have no
# clang.
.PHONY: counters mark-counters reconvergence
NCU_TEST := $(BUILD)/tests/checker_tests_ncu_test
NCU_FILE = $(BUILD)/ncu-$(or $(CARD),h200).csv
counters: $(if $(filter gpu,$(DEVICE)),$(GPU_PROGRAMS),needs_gpu)
	@sh common/make/measure/counters.sh record $(BUILD)/gpu/solutions $(NCU_FILE)
needs_gpu: ; @echo 'make $(filter counters reconvergence,$(GOALS)): needs DEVICE=gpu' >&2; exit 2
mark-counters: $(COUNTED) $(NCU_TEST)
	@sh common/make/measure/counters.sh mark $(NCU_TEST) $(NCU_FILE) slides/data/$(notdir $(NCU_FILE))

# Records the counters for reconvergence_test. The script compiles the programs itself.
reconvergence: $(if $(filter gpu,$(DEVICE)),,needs_gpu)
	@sh common/make/measure/reconvergence.sh common/emulator/tests/reconvergence-$(or $(CARD),h200).csv

# make predicted-error [ARGS='"32 hashes" "vector add"']: compares predicted with measured times,
# for all rows or the rows in ARGS.
.PHONY: predicted-error
PREDICTED_ERROR := $(TIMED) common/emulator/tests/timing/h200.csv
PREDICTED_RUNGS := $(BUILD)/emulated-clang/solutions common/emulator/tests/timing/rungs-h200.csv
predicted-error: $(TIMED) $(if $(ARGS),,$(filter $(BUILD)/emulated-clang/%,$(COUNTED)))
	@sh common/make/measure/predicted_error.sh $(PREDICTED_ERROR) $(ARGS)
	@$(if $(ARGS),,sh common/make/measure/predicted_rungs.sh $(PREDICTED_RUNGS) slides/data/bench-h200.csv)

# Writes the errors that are shown with predicted times, from the kernels that were predicted before
# they were measured.
.PHONY: stated-error
STATED_ERRORS := common/emulator/prediction_error.def
STATED_ERROR := common/make/measure/stated_error.sh
stated-error: ; @sh $(STATED_ERROR) common/emulator/tests/timing >$(STATED_ERRORS).new && mv $(STATED_ERRORS).new $(STATED_ERRORS)

# ---- damaged PTX: the corpus in every test, and a fuzzer that looks for more ---------------------
PTX_READER := $(wildcard common/emulator/ptx/*.c)
FUZZ_PTX := common/emulator/tests/fuzz_ptx
CORPUS := $(FUZZ_PTX)/corpus
NAMED_REPLAY = 'common/emulator/tests/ptx_replay=$(BUILD)/tests/ptx_replay $(wildcard $(CORPUS)/*)'
$(BUILD)/tests/ptx_replay: $(FUZZ_PTX)/fuzz.c $(EMULATOR)
	@mkdir -p $(@D) && $(CC) $(C_FLAGS) -DPTX_REPLAY -o $@ $^ $(LIBRARIES)

# make fuzz-ptx [RUNS=1000000]: runs the fuzzer on this number of inputs, with RUNS=-1 without end.
# Inputs that reach new code are kept in build/fuzz/corpus, inputs that crash the reader in
# build/fuzz.
RUNS ?= 1000000
FUZZER := $(BUILD)/fuzz/fuzz_ptx
FUZZER_OBJECTS := $(patsubst %.c,$(BUILD)/objects/fuzz/%.o,$(PTX_READER) $(wildcard $(FUZZ_PTX)/*.c))
$(FUZZER_OBJECTS): $(BUILD)/objects/fuzz/%.o: %.c $(wildcard common/emulator/ptx/*.h common/emulator/ptx/*.def)
	@mkdir -p $(@D) && $(CLANG) -std=c11 -D_GNU_SOURCE -O2 -g1 -fno-omit-frame-pointer -fno-pie \
	  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-sanitize-coverage=trace-cmp -c $< -o $(NEW) $(WHEN_WHOLE)
$(FUZZER): $(FUZZER_OBJECTS)
	@mkdir -p $(@D)/corpus && { $(CLANG) -no-pie -fsanitize=fuzzer,address,undefined -static-libstdc++ -static-libgcc -o $(NEW) $^ -lm -lpthread || \
	  { echo 'make fuzz-ptx: clang lacks its sanitizers here (Debian: apt-get install libclang-rt-dev)' >&2; false; }; } $(WHEN_WHOLE)
.PHONY: fuzz-ptx
FUZZED_SO = -timeout=10 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1
fuzz-ptx: $(FUZZER)
	@$< -runs=$(RUNS) $(FUZZED_SO) -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/corpus $(CORPUS)
# `make test` runs the fuzzer with a fixed seed, if clang has libFuzzer.
LIBFUZZER := $(if $(CLANG),$(wildcard $(shell $(CLANG) -print-runtime-dir)/libclang_rt.fuzzer*))
NAMED_FUZZ_PTX = $(if $(LIBFUZZER),'common/emulator/tests/fuzz_ptx=$(FUZZER) -runs=5000 -seed=1 -verbosity=0 $(FUZZED_SO) -artifact_prefix=$(BUILD)/fuzz/ -seed_inputs=$(subst $(empty) $(empty),$(comma),$(wildcard $(CORPUS)/*))')
test: $(if $(LIBFUZZER),$(FUZZER))

# ---- the table in the emulator's README, and the picture of the architecture ---------------------
PTX_LIST := $(BUILD)/tests/ptx_list
IMPLEMENTED = sh common/make/measure/implemented.sh $1 $(EMULATOR) $(PTX_LIST) common/emulator/README.md
$(PTX_LIST): common/emulator/tests/ptx_list.c $(EMULATOR)
	@mkdir -p $(@D) && $(CC) $(C_FLAGS) $(EMULATED_HEADERS) -o $@ $^ $(LIBRARIES)
.PHONY: implemented architecture
implemented: $(PTX_LIST) ; @$(call IMPLEMENTED,update)
architecture: ; @sh common/make/measure/architecture.sh update .github/CONTRIBUTING.md

# ---- performance ---------------------------------------------------------------------------------
# On a GPU, `make bench` measures all variants of all labs, or of the labs in ARGS="04 05".
# CARD=h200 keeps the numbers in slides/data.
ifeq ($(DEVICE),gpu)
bench: $(GPU_PROGRAMS) $(GPU_PROGRAMS:$(BUILD)/gpu/%=$(BUILD)/emulated-clang/%)
	@sh common/make/measure/bench.sh $(BUILD)/gpu/solutions $(BUILD)/emulated-clang/solutions $(BUILD)/bench slides/data '$(CARD)' $(ARGS)
else
bench: $(KERNELS) $(BENCH)
	@$(MUST_COMPILE) && { $(if $(ARGS),,$(BENCH) && echo &&) $< $(ARGS); } || $(LEAVE)
endif
