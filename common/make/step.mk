# make step02 and make step FILE=any.cu: serve a page on which the user steps through a kernel.
# Included by the Makefile.
$(call only_emulated,step step0% step1%,only the emulated device runs step by step)

$(eval $(call tool,STEP,step,stepper,$(LIBRACE) $(LIBDRAW) $(LIBPROFILE) $(EMULATOR)))
$(STEP): private TOOL_LIBRARIES += -lmicrohttpd
$(filter %/assets.o,$(STEP_OBJECTS)): $(wildcard common/step/*.html common/step/*.css common/step/*.js)

# libmicrohttpd may be missing, because earlier versions of make setup did not install it.
ifneq ($(filter step step0% step1%,$(GOALS)),)
$(if $(shell printf '\043include <microhttpd.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes),,$(error \
  make $(filter step%,$(GOALS)): libmicrohttpd is missing: type make setup, which installs the library))
endif

# $(call step_through,TITLE,SOURCE,COMMAND,MORE OPTIONS): the command that serves the page.
step_through = $(STEP) --title '$1' --source $2 --command '$3' $4
define step_lab
{ $(MUST_COMPILE) && $(WITHHOLD) && $(call step_through,step$*: $(call cu_file,$(LABS),$(call lab_name,$*)),$(call cu_file,$(LABS),$(call lab_name,$*)),make step$*$(THESE_LABS)$(THESE_ARGS),--gold $${held:+--withheld} \
  $(if $(ARGS),,--usual '--size 64' --marks $(GRADE_OUT)/$(call lab_name,$*).json)) $< --repeats 1 $(ARGS); } || $(LEAVE)
endef
define step_any
{ $(MUST_COMPILE) && $(call step_through,step: $1,$(firstword $(filter %.cu,$1)),make step FILE=$1$(THESE_ARGS),) $< $(ARGS); } || $(LEAVE)
endef

test: $(STEP)
