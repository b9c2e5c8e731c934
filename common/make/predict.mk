# make predictNN: prints the predicted times of a lab's kernels on every card, or with
# BLOCKS="64 128 256" for several block sizes on one card. emulator/timing/timing.h describes the
# model. Included by the Makefile.

# BLOCKS works for labs whose file has a line `#define BLOCK n`.
BLOCKS ?=
has_block = $(shell grep -l '^#define BLOCK ' $(call cu_file,$(LABS),$1) 2>/dev/null)
block_program = $(OUT)/predict/$(call labs_key,$(LABS))-$1-$2.$(PRECISION)
define other_block
$(call block_program,$1,$2).cu: $(call cu_file,$(LABS),$1)
	@mkdir -p $$(@D) && sed 's/^#define BLOCK .*/#define BLOCK $2/' $$< >$$@
$(call compiled,$(call block_program,$1,$2)).seen: $(call block_program,$1,$2).cu
$(call cuda_program,$(FLAVOUR),$(call block_program,$1,$2),$(call block_program,$1,$2).cu,$(PRECISION),$(call given,$(FLAVOUR),$1,$(PRECISION)) $(OUT)/libharness.a)
endef
PREDICTED := $(foreach number,$(LAB_NUMBERS),$(if $(filter predict$(number),$(GOALS)),$(call lab_name,$(number))))
ifneq ($(and $(BLOCKS),$(PREDICTED)),)
$(foreach lab,$(PREDICTED),$(if $(call has_block,$(lab)),,$(error make predict: lab $(lab) has no #define BLOCK, so BLOCKS cannot change the size of its blocks)))
$(foreach lab,$(PREDICTED),$(foreach block,$(BLOCKS),$(eval $(call other_block,$(lab),$(block)))))
endif

define predict_lab
@[ -z "$(BLOCKS)" ] || for program in $(foreach block,$(BLOCKS),$(call block_program,$1,$(block))); do \
  [ -x $$program ] || { cat $$program.log >&2; exit 2; }; done; \
{ $(MUST_COMPILE) && $(UNLESS_OPEN) && printf 'lab %s, %s, predicted by a model, not measured:\n%s\n\n' $1 $(PRECISION) '$(if $(BLOCKS),one row for each number of threads in a block$(comma) on the $(or $(CARD),h200),one row for each card)' && \
  sh common/make/measure/predict.sh "$$(for row in $(if $(BLOCKS),$(foreach block,$(BLOCKS),$(block):$(or $(CARD),h200):$(call block_program,$1,$(block))),$(foreach card,$(CARDS),$(card):$(card):$<)); do echo $$row | tr : ' '; done)" $(WITHHELD) $(ARGS); } || $(LEAVE)
endef
