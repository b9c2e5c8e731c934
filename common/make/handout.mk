# Archives of the workbook: the students' handout, and an autograder for Gradescope. Included by the
# Makefile.

# ONLY="01 02": only these labs are handed out or graded.
ONLY ?= $(LAB_NUMBERS)
CHOSEN = $(foreach lab,$(sort $(ONLY)),$(call lab_name,$(lab)))
$(if $(filter handout,$(GOALS))$(SUBMISSIONS),$(if $(filter-out $(LAB_NUMBERS),$(ONLY)),$(error ONLY=$(ONLY): no lab $(filter-out $(LAB_NUMBERS),$(ONLY)); \
  there are $(LAB_NUMBERS))))
.PHONY: handout questions
$(if $(SEED),$(if $(filter handout gradescope%,$(GOALS)),$(error make $(GOALS) SEED=$(SEED): type make questions SEED=$(SEED) first$(comma) \
  commit the labs$(comma) then make $(GOALS))))
questions: ; @sh common/make/class/questions.sh '$(SEED)' labs || $(LEAVE)
handout:
	@mkdir -p $(BUILD) && sh common/make/class/handout.sh handout $(BUILD)/lockstep-handout.tar.gz $(CHOSEN)

$(call lab_goals,gradescope): gradescope%:
	@mkdir -p $(BUILD) && sh common/make/class/handout.sh gradescope $(BUILD)/lockstep-gradescope-$*.zip $(call lab_name,$*)

# make test-bare ROOT=folder: tests the archives on a minimal Debian in this folder (bare_root.sh).
# The test needs root and a network.
.PHONY: test-bare
test-bare: ; @sh checker/tests/bare_root.sh $(ROOT)
# Builds the programs for grading before the tests run, so that no two tests build the same file.
test: $(INTAKE) $(foreach lab,$(LAB_NAMES),$(call grading,$(lab)))
