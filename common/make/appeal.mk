# Defines the commands on a student's submission in a graded class, LABS=build/class/NAME/in/ID. The
# commands compile and run the file in a sandbox, like the grading of the class (appeal.sh).
# Commands that cannot use the sandbox are refused. Included by the Makefile.

SANDBOX ?= bwrap
$(call one_of,SANDBOX,bwrap none)
REFUSED := $(filter grade play $(foreach door,watch sweep predict animate,$(call lab_goals,$(door))),$(GOALS))
$(if $(REFUSED),$(error make $(REFUSED): $(LABS) is a submission, which runs in a sandbox only: type make lab01 LABS=$(LABS), or run, \
  profile or view in place of lab. To grade it again, type make grade SUBMISSIONS=... AGAIN=$(notdir $(LABS))))

# $(call appeal,COMMAND). appeal.sh reads ARGS and JSON of the command line from the environment.
appeal = @POINTS='$(POINTS)' TASK='$(TASK)' PROFILE='$(PROFILE)' VIEW='$(VIEW)' BUILD='$(BUILD)' CHECKER='$(CHECKER)' PAGE='$(VIEW_PAGE)' TITLE='$(PRECISION), $(EMULATED_DEVICE), $(strip $(COMPILER_TITLE))' \
  sh common/make/class/appeal.sh $1 $* $(call grading,$(call lab_name,$*)) $(LABS) \
  $(call cu_file,$(LABS),$(call lab_name,$*)) $(SANDBOX) || $(LEAVE)
$(call lab_goals,lab): lab%: $$(call grading,$$(call lab_name,$$*)) ; $(call appeal,lab)
$(call lab_goals,check-as-class): check-as-class%: lab%
$(call lab_goals,change): change%: $$(call grading,$$(call lab_name,$$*)) ; $(call appeal,change)
$(call lab_goals,run): run%: $$(call grading,$$(call lab_name,$$*)) ; $(call appeal,run)
$(call lab_goals,profile): profile%: $$(call grading,$$(call lab_name,$$*)) $(PROFILE) ; $(call appeal,profile)
$(call lab_goals,view): view%: $$(call grading,$$(call lab_name,$$*)) $(VIEW) ; $(call appeal,view)
