# Definitions that all other files of rules use: how make runs, quoting for shells, the labs, the
# variables of the command line. Included first by the Makefile.

.DELETE_ON_ERROR:
.SECONDEXPANSION:
MAKEFLAGS += --no-builtin-rules --no-print-directory
GOALS := $(or $(MAKECMDGOALS),help)
empty :=
comma := ,

# ---- paths ---------------------------------------------------------------------------------------
# The workbook's folder may have any name: "Мои файлы/lab (1) & more". So all paths are relative to it, and its own
# path is quoted wherever a shell reads it.
# $(call quote,TEXT): one word for a shell, whatever characters TEXT has.
quote = '$(subst ','\'',$1)'
# $(call from_here,PATHS): PATHS without the workbook's own path at their beginning.
from_here = $(patsubst :%,%,$(subst :$(CURDIR)/,,:$(subst $(empty) $(CURDIR)/, ,$1)))
# $(call from_root,PATH): PATH for a program that runs in another folder.
from_root = $(if $(filter /%,$(firstword $1)),$1,$(CURDIR)/$1)
BUILD ?= build
override BUILD := $(call from_here,$(BUILD))
export BUILD # scripts read it
LABS ?= labs
override LABS := $(patsubst %/,%,$(call from_here,$(LABS)))
# LABS of a graded class: the folder has a roster beside it, and the points of that grading are
# used.
HANDED_IN := $(wildcard $(LABS)/../../roster.json)
ifneq ($(HANDED_IN),)
POINTS ?= $(firstword $(wildcard $(dir $(patsubst %/,%,$(dir $(LABS))))points.txt $(LABS)/../../points.txt))
endif
PRECISION ?= float

# ---- the labs: found, not listed -----------------------------------------------------------------
# 01-naive is lab 01; its CUDA file is $(LABS)/01-naive/naive.cu.
LAB_NAMES := $(notdir $(wildcard labs/[0-9][0-9]-*))
LAB_NUMBERS := $(foreach lab,$(LAB_NAMES),$(firstword $(subst -, ,$(lab))))
FIRST = $(or $(firstword $(LAB_NUMBERS)),01)
lab_name = $(filter $1-%,$(LAB_NAMES))
cu_file = $1/$2/$(subst -,_,$(patsubst $(firstword $(subst -, ,$2))-%,%,$2)).cu
labs_key = $(if $(filter labs solutions,$1),$1,$(subst /,_,$1))
program = $(OUT)/$(call labs_key,$1)/$2.$(PRECISION)
# The commands that end with the number of a lab.
PER_LAB := lab check-as-class hint change run watch sweep profile predict view race step gradescope
lab_goals = $(addprefix $1,$(LAB_NUMBERS))
LAB_GOALS := $(foreach door,$(PER_LAB),$(call lab_goals,$(door)))
MOVING := $(filter 06,$(LAB_NUMBERS))# the lab that make animate06 draws
WHOLE := $(wildcard solutions/.)# empty in a handout, which has no solutions
# The cards that the emulated device can be.
CARDS = $(shell sed -n 's/^DEVICE.\(.*\),$$/\1/p' common/emulator/devices.def)

# ---- recipes -------------------------------------------------------------------------------------
# COMMAND || $(LEAVE): a status of 1 ends make without a word, because the command has said everything.
LEAVE = { set -- $$? $$PPID; . common/make/leave.sh; }
# $(call counted,N,FILES): prints a line at every Nth of FILES.
counted = $(eval each :=)$(eval all :=)$(foreach file,$2,$(eval each += x)$(eval all += x)$(if $(filter $1,$(words $(each))),\
  $(eval each :=)$(eval $(file): | file-$(words $(all)))$(eval file-$(words $(all)): ; @echo '  $(words $(all)) of $(words $2) files' >&2)))
