# The commands of Lockstep and the files that each command needs. `make help` describes the commands
# for students, `make help-all` the others. All files that are built are in build/.
#
# The recipes are in common/make. They find labs, source files and unit tests themselves:
#   settings.mk   paths, the labs, the variables of the command line
#   wrong.mk      a one-line error for a command or an option that does not exist
#   help.mk       what `make help` and `make help-all` print
#   setup.mk      make setup
#   machine.mk    the compilers and libraries of this machine
#   options.mk    DEVICE, CARD, CUDA_COMPILER and PRECISION
#   c.mk          compiles C to libraries and programs; cuda.mk: a .cu file to a program
#   programs.mk   the programs of the labs
#   lab.mk        make lab01, run01, hint01 ...
#   profile.mk, view.mk, race.mk, step.mk, predict.mk      commands that show a run
#   play.mk       any CUDA program, with libraries.mk; editor.mk: compile commands for editors
#   slides.mk     the slides; figures.mk: the maps on them
#   sandbox.mk    how one submission is graded; class.mk: how a class is graded
#   appeal.mk     commands on a submission of a class
#   handout.mk    the archives for students and for Gradescope
#   tests.mk      the tests, the fuzzers and the benches; tests/list.mk: the list of the tests
# Their scripts are in compile/, class/, measure/, pictures/ and tests/ beside them.

.DEFAULT_GOAL := help
include common/make/settings.mk
include common/make/wrong.mk
include common/make/help.mk
ifneq ($(filter setup setup-libraries,$(GOALS)),)
include common/make/setup.mk
else
ifneq ($(filter-out help help-all clean,$(GOALS)),)
RULES := machine options c cuda programs lab profile view race step predict libraries play editor sandbox class
# The rules of the tests take most of make's time. The commands of labs and classes do not need
# them.
ifneq ($(filter-out $(LAB_GOALS) animate% play profile view race step demo progress grade points class class-list submissions,$(GOALS)),)
RULES += slides figures $(if $(WHOLE),tests)
endif
include $(RULES:%=common/make/%.mk)
endif
include common/make/handout.mk

# ---- a lab: make lab01 ---------------------------------------------------------------------------
.PHONY: $(LAB_GOALS) $(MOVING:%=animate%)
ifneq ($(HANDED_IN),)
include common/make/appeal.mk# LABS is a submission of a class, which is only opened in a sandbox
else
$(call lab_goals,lab): lab%: $$(ITS_PROGRAM) $$(ITS_DOUBLE) $$(CHECKER) $$(call timed_beside,$$(ITS_NAME)) | $$(COMMITTED)
	@$(check_lab)
$(call lab_goals,check-as-class): check-as-class%: $$(call grading,$$(ITS_NAME))
	@$(check_as_class)
$(call lab_goals,run): run%: $$(ITS_PROGRAM) $$(CHECKER)
	@$(run_lab)
$(call lab_goals,change): change%: $$(ITS_PROGRAM) $$(ITS_DOUBLE) $$(CHECKER)
	@$(change_lab)
$(call lab_goals,watch): watch%:
	@$(watch_lab)
$(call lab_goals,sweep): sweep%: $$(ITS_PROGRAM) $$(CHECKER)
	@$(sweep_lab)
$(call lab_goals,profile): profile%: $$(ITS_PROGRAM) $$(CHECKER) $$(PROFILE)
	@$(call profile_lab,$(ITS_FILE),make lab$*$(THESE_LABS))
$(call lab_goals,predict): predict%: $$(ITS_PROGRAM) $$(CHECKER) $$(foreach block,$$(BLOCKS),$$(call block_program,$$(ITS_NAME),$$(block)))
	$(call predict_lab,$(ITS_NAME))
$(call lab_goals,view): view%: $$(ITS_PROGRAM) $$(ITS_MARKS) $$(VIEW)
	@$(view_lab)
$(call lab_goals,race): race%: $$(ITS_PROGRAM) $$(ITS_MARKS) $$(RACE)
	@$(race_lab)
$(call lab_goals,step): step%: $$(ITS_PROGRAM) $$(ITS_MARKS) $$(STEP)
	@$(step_lab)
$(MOVING:%=animate%): animate%: $$(ITS_PROGRAM)
	@$(animate_lab)
endif
$(call lab_goals,hint): hint%: $$(CHECKER)
	@$(hint_lab)

# ---- all labs ------------------------------------------------------------------------------------
.PHONY: progress grade demo
progress: $(CHECKER)
	@$(CHECKER) --progress --labs $(LABS) || $(LEAVE)
grade: $(if $(SUBMISSIONS),class,$(GRADES))
	@$(if $(SUBMISSIONS),,$(collect_marks))
demo: $(foreach lab,$(LAB_NAMES),$(call program,solutions,$(lab)))
	@$(show_solutions)

# ---- any CUDA program: make play FILE=any.cu -----------------------------------------------------
.PHONY: play profile view race step
play: $(PLAY)
	@$(play_any)
profile: $(PLAY) $(PROFILE)
	@$(call profile_any,$(FILE))
view: $(PLAY) $(VIEW)
	@$(call view_any,$(FILE))
race: $(PLAY) $(RACE)
	@$(call race_any,$(FILE))
step: $(PLAY) $(STEP)
	@$(call step_any,$(FILE))

# ---- the workbook itself -------------------------------------------------------------------------
.PHONY: format format-check words clean
format format-check:
	@command -v clang-format >/dev/null || { echo 'make $@: no clang-format (Debian: apt-get install clang-format)' >&2; exit 2; }
	@git ls-files -z '*.[ch]' '*.cu' | xargs -0 -P $(CORES) -n 40 clang-format --style=file $(if $(filter format,$@),-i,--dry-run --Werror)
	@$(if $(filter format-check,$@),.ci/words)
# Lists the places that .ci/words counts: make words ROOM=common/emulator/ptx
words: ; @.ci/words $(ROOM)
# Keeps the progress of students, graded classes and their secret; removes everything else.
clean:
	@rm -rf $(filter-out %/progress %/class %/secret,$(wildcard $(BUILD)/*))
endif
