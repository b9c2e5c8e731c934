# The dependency graph of a class: one target per student and lab, marks/ID/NN-name.json. class.sh
# runs it. students.mk is intake's list of submissions. GRADING% describes how a lab is graded, and
# is written again when that changes.
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.SECONDEXPANSION:
include $(CLASS)/students.mk
source = in/$1/$(subst -,_,$(patsubst $(firstword $(subst -, ,$(notdir $1)))-%,%,$(notdir $1))).cu
grading = $(subst %,$(notdir $1),$(GRADING))

# Marks are written atomically, as the last step, so make has no reason to remove them when it is
# interrupted.
MARKS := $(HANDED_IN:%=$(CLASS)/marks/%.json)
.PHONY: class
.PRECIOUS: $(MARKS)
class: $(MARKS) ; @:
$(MARKS): $(CLASS)/marks/%.json: $(CLASS)/$$(call source,$$*) $$(call grading,$$*) $(CLASS)/settings
	@sh common/make/class/class_one.sh $(CLASS) $* $(LAUNCH) sh common/make/class/grade_one.sh $(call grading,$*) \
	  $(CLASS)/$(call source,$*) $(@:.json=).json $(@:.json=).txt $(SANDBOX)
