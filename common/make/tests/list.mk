# TESTS has a line for each test that `make test` runs: NAME=COMMAND, or "NAME after OTHER=COMMAND"
# for a test that needs files of another test. Empty lines are ignored. Included by tests.mk.
define newline


endef
# $(call lines,WORDS): a line for each word. $(call quoted_lines,LINES): a word of a shell command
# for each line.
lines = $(subst $(empty) $(empty),$(newline),$(strip $1))
quoted_lines = $(filter-out '','$(subst $(newline),' ',$(subst $(newline) ,$(newline),$1))')
program_names = $(foreach name,$1,$(call test_program,emulated-clang,$(name).cu))
STEPPED_PROGRAMS = $(call program_names,divergence grid_sync locks progress reconvergence_warps)
COMPILERS = $(EMULATED:emulated-%=%)
# Decks are only opened if they can be made without a download.
OPENED = $(if $(wildcard $(SLIDES)/node_modules/puppeteer-core),$(if $(shell sh common/make/pictures/browser.sh),$(DECKS:%=$(SLIDES)/%.html)))
# Programs that run without common/emulator/more, in addition to labs and unit tests, and objects
# that must not use this folder.
RUN_WITHOUT_MORE := $(patsubst %,common/emulator/tests/programs/%.cu,vector_add errors memory_kinds managed_variables symbols async_copies streams_right \
  threads host_memory cooperative_groups kernel_printf card_k40c ladder sampled reconvergence reconvergence_calls reconvergence_warps) \
  $(patsubst %,common/emulator/tests/mistakes/%.cu,race_shared out_of_bounds_global leak not_waited unsupported)
WITHOUT_MORE = $(wildcard $(addprefix $(BUILD)/,objects/emulated-clang objects/checker objects/profile objects/view objects/draw \
  tests $(addprefix emulated-clang/,labs solutions given replay tests mistakes races bench_kernels.o)))
REPORTS := common/emulator/observe/report_kinds.def
VIEWED_PAGES = $(LAB_NAMES:%=$(BUILD)/view/solutions-%.html) $(BUILD)/view/common_view_tests_hostile.cu.html \
  $(BUILD)/view/$(subst /,_,$(BUILD)/tests/view/first-barrier-missing)-02-shared.html
NAMED_PROGRAMS = $(foreach flavour,$(EMULATED),$(foreach test,$(CUDA_TESTS) $(LIBRARY_TESTS),\
  $(notdir $(basename $(test)))/$(flavour:emulated-%=%):$(test)=$(call test_program,$(flavour),$(test))))
NAMED_PAIRS = $(foreach flavour,$(EMULATED),$(foreach test,$(RACE_PAIRS),'races/$(notdir $(basename $(test)))/$(flavour:emulated-%=%)=sh common/make/tests/race_pairs.sh $(test) $(call test_program,$(flavour),$(test))'))

define TESTS
common/view/doors=sh common/view/tests/doors.sh
common/view/animate=sh common/view/tests/animate.sh $(CHECKED_06)
$(call lines,$(NAMED_UNITS))
$(foreach lab,$(GRADED),mutants of $(lab)=$(WORKBOOK_TEST) mutants $(lab) 1$(newline))
slides/blocks=$(WEAVE) --check $(WOVEN)
common/make/link=sh common/make/tests/link_test.sh
common/make/editor=sh common/make/tests/editor_test.sh $(COMMANDS) $(foreach labs,labs solutions,$(foreach lab,$(LAB_NAMES),$(call cu_file,$(labs),$(lab))))
common/make/screens after checker/tests/workbook=sh common/make/tests/screens_test.sh
common/make/play=sh common/make/tests/play_test.sh
common/make/race=sh common/make/tests/race_test.sh $(STEPPED_PROGRAMS)
common/make/step=sh common/make/tests/step_test.sh $(STEPPED_PROGRAMS)
common/make/unknown=sh common/make/tests/unknown_test.sh
common/make/build=sh common/make/tests/build_test.sh $(COMPILERS)
common/make/twice=sh common/make/tests/twice_test.sh
common/make/path=sh common/make/tests/path_test.sh
common/make/others=sh common/make/tests/others_test.sh
common/make/progress=sh common/make/tests/progress_test.sh
common/make/apart=sh common/make/tests/apart_test.sh $(COMPILERS)
common/make/bench=sh common/make/tests/bench_test.sh $(KERNELS)
common/emulator/predicted=sh common/make/measure/predicted_error.sh --check $(PREDICTED_ERROR)
common/emulator/stated_error=sh $(STATED_ERROR) --check common/emulator/tests/timing $(STATED_ERRORS)
common/emulator/rungs=sh common/make/measure/predicted_rungs.sh $(PREDICTED_RUNGS)
common/emulator/names=sh common/emulator/tests/names.sh $(DEVICE_ARCHIVE) $(EMULATED_LIBRARIES)
common/emulator/not_on_a_gpu=sh common/emulator/tests/not_on_a_gpu.sh check
common/emulator/arrows=sh common/emulator/tests/arrows.sh $(BUILD)/objects/emulator/common/emulator $(WITHOUT_MORE)
$(if $(wildcard $(MORE)),common/emulator/more/runtime_api=sh $(MORE)/tests/runtime_api.sh $(EMULATOR) $(NVCC_FOUND))
$(if $(wildcard $(MORE)),common/emulator/more/children=sh $(MORE)/tests/children.sh $(COMPILERS))
common/emulator/without_more=sh common/emulator/tests/without_more.sh $(RUN_WITHOUT_MORE)
common/emulator/sum_order=sh common/emulator/tests/sum_order.sh $(call through_each,sum_order.cu)
common/architecture=sh common/make/measure/architecture.sh check .github/CONTRIBUTING.md
checker/rooms=sh checker/tests/rooms.sh $(BUILD)/objects/checker/checker
slides/charts=sh common/make/pictures/charts.sh --check
checker/answers=sh checker/tests/answers.sh
checker/questions=sh checker/tests/questions.sh
slides/data=sh common/make/measure/record.sh --check $(BUILD)/emulated-clang slides/data
slides/open=sh common/make/tests/browse.sh $(SLIDES) slides/tests/open.mjs $(OPENED)
checker/handed_out=sh checker/tests/handed_out.sh
checker/handout=sh checker/tests/handout.sh
checker/cluster=sh checker/tests/slurm.sh
checker/modules=sh checker/tests/modules.sh $(CHECKER)
checker/ahead=sh checker/tests/ahead.sh $(CHECKER) $(FIRST_LAB) $(call cu_file,solutions,$(FIRST_LAB)) $(call program,solutions,$(FIRST_LAB))
slides/step=sh common/make/tests/browse.sh $(SLIDES) slides/tests/step.mjs $(STEP) $(STEPPED)
slides/class after checker/tests/reports=sh common/make/tests/browse.sh $(SLIDES) slides/tests/class.mjs $(BUILD)/tests/class/sample/class.html
checker/change=sh checker/tests/change.sh $(CHANGE_COMMANDS) $(CHANGED)
checker/class=sh checker/tests/class_test.sh $(CLASS_TOOL)
slides/figures (maps)=sh common/draw/tests/figures.sh $(FIGURES) slides/figures $(MAP_FIGURES)
slides/view after common/view/doors=sh common/make/tests/browse.sh $(SLIDES) slides/tests/view.mjs $(VIEWED_PAGES)
common/emulator/README.md=$(call IMPLEMENTED,check)
$(REPORTS)=awk -f common/make/tests/kinds.awk $(REPORTS) $(MISTAKES)
common/emulator/tests/fuzz=sh common/make/tests/fuzz_replay.sh $(BUILD)/fuzz/replay $(FUZZ_RECORD) $(BUILD) $(EMULATED)
endef
