# Sets the defaults of DEVICE, CARD, CUDA_COMPILER and PRECISION, prints a one-line error for an
# invalid value, and sets the variables that depend on these four. Included by the Makefile.

CLANG ?= $(CLANG_FOUND)
NVCC ?= $(NVCC_FOUND)
# CARD=k40c: the emulated device has the properties of this card. For the commands in KEPT_BY_CARD,
# which record numbers of a GPU, CARD is any name, and the files are named after it.
KEPT_BY_CARD := bench counters mark-counters
CARD_DOORS := lab% hint% run% watch% sweep% profile% predict% view% race% step% animate% demo play grade bench
CUDA_COMPILER ?= clang
DEVICE ?= $(if $(filter play change% profile% predict% view% race race0% step step0%,$(GOALS))$(and $(CARD),$(filter-out $(KEPT_BY_CARD),$(GOALS))),emulated,$(if $(and $(GPU_FOUND),$(NVCC)),gpu,emulated))
one_of = $(if $(filter 1,$(words $($1)))$(filter-out $2,$($1)),$(if $(filter $2,$($1)),,$(error \
  $1=$($1): choose $(firstword $2) or $(lastword $2))),$(error $1=$($1): choose $(firstword $2) or $(lastword $2)))
$(call one_of,DEVICE,emulated gpu)
$(call one_of,CUDA_COMPILER,clang nvcc)
$(call one_of,PRECISION,float double)
ifneq ($(filter-out format format-check slides weave charts handout questions gradescope%,$(GOALS)),)
ifeq ($(DEVICE),gpu)
$(if $(NVCC),,$(error DEVICE=gpu: no nvcc on the PATH or in /usr/local/cuda/bin))
$(if $(GPU_FOUND),,$(error DEVICE=gpu: there is no NVIDIA GPU; DEVICE=emulated needs no GPU))
else ifeq ($(CUDA_COMPILER),nvcc)
$(if $(NVCC),,$(error CUDA_COMPILER=nvcc: no nvcc on the PATH or in /usr/local/cuda/bin))
else
$(if $(CLANG),,$(error no clang on the PATH: `make setup` installs it))
endif
$(if $(wildcard $(LABS)/.),,$(error LABS=$(LABS): no such directory))
endif
ifneq ($(CARD),)
CARD_GOALS := $(filter-out $(if $(filter gpu,$(DEVICE)),bench) counters mark-counters,$(GOALS))
ifneq ($(CARD_GOALS),)
$(if $(filter gpu,$(DEVICE)),$(error CARD=$(CARD): only the emulated device can act as different cards; leave out DEVICE=gpu))
$(if $(filter-out 1,$(words $(CARD)))$(filter-out $(CARDS),$(CARD)),$(error CARD=$(CARD): no such card; choose one of $(CARDS)))
$(if $(filter-out $(CARD_DOORS),$(CARD_GOALS)),$(error \
  CARD=$(CARD): make $(firstword $(filter-out $(CARD_DOORS),$(CARD_GOALS))) is the same for every card))
$(if $(SUBMISSIONS),$(error CARD=$(CARD): a class is always graded on the h200; leave out CARD))
export LOCKSTEP_CARD := $(CARD)
endif
endif
# The card, if it is not the default: for titles, for names of files, and for an option of the
# checker, which does not read the environment.
OTHER_CARD := $(if $(CARD_GOALS),$(filter-out h200,$(CARD)))
EMULATED_DEVICE := emulated device$(OTHER_CARD:%= as %)
GRADED_ON = $(OTHER_CARD:%=--card %)
FLAVOUR := $(if $(filter gpu,$(DEVICE)),gpu,emulated-$(CUDA_COMPILER))
FLAVOURS := $(sort emulated-clang $(FLAVOUR) $(if $(NVCC),emulated-nvcc))
OUT := $(BUILD)/$(FLAVOUR)
# $(call only_emulated,COMMANDS,REASON): an error if one of these commands is used with DEVICE=gpu.
only_emulated = $(if $(and $(filter gpu,$(DEVICE)),$(filter $1,$(GOALS))),$(error make $(filter $1,$(GOALS)): $2; leave out DEVICE=gpu))
COMPILER_TITLE = $(if $(filter gpu,$(DEVICE)),$(NVCC_TITLE),$(if $(filter nvcc,$(CUDA_COMPILER)),$(NVCC_TITLE),\
  $(if $(filter $(CLANG_FOUND),$(CLANG)),$(CLANG_TITLE),$(notdir $(CLANG)))))
