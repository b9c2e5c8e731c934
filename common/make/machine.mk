# The properties of this machine, as found by probe.sh, and the number of jobs that make starts.
# Included by the Makefile.

# As many jobs as cores, unless the command line has -j. make 4.3 does not show a makefile the -j of its command
# line, so it is read from /proc.
JOBS_GIVEN = awk 'BEGIN { RS = "\0" } /^-[BeikmnpqrRsStw]*j|^--jobs/ { print "-j" }' /proc/$$PPID/cmdline
FOUND := $(shell { [ -w $(BUILD) ] || mkdir -p $(BUILD) && [ -w $(BUILD) ]; } 2>/dev/null && echo yes $(if $(filter 0,$(MAKELEVEL)),&& $(JOBS_GIVEN)))
$(if $(FOUND),,$(if $(wildcard $(BUILD)/.),\
  $(error you may not write to $(BUILD)/: type sudo chown -R $$USER $(BUILD)),\
  $(error you may not write to this folder: copy it to your home folder, or type sudo chown -R $$USER "$(CURDIR)")))
# probe.sh runs again when the folder, PATH or the machine has changed.
-include $(BUILD)/config.mk
THIS_MACHINE := $(CURDIR) $(PATH) $(file </proc/sys/kernel/hostname)$(CUBLAS_HOME:%= %)$(if $(wildcard HANDOUT), $(file <HANDOUT))
# The file is replaced atomically, because make may run in two terminals.
PROBE = mkdir -p $(BUILD) && CUBLAS_HOME='$(CUBLAS_HOME)' sh common/make/compile/probe.sh $(call quote,$(THIS_MACHINE)) \
  >$(BUILD)/config.mk.$$$$ && mv $(BUILD)/config.mk.$$$$ $(BUILD)/config.mk
ifneq ($(PROBED_FOR),$(THIS_MACHINE))
$(shell $(PROBE))
-include $(BUILD)/config.mk
endif
$(BUILD)/config.mk: common/make/compile/probe.sh ; @$(PROBE)
# CUDA programs are compiled in COMPILED: a build with sanitizers links the objects of the usual build.
COMPILED ?= $(BUILD)
# Objects contain the path of their sources, so they are compiled again after the folder was moved.
ifneq ($(file <$(COMPILED)/tools),$(CURDIR) $(TOOLS))
$(COMPILED)/tools: FORCE
	@printf '%s\n' $(call quote,$(CURDIR) $(TOOLS)) >$@.$$$$ && mv -f $@.$$$$ $@
endif
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += $(if $(filter -j,$(FOUND)),,-j$(CORES))
endif
