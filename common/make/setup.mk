# make setup: installs programs, which changes the output of probe.sh. Therefore other commands, as
# in `make setup demo`, run afterwards in another make. Included by the Makefile instead of all
# other rules.

OTHER_GOALS := $(filter-out setup setup-libraries,$(GOALS))
.PHONY: $(GOALS) after_setup
setup-libraries: ; @sh common/make/compile/setup.sh libraries && rm -f $(BUILD)/config.mk
setup:
	@sh common/make/compile/setup.sh && rm -f $(BUILD)/config.mk && $(MAKE) $(BUILD)/compile_commands.json
ifneq ($(OTHER_GOALS),)
$(OTHER_GOALS): after_setup ; @:
after_setup: $(filter setup setup-libraries,$(GOALS))
	@$(MAKE) -j"$$(getconf _NPROCESSORS_ONLN)" $(OTHER_GOALS) || $(LEAVE)
endif
