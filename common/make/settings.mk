# Defines what all other makefiles need: flags of make, quoting for shells, the labs, and variables
# of the command line. Included by the Makefile before all other files.

.DELETE_ON_ERROR:
.SECONDEXPANSION:
MAKEFLAGS += --no-builtin-rules --no-print-directory
GOALS := $(or $(MAKECMDGOALS),help)
empty :=
comma := ,

# ---- paths ---------------------------------------------------------------------------------------
# The workbook's folder may have any name, such as "Мои файлы/lab (1) & more". Therefore all paths
# are relative to this folder, and its own path is quoted for the shell.
# $(call quote,TEXT): TEXT quoted as one word for a shell.
quote = '$(subst ','\'',$1)'
# $(call from_here,PATHS): the paths relative to the workbook's folder, if they are in it.
from_here = $(patsubst :%,%,$(subst :$(CURDIR)/,,:$(subst $(empty) $(CURDIR)/, ,$1)))
# $(call from_root,PATH): the absolute path.
from_root = $(if $(filter /%,$(firstword $1)),$1,$(CURDIR)/$1)
BUILD ?= build
override BUILD := $(call from_here,$(BUILD))
export BUILD # the scripts use this variable
LABS ?= labs
override LABS := $(patsubst %/,%,$(call from_here,$(LABS)))
# HANDED_IN is not empty if LABS is a submission in a graded class, which has roster.json two
# folders above. In this case POINTS is the file of points of that grading.
HANDED_IN := $(wildcard $(LABS)/../../roster.json)
ifneq ($(HANDED_IN),)
POINTS ?= $(firstword $(wildcard $(dir $(patsubst %/,%,$(dir $(LABS))))points.txt $(LABS)/../../points.txt))
endif
PRECISION ?= float

# ---- the labs: found, not listed -----------------------------------------------------------------
# The folder 01-naive is lab 01, and its CUDA file is $(LABS)/01-naive/naive.cu.
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
# The cards whose properties the emulated device can have.
CARDS = $(shell sed -n 's/^DEVICE.\(.*\),$$/\1/p' common/emulator/devices.def)

# ---- recipes -------------------------------------------------------------------------------------
# COMMAND || $(LEAVE): if the command ends with status 1, make ends without its own error message.
LEAVE = { set -- $$? $$PPID; . common/make/leave.sh; }
# $(call counted,N,FILES): prints a line before every Nth of these files is made.
counted = $(eval each :=)$(eval all :=)$(foreach file,$2,$(eval each += x)$(eval all += x)$(if $(filter $1,$(words $(each))),\
  $(eval each :=)$(eval $(file): | file-$(words $(all)))$(eval file-$(words $(all)): ; @echo '  $(words $(all)) of $(words $2) files' >&2)))
