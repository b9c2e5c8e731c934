# The tests of the workbook itself, the fuzzer and the bench. Included by the Makefile; every tests/*_test.c,
# tests/programs/*.cu and tests/mistakes/*.cu is found by itself. test.sh says how they run and what a
# program's comments may expect.

EMULATED := $(filter-out $(if $(SANITIZE),%-nvcc),$(filter emulated-%,$(FLAVOURS)))
HOST_LIBRARIES := $(BUILD)/emulated-clang/libharness.a $(EMULATOR)
path_name = $(subst /,_,$(basename $1))

# ---- unit tests in C -------------------------------------------------------------------------------
UNIT_TESTS := $(wildcard common/*/tests/*_test.c checker/tests/*_test.c)
UNIT_PROGRAMS := $(foreach test,$(UNIT_TESTS),$(BUILD)/tests/$(call path_name,$(test)))
$(UNIT_PROGRAMS:=.o): HEADERS := $(EMULATED_HEADERS) -Ichecker -Wno-missing-prototypes -Wno-psabi
$(foreach test,$(UNIT_TESTS),\
  $(eval $(BUILD)/tests/$(call path_name,$(test)).o: $(test) $(C_RULES) ; $$(COMPILE_C)))
$(UNIT_PROGRAMS): %: %.o $(HOST_LIBRARIES)
	@mkdir -p $(@D) && $(CC) $(C_FLAGS) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(filter-out $(HOST_LIBRARIES),$(filter %.a,$^)) $(HOST_LIBRARIES) -lcmocka $(LIBRARIES)
$(filter $(BUILD)/tests/checker_%,$(UNIT_PROGRAMS)): $(filter-out %/main.o,$(CHECKER_OBJECTS)) $(LIBDRAW)
$(filter $(BUILD)/tests/checker_%,$(UNIT_PROGRAMS)): LIBRARIES += -lseccomp
INTAKE_TESTS := $(addprefix $(BUILD)/tests/checker_tests_,intake_test arrivals_test)
$(INTAKE_TESTS): LIBRARIES += -larchive
$(INTAKE_TESTS): | $(INTAKE)
$(BUILD)/tests/checker_tests_spoilers_test: | $(CHECKER) $(VIEW) $(PROFILE)
$(filter $(BUILD)/tests/common_profile_%,$(UNIT_PROGRAMS)): $(LIBPROFILE)
$(filter $(BUILD)/tests/common_draw_%,$(UNIT_PROGRAMS)): $(LIBDRAW) $(LIBPROFILE) | $(DRAW)
$(filter $(BUILD)/tests/common_view_%,$(UNIT_PROGRAMS)): $(LIBVIEW) $(LIBDRAW) $(LIBPROFILE)
$(filter $(BUILD)/tests/common_step_%,$(UNIT_PROGRAMS)): | $(STEP) $(BUILD)/emulated-clang/solutions/02-shared.float
$(filter $(BUILD)/tests/common_profile_% $(BUILD)/tests/common_draw_% $(BUILD)/tests/common_view_%,$(UNIT_PROGRAMS)): LIBRARIES += $(TOOL_LIBRARIES)
$(filter $(BUILD)/tests/common_weave_%,$(UNIT_PROGRAMS)): $(filter-out %/main.o,$(WEAVE_OBJECTS))
# The program of a lab's solution as a submission in a class, and the replay of its calls.
RECORDED_PROGRAM := $(BUILD)/tests/recorded/01-naive.float
$(RECORDED_PROGRAM): $(BUILD)/emulated-clang/solutions/01-naive.float $(RECORDER) $(EMULATOR)
	@mkdir -p $(@D) && $(call link_emulated-clang,$@,$(call compiled,$<).o $(call given,emulated-clang,01-naive,float) $(BUILD)/emulated-clang/libharness.a $(RECORDER) $(WRAPPED)) && mv $@.new $@
$(filter %_transcript_test,$(UNIT_PROGRAMS)): | $(RECORDED_PROGRAM) $(call replay,emulated-clang,01-naive,float)
-include $(UNIT_PROGRAMS:=.d)

# ---- CUDA programs, through each front end ---------------------------------------------------------
MISTAKES := $(wildcard common/emulator/tests/mistakes/*.cu $(MORE)/tests/mistakes/*.cu)
CUDA_TESTS := $(wildcard common/emulator/tests/programs/*.cu $(MORE)/tests/programs/*.cu) $(MISTAKES)
REPORTS := common/emulator/observe/report_kinds.def
NAMED_KINDS = '$(REPORTS)=awk -f common/make/tests/kinds.awk $(REPORTS) $(MISTAKES)'
test_program = $(BUILD)/$1/$(if $(findstring /mistakes/,$2),mistakes,tests)/$(notdir $(basename $2))
CUDA_TEST_PROGRAMS := $(foreach flavour,$(EMULATED),$(foreach test,$(CUDA_TESTS),\
  $(call test_program,$(flavour),$(test))))
# nvcc only generates the PTX of such a program, which takes a third of its work. Other programs
# test its host code for allocations, copies, launches and waiting. If there is a kernel, the PTX
# replaces a string in the object that clang has already made.
define compile_emulated-clang-ptx-of-nvcc
$(NVCC) $(NVCC_FOLDERS) $(CUDA_FLAGS:-Wall=) -DLOCKSTEP_EMULATED -isystem $(LIBRARY_HEADERS) -arch compute_75 -lineinfo -ptx $2 -o $1.ptx && \
  { cat $1.ptx; printf '\0'; } >$1.string && cp $(call beside_nvcc,$1).o $1.o && \
  if grep -q nv_fatbin $1.o; then $(OBJCOPY) --update-section .nv_fatbin=$1.string $1.o; fi
endef
beside_nvcc = $(patsubst $(COMPILED)/emulated-nvcc/%,$(COMPILED)/emulated-clang/%,$1)
link_emulated-clang-ptx-of-nvcc = $(link_emulated-clang)
USUAL_CALLS := Malloc MallocManaged Free Memset Memcpy MemcpyHostToDevice MemcpyDeviceToHost MemcpyDeviceToDevice \
  DeviceSynchronize GetLastError PeekAtLastError GetErrorName GetErrorString Success Error[A-Za-z_]*
UNUSUAL_HOSTS := common/emulator/tests/programs/language.cu common/emulator/tests/programs/structs.cu $(shell \
  grep -l __clang__ $(CUDA_TESTS) /dev/null; grep -oHwE 'cu(da)?[A-Z][A-Za-z0-9]*' $(CUDA_TESTS) /dev/null | grep -vE ':cuda($(subst $(empty) $(empty),|,$(USUAL_CALLS)))$$' | cut -d: -f1)
tried_through = $(if $(and $(filter emulated-nvcc,$1),$(filter-out $(UNUSUAL_HOSTS),$2)),emulated-clang-ptx-of-nvcc,$1)
# $(call after_clang,FLAVOUR,PROGRAM,SOURCE)
after_clang = $(if $(filter %-ptx-of-nvcc,$(call tried_through,$1,$3)),$(eval $(call compiled,$2).compiled: $(call beside_nvcc,$(call compiled,$2)).compiled))
# Some write files from memory that the device writes too, or read a clock.
WRITE_FILES := %/host_memory.cu %/not_waited_file.cu %/clock_not_waited.cu
$(foreach flavour,$(EMULATED),$(foreach test,$(CUDA_TESTS),\
  $(eval $(call cuda_program,$(call tried_through,$(flavour),$(test)),$(call test_program,$(flavour),$(test)),$(test),float,$(if $(filter $(WRITE_FILES),$(test)),$(FILE_CALLS))))\
  $(call after_clang,$(flavour),$(call test_program,$(flavour),$(test)),$(test))))
# Tests for common/emulator/more, if that folder exists.
NAMED_MORE = $(if $(wildcard $(MORE)),'common/emulator/more/runtime_api=sh $(MORE)/tests/runtime_api.sh $(EMULATOR) $(NVCC_FOUND)' \
  'common/emulator/more/children=sh $(MORE)/tests/children.sh $(EMULATED:emulated-%=%)')
# Programs that run without that folder, in addition to labs and unit tests.
RUN_WITHOUT_MORE := $(foreach name,vector_add errors memory_kinds managed_variables symbols async_copies streams_right threads \
  host_memory cooperative_groups kernel_printf card_k40c ladder sampled reconvergence reconvergence_calls reconvergence_warps,\
  common/emulator/tests/programs/$(name).cu) $(foreach name,race_shared out_of_bounds_global leak not_waited unsupported,\
  common/emulator/tests/mistakes/$(name).cu)
# Objects that must not use that folder.
WITHOUT_MORE = $(wildcard $(addprefix $(BUILD)/,objects/emulated-clang objects/checker objects/profile objects/view objects/draw \
  tests $(addprefix emulated-clang/,labs solutions given replay tests mistakes races bench_kernels.o)))
# Data races, each with its repair (race_pairs.sh).
RACE_PAIRS := $(wildcard common/emulator/tests/races/pairs/*.cu)
pair_program = $(BUILD)/$1/races/pairs/$(notdir $(basename $2))
PAIR_PROGRAMS := $(foreach flavour,$(EMULATED),$(foreach test,$(RACE_PAIRS),$(call pair_program,$(flavour),$(test))))
$(foreach flavour,$(EMULATED),$(foreach test,$(RACE_PAIRS),\
  $(eval $(call cuda_program,$(flavour),$(call pair_program,$(flavour),$(test)),$(test),float,))))
NAMED_PAIRS = $(foreach flavour,$(EMULATED),$(foreach test,$(RACE_PAIRS),'races/$(notdir $(basename $(test)))/$(flavour:emulated-%=%)=sh common/make/tests/race_pairs.sh $(test) $(call pair_program,$(flavour),$(test))'))
.PHONY: race-pairs
race-pairs: $(PAIR_PROGRAMS) ; @sh common/make/tests/test.sh $(NAMED_PAIRS)
# Programs that call the toolkit's libraries, if the libraries for the CPU are installed.
LIBRARY_TESTS := $(filter-out $(if $(FFTW_FOUND),,%/cufft.cu),$(filter $(if $(BLAS_FOUND),%,%/nvrtc.cu %/cufft.cu),$(wildcard $(MORE)/tests/libraries/*.cu)))
LIBRARY_TEST_PROGRAMS := $(foreach flavour,$(EMULATED),$(foreach test,$(LIBRARY_TESTS),$(call test_program,$(flavour),$(test))))
$(LIBRARY_TEST_PROGRAMS): | $(EMULATED_LIBRARIES) $(DEVICE_ARCHIVE) $(COMPILER_SCRIPT)
$(foreach flavour,$(EMULATED),$(eval compile_$(flavour)-library = $$(compile_$(flavour)))\
  $(eval link_$(flavour)-library = $$(call with_libraries,$$(link_$(flavour))))\
  $(foreach test,$(LIBRARY_TESTS),$(eval $(call cuda_program,$(flavour)-library,$(call test_program,$(flavour),$(test)),$(test),float,))))
LADDERS = $(foreach flavour,$(EMULATED),$(call test_program,$(flavour),ladder.cu))
RECONVERGENCE = $(foreach flavour,$(EMULATED),$(foreach test,$(wildcard common/emulator/tests/programs/reconvergence*.cu),\
  $(call test_program,$(flavour),$(test))))

# ---- wrong solutions: what the checker's tests grade -----------------------------------------------
# A patch each, of the lab's solution or of a base-*.cu beside it: build/mutants/NN-name/NAME.cu (mutant.sh).
MUTANTS := $(wildcard checker/mutants/*/*.patch)
MUTANT_BASES := $(wildcard checker/mutants/*/base-*.cu)
mutant_lab = $(notdir $(patsubst %/,%,$(dir $1)))
mutant_source = $(patsubst checker/%.patch,$(BUILD)/%.cu,$1)
mutant_program = $(patsubst checker/%,$(BUILD)/emulated-clang/%.float,$(basename $1))
$(foreach test,$(MUTANTS) $(MUTANT_BASES),$(eval $(call cuda_program,emulated-clang,$(call mutant_program,$(test)),$(call mutant_source,$(test)),float,\
  $(call given,emulated-clang,$(call mutant_lab,$(test)),float) $(BUILD)/emulated-clang/libharness.a)))
# Mutants that are right in float, "expect: task N in double", are built in double too.
MUTANTS_IN_DOUBLE := $(if $(MUTANTS),$(shell grep -l '^// expect: task [0-9]* in double' $(MUTANTS)))
mutant_in_double = $(patsubst %.float,%.double,$(call mutant_program,$1))
$(foreach test,$(MUTANTS_IN_DOUBLE),$(eval $(call cuda_program,emulated-clang,$(call mutant_in_double,$(test)),$(call mutant_source,$(test)),double,\
  $(call given,emulated-clang,$(call mutant_lab,$(test)),double) $(BUILD)/emulated-clang/libharness.a))\
  $(eval $(call mutant_program,$(test)): $(call mutant_in_double,$(test)))$(eval $(call mutant_in_double,$(test)).seen: $(call mutant_source,$(test))))
$(foreach test,$(MUTANTS),$(eval $(call mutant_program,$(test)).seen: $(call mutant_source,$(test))))
$(call mutant_source,$(MUTANTS)): $(BUILD)/mutants/%.cu: checker/mutants/%.patch $$(wildcard solutions/$$(*D)/*.cu checker/mutants/$$(*D)/base-*.cu) common/make/tests/mutant.sh
	@mkdir -p $(@D) && sh common/make/tests/mutant.sh build $< >$@
# Dependency files of builds from before mutants were patches name these files.
$(MUTANTS:.patch=.cu): ;
# make mutant FILE=checker/mutants/NN-name/NAME.cu: makes the patch of an edited copy.
.PHONY: mutant
mutant: ; @sh common/make/tests/mutant.sh patch '$(FILE)'

CHECKED_PROGRAMS := $(foreach labs,labs solutions,$(foreach lab,$(LAB_NAMES),\
  $(foreach precision,float double,$(BUILD)/emulated-clang/$(labs)/$(lab).$(precision))))

GPU_PROGRAMS := $(foreach lab,$(LAB_NAMES),$(foreach precision,float double,$(BUILD)/gpu/solutions/$(lab).$(precision)))

# The programs whose counters are compared with recorded counters of a GPU, for each front end.
RECORDED_COUNTERS := $(wildcard slides/data/ncu-h200.csv)
COUNTED := $(foreach flavour,$(EMULATED),$(foreach lab,$(LAB_NAMES),$(foreach precision,float double,\
  $(BUILD)/$(flavour)/solutions/$(lab).$(precision))))

# ---- the bench of kernels ------------------------------------------------------------------------------
# Kernels of courses and books: every file of the folder is found, and all are one program. `make bench` hands it
# its options, and leaves out the table before it: ARGS=--list, ARGS='--csv scan'.
KERNELS := $(BUILD)/emulated-clang/bench_kernels
KERNEL_FILES := $(filter-out %/main.cu,$(wildcard common/emulator/tests/bench/*.cu))
kernel_object = $(patsubst common/emulator/tests/bench/%.cu,$(KERNELS)-%,$1)
KERNEL_OBJECTS := $(addsuffix .o,$(call kernel_object,$(KERNEL_FILES)))
$(foreach file,$(KERNEL_FILES),$(eval $(call cuda_object,emulated-clang,$(call kernel_object,$(file)),$(file),float)))
$(KERNEL_OBJECTS): %.o: %.compiled ; @cat $< >&2; [ -e $@ ] && touch $@
$(eval $(call cuda_program,emulated-clang,$(KERNELS),common/emulator/tests/bench/main.cu,float,$(KERNEL_OBJECTS)))

# ---- the kernels whose times on an H200 are recorded -----------------------------------------------------
TIMED := $(BUILD)/emulated-clang/timing_kernels
TIMED_FILES := $(filter-out %/main.cu,$(wildcard common/emulator/tests/timing/*.cu))
timed_object = $(patsubst common/emulator/tests/timing/%.cu,$(TIMED)-%,$1)
TIMED_OBJECTS := $(addsuffix .o,$(call timed_object,$(TIMED_FILES)))
$(foreach file,$(TIMED_FILES),$(eval $(call cuda_object,emulated-clang,$(call timed_object,$(file)),$(file),float)))
$(TIMED_OBJECTS): %.o: %.compiled ; @cat $< >&2; [ -e $@ ] && touch $@
$(eval $(call cuda_program,emulated-clang,$(TIMED),common/emulator/tests/timing/main.cu,float,$(KERNEL_OBJECTS) $(TIMED_OBJECTS)))

# Compares predicted with measured times; ARGS='"32 hashes" "vector add"' selects rows.
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

# ---- all of them -----------------------------------------------------------------------------------
.PHONY: test mutants silence sanitize sanitized bench
export LADDERS RECONVERGENCE # where tests find the programs that they run
# The number of tests that test.sh runs at the same time.
export JOBS = $(or $(firstword $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS)))),$(CORES))
named_unit = $(patsubst %_test.c,%,$1)=$(BUILD)/tests/$(call path_name,$1)
NAMED_UNITS = $(foreach test,$(UNIT_TESTS),$(call named_unit,$(test)))
NAMED_PROGRAMS = $(foreach flavour,$(EMULATED),$(foreach test,$(CUDA_TESTS) $(LIBRARY_TESTS),\
  $(notdir $(basename $(test)))/$(flavour:emulated-%=%):$(test)=$(call test_program,$(flavour),$(test))))
TESTED := $(WEAVE) $(UNIT_PROGRAMS) $(CUDA_TEST_PROGRAMS) $(PAIR_PROGRAMS) $(LIBRARY_TEST_PROGRAMS) $(CHECKER) $(BUILD)/tests/ptx_replay $(BUILD)/tests/ptx_list
# With every test: the wrong solutions of the first lab, or of the labs in GRADED, in one order of
# warps and blocks. `make mutants` takes minutes and grades those of all labs in three orders.
WORKBOOK_TEST := $(BUILD)/tests/checker_tests_workbook_test
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
$(LAB_NAMES:%=$(CHANGE_COMMANDS)/%): $(CHANGE_COMMANDS)/%: common/make/cuda.mk common/make/programs.mk $(BUILD)/config.mk
	$(shell mkdir -p $(@D))$(file >$@,edited='$(call edited_with,$*,$(PARSED))' rebuilt='$(call rebuilt_with,$*)' solution=$(call cu_file,solutions,$*))
NAMED_CHANGES = 'checker/change=sh checker/tests/change.sh $(CHANGE_COMMANDS) $(CHANGED)'
# Programs for the test of the step page in a browser: KIND SOURCE PROGRAM of each.
STEPPED_MUTANTS := $(wildcard $(patsubst %,checker/mutants/02-shared/%.patch,second-barrier-missing first-barrier-missing no-barriers))
STEPPED := right $(call cu_file,solutions,02-shared) $(BUILD)/emulated-clang/solutions/02-shared.float $(foreach mutant,$(STEPPED_MUTANTS),\
  wrong $(call mutant_source,$(mutant)) $(call mutant_program,$(mutant)))
test: $(call mutant_program,$(STEPPED_MUTANTS))
# Decks are only opened if they can be made without a download.
OPENED = $(if $(wildcard $(SLIDES)/node_modules/puppeteer-core),$(if $(shell sh common/make/pictures/browser.sh),$(DECKS:%=$(SLIDES)/%.html)))
test: $(COMMANDS) $(HONEST_GRADING) $(if $(filter test,$(GOALS)),$(OPENED)) $(TESTED) $(DATA_PROGRAMS) $(CHECKED_PROGRAMS) \
  $(if $(RECORDED_COUNTERS),$(COUNTED)) $(KERNELS) $(TIMED) $(PROFILED:%=$(BUILD)/emulated-clang/mutants/%.float) \
  $(call mutant_program,$(CHANGED_MUTANTS)) $(LAB_NAMES:%=$(CHANGE_COMMANDS)/%) \
  $(call mutant_program,$(foreach lab,$(GRADED),$(filter checker/mutants/$(lab)/%,$(MUTANTS) $(MUTANT_BASES))))
	@sh common/make/tests/test.sh $(NAMED_DOORS) $(NAMED_UNITS) $(foreach lab,$(GRADED),'mutants of $(lab)=$(WORKBOOK_TEST) mutants $(lab) 1') \
	  'slides/blocks=$(WEAVE) --check $(WOVEN)' 'common/make/link=sh common/make/tests/link_test.sh' \
	  'common/make/editor=sh common/make/tests/editor_test.sh $(COMMANDS) $(foreach labs,labs solutions,$(foreach lab,$(LAB_NAMES),$(call cu_file,$(labs),$(lab))))' \
	  'common/make/screens after checker/tests/workbook=sh common/make/tests/screens_test.sh' \
	  'common/make/play=sh common/make/tests/play_test.sh' \
	  'common/make/race=sh common/make/tests/race_test.sh $(foreach name,divergence grid_sync locks progress reconvergence_warps,$(call test_program,emulated-clang,$(name).cu))' \
	  'common/make/step=sh common/make/tests/step_test.sh $(foreach name,divergence grid_sync locks progress reconvergence_warps,$(call test_program,emulated-clang,$(name).cu))' \
	  'common/make/unknown=sh common/make/tests/unknown_test.sh' \
	  'common/make/build=sh common/make/tests/build_test.sh $(EMULATED:emulated-%=%)' \
	  'common/make/twice=sh common/make/tests/twice_test.sh' \
	  'common/make/path=sh common/make/tests/path_test.sh' \
	  'common/make/others=sh common/make/tests/others_test.sh' \
	  'common/make/progress=sh common/make/tests/progress_test.sh' \
	  'common/make/apart=sh common/make/tests/apart_test.sh $(EMULATED:emulated-%=%)' \
	  'common/make/bench=sh common/make/tests/bench_test.sh $(KERNELS)' \
	  'common/emulator/predicted=sh common/make/measure/predicted_error.sh --check $(PREDICTED_ERROR)' \
	  'common/emulator/stated_error=sh $(STATED_ERROR) --check common/emulator/tests/timing $(STATED_ERRORS)' \
	  'common/emulator/rungs=sh common/make/measure/predicted_rungs.sh $(PREDICTED_RUNGS)' \
	  'common/emulator/names=sh common/emulator/tests/names.sh $(DEVICE_ARCHIVE) $(EMULATED_LIBRARIES)' \
	  'common/emulator/not_on_a_gpu=sh common/emulator/tests/not_on_a_gpu.sh check' \
	  'common/emulator/arrows=sh common/emulator/tests/arrows.sh $(BUILD)/objects/emulator/common/emulator $(WITHOUT_MORE)' \
	  $(NAMED_MORE) 'common/emulator/without_more=sh common/emulator/tests/without_more.sh $(RUN_WITHOUT_MORE)' \
	  'common/emulator/sum_order=sh common/emulator/tests/sum_order.sh $(foreach flavour,$(EMULATED),$(call test_program,$(flavour),sum_order.cu))' \
	  'common/architecture=sh common/make/measure/architecture.sh check .github/CONTRIBUTING.md' \
	  'checker/rooms=sh checker/tests/rooms.sh $(BUILD)/objects/checker/checker' \
	  'slides/charts=sh common/make/pictures/charts.sh --check' \
	  'checker/answers=sh checker/tests/answers.sh' \
	  'checker/questions=sh checker/tests/questions.sh' \
	  'slides/data=sh common/make/measure/record.sh --check $(BUILD)/emulated-clang slides/data' \
	  'slides/open=sh common/make/tests/browse.sh $(SLIDES) slides/tests/open.mjs $(OPENED)' \
	  'checker/handed_out=sh checker/tests/handed_out.sh' 'checker/handout=sh checker/tests/handout.sh' 'checker/cluster=sh checker/tests/slurm.sh' \
	  'checker/modules=sh checker/tests/modules.sh $(CHECKER)' \
	  'checker/ahead=sh checker/tests/ahead.sh $(CHECKER) $(FIRST_LAB) $(call cu_file,solutions,$(FIRST_LAB)) $(call program,solutions,$(FIRST_LAB))' \
	  'slides/step=sh common/make/tests/browse.sh $(SLIDES) slides/tests/step.mjs $(STEP) $(STEPPED)' \
	  'slides/class after checker/tests/reports=sh common/make/tests/browse.sh $(SLIDES) slides/tests/class.mjs $(BUILD)/tests/class/sample/class.html' \
	  $(NAMED_HOSTILE) $(NAMED_HONEST) $(NAMED_BENT) $(NAMED_CHANGES) $(NAMED_CLASS) $(NAMED_MAPS) $(NAMED_VIEWS) $(NAMED_REPLAY) $(NAMED_FUZZ_PTX) $(NAMED_TABLE) $(NAMED_KINDS) $(NAMED_FUZZ) $(NAMED_PAIRS) $(NAMED_PROGRAMS)

# Programs of other people, from a list: LIST=file, whose columns are described in others.sh.
# OTHERS=folder contains them already.
.PHONY: others
others: $(COMPILER_SCRIPT)
	@OTHERS='$(OTHERS)' LIMIT='$(LIMIT)' sh common/make/tests/others.sh '$(LIST)' $(CUDA_COMPILER) '$(abspath $<)' $(BUILD)/others || $(LEAVE)

# Counters of the solutions from Nsight Compute on this GPU, with which ncu_test compares. There are
# two steps, because the machine with the GPU may have no clang.
.PHONY: counters mark-counters reconvergence
NCU_TEST := $(BUILD)/tests/checker_tests_ncu_test
NCU_FILE = $(BUILD)/ncu-$(or $(CARD),h200).csv
counters: $(if $(filter gpu,$(DEVICE)),$(GPU_PROGRAMS),needs_gpu)
	@sh common/make/measure/counters.sh record $(BUILD)/gpu/solutions $(NCU_FILE)
needs_gpu: ; @echo 'make $(filter counters reconvergence,$(GOALS)): needs DEVICE=gpu' >&2; exit 2
mark-counters: $(COUNTED) $(NCU_TEST)
	@sh common/make/measure/counters.sh mark $(NCU_TEST) $(NCU_FILE) slides/data/$(notdir $(NCU_FILE))

# Counters for divergence and reconvergence, for reconvergence_test. The script compiles the
# programs itself.
reconvergence: $(if $(filter gpu,$(DEVICE)),,needs_gpu)
	@sh common/make/measure/reconvergence.sh common/emulator/tests/reconvergence-$(or $(CARD),h200).csv

# Each lab is a target of its own, so that labs run in parallel. SCHEDULES=n: under n orders of
# warps and blocks instead of 3, and 20.
mutants: $(addprefix mutants-,$(LAB_NAMES))
silence: $(addprefix silence-,$(LAB_NAMES))
$(foreach lab,$(LAB_NAMES),$(eval mutants-$(lab): $(call mutant_program,$(filter checker/mutants/$(lab)/%,$(MUTANTS) $(MUTANT_BASES)))))
$(foreach part,mutants silence,$(addprefix $(part)-,$(LAB_NAMES))): $(WORKBOOK_TEST) $(CHECKER) $(CHECKED_PROGRAMS)
$(addprefix mutants-,$(LAB_NAMES)): mutants-%: ; @sh common/make/tests/test.sh 'mutants of $*=$(WORKBOOK_TEST) mutants $* $(SCHEDULES)'
$(addprefix silence-,$(LAB_NAMES)): silence-%: ; @sh common/make/tests/test.sh 'silence of $*=$(WORKBOOK_TEST) silence $* $(SCHEDULES)'

# make mutation [LAB=03] [MOST=40]: grades wrong solutions that mutate.c generates from the right
# ones, in parallel. After ctrl-C the same command continues; with a new checker it starts again.
# The order is random, so the finished ones are a sample. LAB: one lab only; MOST: at most this many
# per lab, evenly distributed.
ifneq ($(and $(WHOLE),$(filter mutation,$(GOALS))),)
MUTATE := $(BUILD)/tests/mutate
MUTATION := $(BUILD)/mutation$(MOST:%=.%)
MUTATED := $(if $(LAB),$(call lab_name,$(LAB)),$(LAB_NAMES))
$(if $(MUTATED),,$(error make mutation LAB=$(LAB): no such lab; its number is one of: $(LAB_NUMBERS)))
$(if $(filter emulated-clang,$(FLAVOUR)),,$(error make mutation: mistakes are graded by the emulated device, through clang: DEVICE=emulated CUDA_COMPILER=clang))
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

# Tests the emulator, the harness and the checker with sanitizers, in a build folder of their own.
# The counters, the mutants and all but one order of warps are left out: they take long and find
# nothing new here. The emulated device handles the signal when host code dereferences a device
# pointer, so the sanitizer must not handle it.
sanitize:
	@$(MAKE) BUILD=$(BUILD)/sanitized COMPILED=$(BUILD) SANITIZE=address,undefined sanitized
sanitized: $(TESTED)
	@ASAN_OPTIONS=handle_segv=0 UBSAN_OPTIONS=print_stacktrace=1 ORDERS=0 \
	  sh common/make/tests/test.sh $(filter-out %counters_test %workbook_test %spoilers_test %reports_test %runs_test %ncu_test %predictions_test,$(NAMED_UNITS)) $(NAMED_REPLAY) $(NAMED_PROGRAMS)

# ---- the CUDA programs through every clang that is supposed to work ----------------------------------------
ifneq ($(filter test-compilers,$(GOALS)),)
CLANGS ?= clang-14 clang-15 clang-16 clang-17 clang-18 clang-19
CLANGS_HERE := $(foreach clang,$(CLANGS),$(if $(shell command -v $(clang)),$(clang)))
$(foreach clang,$(CLANGS_HERE),\
  $(eval compile_emulated-$(clang) = $$(call compile_with_clang,$$1,$$2,$$3,$(clang)))$(eval link_emulated-$(clang) = $$(link_emulated-clang))\
  $(foreach test,$(CUDA_TESTS),\
    $(eval $(call cuda_program,emulated-$(clang),$(call test_program,emulated-$(clang),$(test)),$(test),float,))))
.PHONY: test-compilers
test-compilers: $(foreach clang,$(CLANGS_HERE),$(foreach test,$(CUDA_TESTS),$(call test_program,emulated-$(clang),$(test))))
	@echo 'not installed: $(or $(filter-out $(CLANGS_HERE),$(CLANGS)),none)'
	@sh common/make/tests/test.sh $(foreach clang,$(CLANGS_HERE),$(foreach test,$(CUDA_TESTS),\
	  $(notdir $(basename $(test)))/$(clang):$(test)=$(call test_program,emulated-$(clang),$(test))))
endif

# ---- generated kernels: devices, compilers and settings against one another ------------------------------------
# make fuzz-kernels [SEEDS="1 2 3"] [GPU_LINES=file] [GENERATOR=generate.c]: what the generator prints for each seed is
# a program; fuzz_kernels.sh says what it must print and compares. The workbook's own generator is
# common/emulator/tests/fuzz; its main.c says how a difference is traced.
FUZZ_FOLDER := common/emulator/tests/fuzz
FUZZ_SOURCES := $(wildcard $(FUZZ_FOLDER)/*.c)
FUZZ_GENERATOR := $(BUILD)/tests/fuzz_generate
FUZZ_FORMS := common/emulator/tests/values_h200.txt
$(FUZZ_GENERATOR): $(FUZZ_SOURCES) $(wildcard $(FUZZ_FOLDER)/*.h $(FUZZ_FOLDER)/*.def) common/emulator/tests/values.h
	@mkdir -p $(@D) && $(CC) -std=c11 -O1 -Wall -Wextra -o $@ $(FUZZ_SOURCES)

ifneq ($(and $(WHOLE),$(filter fuzz-kernels,$(GOALS))),)
$(if $(or $(if $(GENERATOR),,yes),$(wildcard $(GENERATOR))),,$(error make fuzz-kernels: GENERATOR=$(GENERATOR): no such file))
SEEDS ?= $(shell seq 20)
GENERATED := $(BUILD)/fuzz/kernels
# A generated file that already exists is not changed, so that it is not compiled again.
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
FUZZED := emulated-clang-fast emulated-clang-O0 $(if $(NVCC),emulated-nvcc-fast emulated-nvcc-G)
$(foreach flavour,$(FUZZED),$(eval link_$(flavour) = $$(link_emulated-clang)))
FUZZED += $(if $(and $(GPU_FOUND),$(NVCC)),gpu)
$(foreach flavour,$(FUZZED),$(foreach seed,$(SEEDS),\
  $(eval $(call cuda_program,$(flavour),$(BUILD)/$(flavour)/fuzz/$(seed),$(GENERATED)/$(seed).cu,float,))))
# The first flavour also runs without observers, with one worker and with three, and in other
# orders.
FUZZ_SETTINGS := LOCKSTEP_CHECKS=0 LOCKSTEP_WORKERS=1 LOCKSTEP_WORKERS=3+LOCKSTEP_SEED=7 LOCKSTEP_SEED=42
.PHONY: fuzz-kernels
fuzz-kernels: $(foreach flavour,$(FUZZED),$(foreach seed,$(SEEDS),$(BUILD)/$(flavour)/fuzz/$(seed)))
	@sh common/make/tests/fuzz_kernels.sh $(GENERATED) '$(GPU_LINES)' $(BUILD) $(FUZZED) $(FUZZ_SETTINGS:%=emulated-clang-fast+%)
endif

# With every test: a few of them, compared with the output of an H200.
FUZZ_RECORD := common/emulator/tests/fuzz_h200.txt
REPLAYED := $(if $(wildcard $(FUZZ_RECORD)),$(sort $(shell sed -n 's/^\([0-9]*\) program .*/\1/p' $(FUZZ_RECORD))))
replayed_program = $(BUILD)/$1/fuzz/$2
REPLAYS := $(foreach flavour,$(EMULATED),$(foreach seed,$(REPLAYED),$(call replayed_program,$(flavour),$(seed))))
$(REPLAYED:%=$(BUILD)/fuzz/replay/%.cu): $(BUILD)/fuzz/replay/%.cu: $(FUZZ_GENERATOR) $(FUZZ_FORMS)
	@mkdir -p $(@D) && $(FUZZ_GENERATOR) --forms $(FUZZ_FORMS) $* >$@
$(foreach flavour,$(EMULATED),$(foreach seed,$(REPLAYED),\
  $(eval $(call cuda_program,$(call tried_through,$(flavour),replay),$(call replayed_program,$(flavour),$(seed)),$(BUILD)/fuzz/replay/$(seed).cu,float,))\
  $(call after_clang,$(flavour),$(call replayed_program,$(flavour),$(seed)),replay)\
  $(eval $(call compiled,$(call replayed_program,$(flavour),$(seed))).seen: $(BUILD)/fuzz/replay/$(seed).cu)))
test: $(REPLAYS)
NAMED_FUZZ = 'common/emulator/tests/fuzz=sh common/make/tests/fuzz_replay.sh $(BUILD)/fuzz/replay $(FUZZ_RECORD) $(BUILD) $(EMULATED)'

# ---- the same reports in every run -----------------------------------------------------------------------
# make same-reports [REPEATS=200] [BUSY=12] [WORKERS="1 2 8"]: programs with mistakes whose reports many blocks or
# workers have a part in; same_reports.sh says how they run.
ifneq ($(filter same-reports,$(GOALS)),)
RACES := $(wildcard common/emulator/tests/races/*.cu)
REPORTING := $(foreach word,race_ same_value_writes out_of_bounds_ uninitialised_ assert_failed trap misaligned deadlock \
  barrier,$(filter common/emulator/tests/mistakes/$(word)%,$(MISTAKES)))
race_program = $(BUILD)/emulated-clang/races/$(notdir $(basename $1))
$(foreach race,$(RACES),$(eval $(call cuda_program,emulated-clang,$(call race_program,$(race)),$(race),float,)))
RUN_OFTEN := $(foreach test,$(REPORTING),$(call test_program,emulated-clang,$(test))) $(foreach race,$(RACES),$(call race_program,$(race)))
.PHONY: same-reports
same-reports: export REPEATS := $(REPEATS)
same-reports: export BUSY := $(BUSY)
same-reports: export WORKERS := $(WORKERS)
same-reports: $(RUN_OFTEN)
	@sh common/make/tests/same_reports.sh $(RUN_OFTEN)
endif

# ---- damaged PTX: the corpus in every test, and a fuzzer that looks for more ----------------------------
PTX_READER := $(wildcard common/emulator/ptx/*.c)
FUZZ_PTX := common/emulator/tests/fuzz_ptx
CORPUS := $(FUZZ_PTX)/corpus
NAMED_REPLAY = 'common/emulator/tests/ptx_replay=$(BUILD)/tests/ptx_replay $(wildcard $(CORPUS)/*)'
$(BUILD)/tests/ptx_replay: $(FUZZ_PTX)/fuzz.c $(EMULATOR)
	@mkdir -p $(@D) && $(CC) $(C_FLAGS) -DPTX_REPLAY -o $@ $^ $(LIBRARIES)

# make fuzz-ptx [RUNS=1000000]: runs the fuzzer this many times, RUNS=-1 without end. Interesting
# inputs are kept in build/fuzz/corpus; an input that crashes the reader is kept beside it.
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
# With every test: a few runs with fixed seeds, if clang has libFuzzer.
LIBFUZZER := $(if $(CLANG),$(wildcard $(shell $(CLANG) -print-runtime-dir)/libclang_rt.fuzzer*))
NAMED_FUZZ_PTX = $(if $(LIBFUZZER),'common/emulator/tests/fuzz_ptx=$(FUZZER) -runs=5000 -seed=1 -verbosity=0 $(FUZZED_SO) -artifact_prefix=$(BUILD)/fuzz/ -seed_inputs=$(subst $(empty) $(empty),$(comma),$(wildcard $(CORPUS)/*))')
test: $(if $(LIBFUZZER),$(FUZZER))
# The first `make test` compiles for minutes.
UNBUILT := $(if $(filter test,$(GOALS)),$(foreach program,$(TESTED) $(REPLAYS) $(DATA_PROGRAMS),$(if $(wildcard $(program)),,$(program))))
ifneq ($(word 20,$(UNBUILT)),)
$(UNBUILT): | first_tested
first_tested: ; @echo 'The programs of the tests are compiled first: that takes minutes.' >&2
$(call counted,20,$(UNBUILT))
endif

# ---- what is implemented: the table in the emulator's README --------------------------------------------
PTX_LIST := $(BUILD)/tests/ptx_list
IMPLEMENTED = sh common/make/measure/implemented.sh $1 $(EMULATOR) $(PTX_LIST) common/emulator/README.md
NAMED_TABLE = 'common/emulator/README.md=$(call IMPLEMENTED,check)'
$(PTX_LIST): common/emulator/tests/ptx_list.c $(EMULATOR)
	@mkdir -p $(@D) && $(CC) $(C_FLAGS) $(EMULATED_HEADERS) -o $@ $^ $(LIBRARIES)
.PHONY: implemented
implemented: $(PTX_LIST) ; @$(call IMPLEMENTED,update)

# ---- the picture of the architecture ------------------------------------------------------------------
.PHONY: architecture
architecture: ; @sh common/make/measure/architecture.sh update .github/CONTRIBUTING.md

# ---- how fast --------------------------------------------------------------------------------------
BENCH := $(BUILD)/emulated-clang/bench
$(BENCH)_loop.o: HEADERS :=
$(BENCH)_loop.o: common/emulator/tests/bench_loop.c $(C_RULES) ; $(COMPILE_C)
$(eval $(call cuda_program,emulated-clang,$(BENCH),common/emulator/tests/bench.cu,float,$(BENCH)_loop.o))
# On a GPU: all variants of all labs. CARD=h200 keeps the numbers in slides/data; ARGS="04 05":
# these labs only.
ifeq ($(DEVICE),gpu)
bench: $(GPU_PROGRAMS) $(GPU_PROGRAMS:$(BUILD)/gpu/%=$(BUILD)/emulated-clang/%)
	@sh common/make/measure/bench.sh $(BUILD)/gpu/solutions $(BUILD)/emulated-clang/solutions $(BUILD)/bench slides/data '$(CARD)' $(ARGS)
else
bench: $(KERNELS) $(BENCH)
	@$(MUST_COMPILE) && { $(if $(ARGS),,$(BENCH) && echo &&) $< $(ARGS); } || $(LEAVE)
endif
