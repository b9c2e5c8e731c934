# The recipes of the commands that end with the number of a lab. The Makefile lists the commands and
# includes this file. In each recipe, $* is the number and $< is the program of the lab.

ITS_NAME = $(call lab_name,$*)
ITS_FILE = $(call cu_file,$(LABS),$(ITS_NAME))
# The prerequisites of the commands for a lab. Secondary expansion sets $* to the number.
ITS_PROGRAM = $(call program,$(LABS),$(ITS_NAME))
ITS_DOUBLE = $(call in_double,$(LABS),$(ITS_NAME))
ITS_MARKS = $(GRADE_OUT)/$(ITS_NAME).json

# If the source does not compile, the checker reads the log of the compiler, and gives a verdict.
check_lab = $(call check,$(ITS_NAME)) $(ARGS) || $(LEAVE)

# Grades the lab in a sandbox, like a submission in a class.
AS_CLASS = $(OUT)/as-class/$*
check_as_class = mkdir -p $(OUT)/as-class && sh common/make/class/grade_one.sh $< $(ITS_FILE) $(AS_CLASS).json $(AS_CLASS).txt \
  $(or $(SANDBOX),bwrap) && cat $(AS_CLASS).txt

# Sets the shell variable `held`, which says for which kernels the program must not print counters,
# because they answer an open prediction: none (empty), all ("all"), or variants with this prefix.
WITHHOLD = held=$(if $(filter emulated,$(DEVICE)),$$($(CHECKER) --withheld --precision $(PRECISION) --lab $(ITS_NAME) --source $(ITS_FILE)))
WITHHELD = $${held:+--withhold $$held}

run_lab = { $(MUST_COMPILE) && $(WITHHOLD) && $< $(WITHHELD) $(ARGS); } || $(LEAVE)

# Searches for a change of the student's file with which the task passes, and prints it.
CHANGES_ARE_TRIED = $(if $(filter emulated-clang,$(FLAVOUR)),,$(error make $@: changes are tried on the emulated device only, \
  compiled by clang: add DEVICE=emulated CUDA_COMPILER=clang))
change_lab = $(CHANGES_ARE_TRIED)$(CHECKER) --change $(TASK:%=--task=%) --lab $(ITS_NAME) --source $(ITS_FILE) --program $< \
  --precision $(PRECISION) --labs $(LABS) $(call WITH_CHANGES,$(ITS_NAME)) $(call IN_DOUBLE,$(LABS),$(ITS_NAME)) \
  $$([ -x $< ] || echo --compile-log $<.log) || $(LEAVE)

# The last hint is a change with which the task passes. If the checker ends with status 3, another
# make runs the command `change`. The other make is started as MAKE_COMMAND, because make -n runs
# recipe lines with $(MAKE).
last_hint = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE_COMMAND) change$* BUILD='$(BUILD)' LABS='$(LABS)' $(TASK:%=TASK=%) \
  PRECISION=$(PRECISION) DEVICE=emulated CUDA_COMPILER=clang
hint_lab = $(CHECKER) --hint --lab $(ITS_NAME) --labs $(LABS) $(TASK:%=--task=%) $(HANDED_IN:%=--sandbox=bwrap) \
  --source $(ITS_FILE) || case $$? in \
  3) echo 'You have seen all hints. Now the checker tries changes of your code until the' >&2; \
    echo 'task passes. This takes a minute or two.' >&2; $(last_hint);; \
  *) exit 2;; esac

watch_lab = sh common/make/compile/watch.sh $(ITS_FILE) $(MAKE) lab$*

# The CSV file and the plot of a sweep are stored in build/sweep. After ctrl-C the same command
# continues the sweep. If the program has changed, the sweep starts again.
SWEPT = $(BUILD)/sweep/$(call labs_key,$(LABS))-$(ITS_NAME).$(PRECISION)$(if $(filter gpu,$(DEVICE)),.gpu)$(OTHER_CARD:%=.%)
sweep_lab = mkdir -p $(BUILD)/sweep && { [ $(SWEPT).csv -nt $< ] || rm -f $(SWEPT).csv; } && { $(MUST_COMPILE) && $(WITHHOLD) && \
  LOCKSTEP_QUIET=1 $< $(WITHHELD) --sweep 16:256:16 --csv $(SWEPT).csv --plot $(SWEPT).svg $(ARGS); } || $(LEAVE)

animate_lab = { $(MUST_COMPILE) && sh common/make/pictures/animate.sh $< $(VIEW_PAGE:.html=.gif) $(ARGS); } || $(LEAVE)

# ---- all labs ------------------------------------------------------------------------------------
collect_marks = $(CHECKER) --collect --labs $(LABS) --json $(GRADE_OUT).json --xml $(GRADE_OUT).xml $(GRADES) || $(LEAVE)

show_solutions = for program in $^; do echo; [ -x $$program ] || cat $$program.log >&2; $$program --demo $(ARGS) || exit; \
  lab=$$(basename $${program%.*}); echo "read: slides/$$lab.md, then labs/$$lab/README.md"; done
