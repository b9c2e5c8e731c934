# Writes build/compile_commands.json, the compiler's command line for each source. clangd and
# editors that use clangd find the file themselves, and then accept kernels, threadIdx and `real`
# without a CUDA toolkit. The file is written again when build/config.mk is written again, for
# example after the folder was moved, and when a source is added or removed.

EDITED_CUDA := $(foreach labs,$(sort labs solutions $(LABS)),$(wildcard $(labs)/[0-9][0-9]-*/*.cu)) \
  $(wildcard common/*/tests/*/*.cu common/emulator/more/tests/*/*.cu)
EDITED_C := $(wildcard common/*/*.c common/emulator/*/*.c common/emulator/more/libraries/*.c common/*/tests/*.c checker/*.c checker/*/*.c labs/*/lab.c)
EDITED := $(sort $(EDITED_CUDA) $(EDITED_C))
COMMANDS := $(BUILD)/compile_commands.json

# clangd compiles each file once, as host code, which also contains the kernels.
command_cu = $(CLANG_FLAGS) --cuda-host-only
command_c = $(C_FLAGS) $(EMULATED_HEADERS) -Ichecker -DREAL=float
define command

 {"directory": "$(subst ",\",$(subst \,\\,$(CURDIR)))", "file": "$1", "command": "clang $(strip $(call command_$(subst .,,$(suffix $1)),,,float)) -c $1"}
endef
$(COMMANDS): $(BUILD)/config.mk $(wildcard common/make/c.mk common/make/cuda.mk common/make/editor.mk) $(sort $(dir $(EDITED)))
	@$(file >$@.$(OWN_NUMBER),[$(call command,$(firstword $(EDITED)))$(foreach file,$(wordlist 2,10000,$(EDITED)),$(comma)$(call command,$(file)))])mv -f $@.$(OWN_NUMBER) $@

$(filter progress setup play $(foreach door,lab run hint watch profile view race step,$(door)%),$(GOALS)): | $(COMMANDS)
