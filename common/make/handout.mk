# What others get of the workbook: the students' archive. Included by the Makefile.

NEED_SOLUTIONS := demo slides weave figures charts record test test-compilers mutants mutants-% silence silence-% sanitize \
  bench counters mark-counters class-of-% fuzz implemented format format-check handout
$(if $(WHOLE),,$(if $(filter $(NEED_SOLUTIONS),$(GOALS)),$(error make $(filter $(NEED_SOLUTIONS),$(GOALS)): needs what a \
  handout leaves out: the solutions, the lectures or the tests)))

# ONLY="01 02": these labs.
ONLY ?= $(LAB_NUMBERS)
$(if $(filter handout,$(GOALS)),$(if $(filter-out $(LAB_NUMBERS),$(ONLY)),$(error ONLY=$(ONLY): no lab $(filter-out $(LAB_NUMBERS),$(ONLY)); \
  there are $(LAB_NUMBERS))))
.PHONY: handout
handout:
	@mkdir -p $(BUILD) && sh common/make/handout.sh handout $(BUILD)/lockstep-handout.tar.gz $(foreach lab,$(sort $(ONLY)),$(call lab_name,$(lab)))
