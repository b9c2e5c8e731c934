# Reads the compilers and libraries that probe.sh has found on this machine, and sets the number of
# jobs of make. Included by the Makefile.

# make starts a job for each core, unless the command line has -j. make 4.3 does not pass -j of its
# command line to the makefile, so JOBS_GIVEN reads it from /proc. FOUND is empty if the build
# folder is not writable, otherwise "yes", followed by -j if the command line has it.
JOBS_GIVEN = awk 'BEGIN { RS = "\0" } /^-[BeikmnpqrRsStw]*j|^--jobs/ { print "-j" }' /proc/$$PPID/cmdline
FOUND := $(shell { [ -w $(BUILD) ] || mkdir -p $(BUILD) && [ -w $(BUILD) ]; } 2>/dev/null && echo yes $(if $(filter 0,$(MAKELEVEL)),&& $(JOBS_GIVEN)))
$(if $(FOUND),,$(if $(wildcard $(BUILD)/.),\
  $(error you may not write to $(BUILD)/: type sudo chown -R $$USER $(BUILD)),\
  $(error you may not write to this folder: copy it to your home folder, or type sudo chown -R $$USER "$(CURDIR)")))
# probe.sh runs again when the workbook's folder, PATH or the machine has changed.
-include $(BUILD)/config.mk
THIS_MACHINE := $(CURDIR) $(PATH) $(file </proc/sys/kernel/hostname)$(CUBLAS_HOME:%= %)$(if $(wildcard HANDOUT), $(file <HANDOUT))
# The file is replaced atomically, because two makes may run at the same time.
PROBE = mkdir -p $(BUILD) && CUBLAS_HOME='$(CUBLAS_HOME)' sh common/make/compile/probe.sh $(call quote,$(THIS_MACHINE)) \
  >$(BUILD)/config.mk.$$$$ && mv $(BUILD)/config.mk.$$$$ $(BUILD)/config.mk
ifneq ($(PROBED_FOR),$(THIS_MACHINE))
$(shell $(PROBE))
-include $(BUILD)/config.mk
endif
$(BUILD)/config.mk: common/make/compile/probe.sh ; @$(PROBE)
# CUDA programs are compiled in COMPILED. A build with sanitizers sets it to the usual build folder,
# and links the objects there.
COMPILED ?= $(BUILD)
# Objects contain the absolute path of their sources. They depend on `tools`, so they are compiled
# again after the folder was moved.
ifneq ($(file <$(COMPILED)/tools),$(CURDIR) $(TOOLS))
$(COMPILED)/tools: FORCE
	@printf '%s\n' $(call quote,$(CURDIR) $(TOOLS)) >$@.$$$$ && mv -f $@.$$$$ $@
endif
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += $(if $(filter -j,$(FOUND)),,-j$(CORES))
endif
