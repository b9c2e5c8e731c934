# One-line errors for commands and options that do not exist or cannot be used together. Included by
# the Makefile.

# ---- the number of a lab -------------------------------------------------------------------------
# Commands that are not for a lab, although their names begin like commands for a lab.
NO_LABS := %.cu profile view race step race-pairs predicted-error
UNKNOWN := $(filter-out $(NO_LABS) $(LAB_GOALS),$(filter $(addsuffix %,$(PER_LAB)),$(GOALS)))
TWO_DIGITS := $(filter $(LAB_NUMBERS),$(foreach door,$(PER_LAB),$(patsubst $(door)%,0%,$(filter $(door)%,$(UNKNOWN)))))
BARE := $(filter lab hint change run watch sweep predict,$(UNKNOWN))
CAPITALS := $(filter $(addsuffix %,A B C D E F G H I J K L M N O P Q R S T U V W X Y Z),$(GOALS))
$(if $(CAPITALS),$(error make $(CAPITALS): commands are written in small letters, such as make lab$(FIRST); make help lists the commands))
$(if $(BARE),$(error make $(GOALS): which lab? Type make $(firstword $(BARE))$(or $(firstword $(filter $(LAB_NUMBERS),$(GOALS))),$(FIRST))))
$(if $(UNKNOWN),$(error make $(UNKNOWN): no such lab; $(if $(TWO_DIGITS),a number has two digits: $(TWO_DIGITS),choose $(LAB_NUMBERS))))

# ---- options -------------------------------------------------------------------------------------
SMALL := $(strip $(foreach word,$(filter a% b% c% d% e% f% g% h% i% j% k% l% m% n% o% p% q% r% s% t% u% v% w% x% y% z%,$(MAKEOVERRIDES)),\
  $(if $(filter command,$(origin $(firstword $(subst =, ,$(word))))),$(word))))
$(if $(SMALL),$(error make $(GOALS) $(SMALL): options are written in capitals$(comma) such as TASK=2; make help-all lists the options))

# ---- TASK: only for hints and changes ---------------------------------------------
ifeq ($(origin TASK),command line)
$(if $(filter $(foreach door,hint change,$(call lab_goals,$(door))),$(GOALS)),\
  $(if $(filter-out 1 2 3 4 5 6 7 8 9 10 11 12,$(TASK)),$(error TASK=$(TASK): a task is a number$(comma) such as TASK=2)),\
  $(error make $(GOALS) TASK=$(TASK): all tasks are checked together. For a hint about one task$(comma) type make hint$(or $(firstword $(patsubst lab%,%,$(filter lab%,$(GOALS)))),$(FIRST)) TASK=2))
endif

# ---- what a handout leaves out -------------------------------------------------------------------
NEED_SOLUTIONS := demo slides weave figures charts record test test-compilers test-bare others mutant mutants mutants-% silence silence-% \
  mutation predicted-error stated-error sanitize bench counters mark-counters reconvergence class-of-% class-list points hostile honest bent fuzz-ptx \
  fuzz-kernels same-reports implemented architecture words format format-check handout questions gradescope%
$(if $(WHOLE),,$(if $(filter $(NEED_SOLUTIONS),$(GOALS)),$(error make $(filter $(NEED_SOLUTIONS),$(GOALS)): needs the solutions, \
  the lectures or the tests$(comma) which a handout does not contain)))
$(if $(wildcard checker/intake/.),,$(if $(SUBMISSIONS),$(error make grade SUBMISSIONS=$(SUBMISSIONS): a handout grades \
  its own labs only)))

# ---- everything else -----------------------------------------------------------------------------
# For an unknown command, unknown.sh prints the command that was probably meant. For a missing
# source file, the rule prints the usual error of make. A missing dependency file (.d) is not an
# error.
.DEFAULT:
	@$(if $(filter $@,$(MAKECMDGOALS)),sh common/make/unknown.sh $(call quote,$@) '$(MAKE_COMMAND)' $(LAB_NAMES),\
	  echo "make: *** No rule to make target '$@'." >&2; exit 2) || $(LEAVE)
%.d: ;
