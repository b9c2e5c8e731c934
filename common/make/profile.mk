# make profileNN and make profile FILE=any.cu: run a program once on the emulated device, and print
# its counters for each source line. Included by the Makefile.
$(call only_emulated,profile%,only the emulated device makes a profile)

$(eval $(call tool,PROFILE,profile,profile,$(EMULATOR)))

# $(call show_profile,SOURCE,NEXT COMMAND): prints the profile of the recording, if there is one.
# JSON=file also writes the data to a file.
RECORD = rm -f $<.recording; LOCKSTEP_LOG=$<.recording
show_profile = $(PROFILE) --source $1 $(if $2,--next '$2') $(if $(JSON),--json '$(JSON)') \
  --title 'profile of $1, $(PRECISION), $(EMULATED_DEVICE), $(strip $(COMPILER_TITLE))' $<.recording

# Succeeds if the program ended without launching a kernel, as with --help. The output of a lab's
# program is printed only in this case.
SAID_ALL = grep -q '"event":"end"' $<.recording && ! grep -q '"event":"kernel"' $<.recording
# Prints a message instead of counters, if all counters answer open predictions.
UNLESS_OPEN = $(WITHHOLD) && if [ "$$held" = all ]; then \
  echo 'lab $*: first write your predictions (`make lab$*` lists them) into'; \
  echo '  $(call cu_file,$(LABS),$(call lab_name,$*))'; echo 'This command would show the right answers.'; exit 0; fi
define profile_lab
{ $(MUST_COMPILE) && $(UNLESS_OPEN) && { $(RECORD) LOCKSTEP_QUIET=1 $< --no-check --repeats 1 $(WITHHELD) $(ARGS) >$<.said; [ $$? != 2 ] || exit 2; } && \
  if $(SAID_ALL); then cat $<.said; else $(call show_profile,$1,$2); fi; } || $(LEAVE)
endef
define profile_any
{ $(MUST_COMPILE) && { $(RECORD) $< $(ARGS); [ -e $<.recording ] || { echo '$1: the program did not use the device' >&2; exit 2; }; } && \
  echo && $(call show_profile,$(firstword $(filter %.cu,$1)),); } || $(LEAVE)
endef
