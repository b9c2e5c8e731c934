# The makefile of a class, which class.sh runs. The targets are marks/ID/NN-name.json for each
# student and lab. intake has written the list of submissions, students.mk. The file
# $(call grading,NN-name) contains the commands that grade a lab. The file is written again when the
# commands change.
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.SECONDEXPANSION:
include $(CLASS)/students.mk
source = in/$1/$(subst -,_,$(patsubst $(firstword $(subst -, ,$(notdir $1)))-%,%,$(notdir $1))).cu
grading = $(subst %,$(notdir $1),$(GRADING))

# Marks are written atomically, so make must not delete them when it is interrupted.
MARKS := $(HANDED_IN:%=$(CLASS)/marks/%.json)
.PHONY: class
.PRECIOUS: $(MARKS)
class: $(MARKS) ; @:
$(MARKS): $(CLASS)/marks/%.json: $(CLASS)/$$(call source,$$*) $$(call grading,$$*) $(CLASS)/settings
	@sh common/make/class/class_one.sh $(CLASS) $* $(LAUNCH) sh common/make/class/grade_one.sh $(call grading,$*) \
	  $(CLASS)/$(call source,$*) $(@:.json=).json $(@:.json=).txt $(SANDBOX)
