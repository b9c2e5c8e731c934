# Lockstep's front door: `make help-all` lists what it can do. Everything it builds lies in build/.
#
# How things are built stands in common/make, and needs no line for a new lab, source file or test:
#   common/make/help.mk      what `make help` and `make help-all` say
#   common/make/compile.mk   from C and CUDA sources to libraries and programs
#   common/make/profile.mk   what a run did, line by line
#   common/make/slides.mk    the slides, and all that is drawn on them
#   common/make/view.mk      pictures and pages from a run
#   common/make/race.mk      in which order a race changes a number
#   common/make/predict.mk   how long it would take on other cards
#   common/make/editor.mk    what editors need to know
#   common/make/tests.mk     the tests, the fuzzer and the bench
#   common/make/sandbox.mk   how one stranger's lab is graded
#   common/make/class.mk     a class: make grade SUBMISSIONS=folder
#   common/make/appeal.mk    the doors of a lab for what a class handed in
#   common/make/handout.mk   what students and Gradescope get
# The scripts that they call stand in folders there: compile/ (probe.sh asks once what this machine has), class/, measure/,
# pictures/, tests/.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDEXPANSION:
MAKEFLAGS += --no-builtin-rules --no-print-directory
GOALS := $(or $(MAKECMDGOALS),help)
# The workbook may lie anywhere: "Мои файлы/lab (1) & more". So all paths are relative to it, and where its own path
# is a word for a shell, it is quoted.
# $(call quote,TEXT): one word for a shell, whatever is in it.
quote = '$(subst ','\'',$1)'
# $(call from_here,PATHS): those that begin with the workbook's own path, without it.
from_here = $(patsubst :%,%,$(subst :$(CURDIR)/,,:$(subst $(empty) $(CURDIR)/, ,$1)))
# $(call from_root,PATH): where it is, for a program that runs in another folder.
from_root = $(if $(filter /%,$(firstword $1)),$1,$(CURDIR)/$1)
empty :=
BUILD ?= build
override BUILD := $(call from_here,$(BUILD))
export BUILD # where scripts find what is built
LABS ?= labs
override LABS := $(patsubst %/,%,$(call from_here,$(LABS)))
# Of a class that was graded: what its tasks are worth is what they were worth then.
HANDED_IN := $(wildcard $(LABS)/../../roster.json)
ifneq ($(HANDED_IN),)
POINTS ?= $(firstword $(wildcard $(dir $(patsubst %/,%,$(dir $(LABS))))points.txt $(LABS)/../../points.txt))
endif
PRECISION ?= float
CARDS = $(shell sed -n 's/^DEVICE.\(.*\),$$/\1/p' common/emulator/devices.def)# that the emulated device can be

# ---- the labs: found, not listed -----------------------------------------------------------------------
# 01-naive is lab 01; its CUDA file is $(LABS)/01-naive/naive.cu.
LAB_NAMES := $(notdir $(wildcard labs/[0-9][0-9]-*))
LAB_NUMBERS := $(foreach lab,$(LAB_NAMES),$(firstword $(subst -, ,$(lab))))
lab_name = $(filter $1-%,$(LAB_NAMES))
cu_file = $1/$2/$(subst -,_,$(patsubst $(firstword $(subst -, ,$2))-%,%,$2)).cu
labs_key = $(if $(filter labs solutions,$1),$1,$(subst /,_,$1))
PER_LAB := lab check-as-class hint change run watch sweep profile predict view race gradescope
lab_goals = $(addprefix $1,$(LAB_NUMBERS))
MOVING := $(filter 06,$(LAB_NUMBERS))# the only one with something that moves
WHOLE := $(wildcard solutions/.)# empty in a handout, which has no solutions and not the doors that need them
program = $(OUT)/$(call labs_key,$1)/$2.$(PRECISION)

# ---- what there is to build ----------------------------------------------------------------------------
# A verdict below full marks ends make with status 1. SIGQUIT makes it leave without a word, where a failed
# recipe would add "make: *** ... Error 1" to a report that has said everything.
LEAVE = case $$? in 1) kill -QUIT $$PPID; sleep 0.05;; *) exit;; esac

# $(call counted,N,FILES): says so at the Nth, 2Nth ... of these files.
counted = $(eval each :=)$(eval all :=)$(foreach file,$2,$(eval each += x)$(eval all += x)$(if $(filter $1,$(words $(each))),\
  $(eval each :=)$(eval $(file): | file-$(words $(all)))$(eval file-$(words $(all)): ; @echo '  $(words $(all)) of $(words $2) files' >&2)))

# `make setup demo`: setup may change what the probe finds, so the other goals wait for it and then run in
# a make of their own.
ifneq ($(filter setup setup-libraries,$(GOALS)),)
AFTER_SETUP := $(filter-out setup setup-libraries,$(GOALS))
.PHONY: $(GOALS)
setup-libraries: ; @sh common/make/compile/setup.sh libraries && rm -f $(BUILD)/config.mk
setup:
	@sh common/make/compile/setup.sh && rm -f $(BUILD)/config.mk && $(MAKE) $(BUILD)/compile_commands.json
ifneq ($(AFTER_SETUP),)
$(AFTER_SETUP): after_setup ; @:
after_setup: $(filter setup setup-libraries,$(GOALS))
	@$(MAKE) -j"$$(getconf _NPROCESSORS_ONLN)" $(AFTER_SETUP) || $(LEAVE)
endif
else
ifneq ($(filter-out help help-all clean,$(GOALS)),)
include common/make/compile.mk
# Three quarters of what make reads are the tests' rules; the doors of labs and classes do without.
ifneq ($(filter-out $(foreach door,$(PER_LAB),$(call lab_goals,$(door))) $(MOVING:%=animate%) \
  play profile view race demo progress grade points class class-list submissions,$(GOALS)),)
include common/make/tests.mk
endif
# The first build takes minutes, so it says so and counts its files.
ifneq ($(filter lab% change% run% watch% profile% predict% view% race% demo play grade,$(GOALS)),)
ifeq ($(wildcard $(EMULATOR)),)
FIRST_BUILT := $(EMULATOR_OBJECTS) $(CHECKER_OBJECTS)
$(FIRST_BUILT): | first_build
first_build: ; @echo 'The emulated device is compiled first, once: that takes a minute or two,' >&2; \
  echo 'on a busy machine longer.' >&2
$(call counted,10,$(FIRST_BUILT))
endif
endif
endif

# ---- the doors -------------------------------------------------------------------------------------------
.PHONY: help demo progress grade play profile view race animate06 clean format format-check
include common/make/help.mk

.PHONY: $(foreach door,$(PER_LAB),$(call lab_goals,$(door)))
UNKNOWN := $(filter-out %.cu profile view race race-pairs predicted-error $(foreach door,$(PER_LAB),$(call lab_goals,$(door))),$(filter $(addsuffix %,$(PER_LAB)),$(GOALS)))
TWO_DIGITS := $(filter $(LAB_NUMBERS),$(foreach door,$(PER_LAB),$(patsubst $(door)%,0%,$(filter $(door)%,$(UNKNOWN)))))
BARE := $(filter lab hint change run watch sweep predict,$(UNKNOWN))# a door without its number; a number may stand apart
CAPITALS := $(filter $(addsuffix %,A B C D E F G H I J K L M N O P Q R S T U V W X Y Z),$(GOALS))
$(if $(CAPITALS),$(error make $(CAPITALS): commands are written in small letters, such as make lab$(FIRST): make help lists them))
$(if $(BARE),$(error make $(GOALS): which lab? Type make $(firstword $(BARE))$(or $(firstword $(filter $(LAB_NUMBERS),$(GOALS))),$(FIRST))))
$(if $(UNKNOWN),$(error make $(UNKNOWN): no such lab; $(if $(TWO_DIGITS),a number has two digits: $(TWO_DIGITS),choose $(LAB_NUMBERS))))
include common/make/handout.mk

# What a class handed in is nobody's own: it is opened in a sandbox only.
ifneq ($(HANDED_IN),)
include common/make/appeal.mk
else
# A source that does not compile left its compiler's log in place of the program: a verdict, too.
$(call lab_goals,lab): lab%: $$(call program,$(LABS),$$(call lab_name,$$*)) $$(call in_double,$(LABS),$$(call lab_name,$$*)) $$(CHECKER) $$(call timed_beside,$$(call lab_name,$$*)) | $$(COMMITTED)
	@$(CHECKER) $(POINTS:%=--points %) --lab $(call lab_name,$*) --source $(call cu_file,$(LABS),$(call lab_name,$*)) --program $< \
	  --device $(DEVICE) $(GRADED_ON) --precision $(PRECISION) --compiler '$(COMPILER_TITLE)' --labs $(LABS) \
	  $(call REFERENCE,$(call lab_name,$*)) $(call IN_DOUBLE,$(LABS),$(call lab_name,$*)) $(call WITH_HANDOUT,$(call lab_name,$*)) \
	  $$([ -x $< ] || echo --compile-log $<.log) $(ARGS) || $(LEAVE)

# As strangers' work is graded, in a sandbox.
AS_CLASS := $(OUT)/as-class
$(call lab_goals,check-as-class): check-as-class%: $$(call grading,$$(call lab_name,$$*))
	@mkdir -p $(AS_CLASS) && sh common/make/class/grade_one.sh $< $(call cu_file,$(LABS),$(call lab_name,$*)) $(AS_CLASS)/$*.json \
	  $(AS_CLASS)/$*.txt $(or $(SANDBOX),bwrap) && cat $(AS_CLASS)/$*.txt

# What a lab wants predicted first is not shown before: held is all, or how the names of variants begin.
WITHHOLD = held=$(if $(filter emulated,$(DEVICE)),$$($(CHECKER) --withheld --precision $(PRECISION) --lab $(call lab_name,$*) --source $(call cu_file,$(LABS),$(call lab_name,$*))))
WITHHELD = $${held:+--withhold $$held}

$(call lab_goals,run): run%: $$(call program,$(LABS),$$(call lab_name,$$*)) $$(CHECKER)
	@{ $(MUST_COMPILE) && $(WITHHOLD) && $< $(WITHHELD) $(ARGS); } || $(LEAVE)

# The last hint, and an instructor's command: a change with which every run of the task passes.
$(call lab_goals,change): change%: $$(call program,$(LABS),$$(call lab_name,$$*)) $$(call in_double,$(LABS),$$(call lab_name,$$*)) $$(CHECKER)
	$(if $(filter emulated-clang,$(FLAVOUR)),,$(error make $@: changes are tried on the emulated device, through clang: DEVICE=emulated CUDA_COMPILER=clang))
	@$(CHECKER) --change $(TASK:%=--task=%) --lab $(call lab_name,$*) --source $(call cu_file,$(LABS),$(call lab_name,$*)) --program $< \
	  --precision $(PRECISION) --labs $(LABS) $(call WITH_CHANGES,$(call lab_name,$*)) $(call IN_DOUBLE,$(LABS),$(call lab_name,$*)) \
	  $$([ -x $< ] || echo --compile-log $<.log) || $(LEAVE)

$(call lab_goals,watch): watch%:
	@sh common/make/compile/watch.sh $(call cu_file,$(LABS),$(call lab_name,$*)) $(MAKE) lab$*

# Numbers and picture stand in build/sweep; the same command goes on after ctrl-C, a changed program begins anew.
SWEPT = $(BUILD)/sweep/$(call labs_key,$(LABS))-$(call lab_name,$*).$(PRECISION)$(if $(filter gpu,$(DEVICE)),.gpu)$(OTHER_CARD:%=.%)
$(call lab_goals,sweep): sweep%: $$(call program,$(LABS),$$(call lab_name,$$*)) $$(CHECKER)
	@mkdir -p $(BUILD)/sweep && { [ $(SWEPT).csv -nt $< ] || rm -f $(SWEPT).csv; } && { $(MUST_COMPILE) && $(WITHHOLD) && \
	  LOCKSTEP_QUIET=1 $< $(WITHHELD) --sweep 16:256:16 --csv $(SWEPT).csv --plot $(SWEPT).svg $(ARGS); } || $(LEAVE)

$(call lab_goals,profile): profile%: $$(call program,$(LABS),$$(call lab_name,$$*)) $$(CHECKER) $(PROFILE)
	@$(call profile_lab,$(call cu_file,$(LABS),$(call lab_name,$*)),make lab$*$(THESE_LABS))

$(call lab_goals,predict): predict%: $$(call program,$(LABS),$$(call lab_name,$$*)) $$(CHECKER) $$(foreach block,$(BLOCKS),$$(call block_program,$$(call lab_name,$$*),$$(block)))
	$(call predict_lab,$(call lab_name,$*))

$(call lab_goals,view): view%: $$(call program,$(LABS),$$(call lab_name,$$*)) $$(GRADE_OUT)/$$(call lab_name,$$*).json $(VIEW)
	@$(view_lab)

$(call lab_goals,race): race%: $$(call program,$(LABS),$$(call lab_name,$$*)) $$(GRADE_OUT)/$$(call lab_name,$$*).json $(RACE)
	@$(race_lab)

$(MOVING:%=animate%): animate%: $$(call program,$(LABS),$$(call lab_name,$$*))
	@{ $(MUST_COMPILE) && sh common/make/pictures/animate.sh $< $(VIEW_PAGE:.html=.gif) $(ARGS); } || $(LEAVE)

endif

# The last hint needs the student's program. A make of its own, and not $$(MAKE), which make -n would start.
last_hint = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE_COMMAND) change$* BUILD='$(BUILD)' LABS='$(LABS)' $(TASK:%=TASK=%) \
  PRECISION=$(PRECISION) DEVICE=emulated CUDA_COMPILER=clang
$(call lab_goals,hint): hint%: $$(CHECKER)
	@$(CHECKER) --hint --lab $(call lab_name,$*) --labs $(LABS) $(TASK:%=--task=%) $(HANDED_IN:%=--sandbox=bwrap) \
	  --source $(call cu_file,$(LABS),$(call lab_name,$*)) || case $$? in 3) $(last_hint);; *) exit 2;; esac

progress: $(CHECKER)
	@$(CHECKER) --progress --labs $(LABS) || $(LEAVE)

grade: $(if $(SUBMISSIONS),class,$(GRADES))
	@$(if $(SUBMISSIONS),,$(CHECKER) --collect --labs $(LABS) --json $(GRADE_OUT).json --xml $(GRADE_OUT).xml $(GRADES) || $(LEAVE))

demo: $(foreach lab,$(LAB_NAMES),$(call program,solutions,$(lab)))
	@for program in $^; do echo; [ -x $$program ] || cat $$program.log >&2; $$program --demo $(ARGS) || exit; \
	  lab=$$(basename $${program%.*}); echo "read: slides/$$lab.md, then labs/$$lab/README.md"; done

play: $(PLAY)
	@$(play_any)

profile: $(PLAY) $(PROFILE)
	@$(call profile_any,$(FILE))

view: $(PLAY) $(VIEW)
	@$(call view_any,$(FILE))

race: $(PLAY) $(RACE)
	@$(call race_any,$(FILE))

format format-check:
	@command -v clang-format >/dev/null || { echo 'make $@: no clang-format (Debian: apt-get install clang-format)' >&2; exit 2; }
	@git ls-files -z '*.[ch]' '*.cu' | xargs -0 -P $(CORES) -n 40 clang-format --style=file $(if $(filter format,$@),-i,--dry-run --Werror)

clean:
	@rm -rf $(filter-out %/progress %/class %/secret,$(wildcard $(BUILD)/*))
endif

# A command that does not exist. A missing source file is reported in make's own words, a missing list of dependencies
# not at all.
.DEFAULT:
	@$(if $(filter $@,$(MAKECMDGOALS)),sh common/make/unknown.sh $(call quote,$@) '$(MAKE_COMMAND)' $(LAB_NAMES),\
	  echo "make: *** No rule to make target '$@'." >&2; exit 2) || $(LEAVE)
%.d: ;
