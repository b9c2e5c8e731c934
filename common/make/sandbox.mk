# How a stranger's lab is compiled, linked and graded: one small file for each lab, which grade_one.sh
# reads. It changes, and with it what is to be graded again, when the checker, the device or a compiler does.

# $(call grading,NN-name)
grading = $(OUT)/grading/$1.$(PRECISION).sh
# Compilers outside of /usr.
READABLE = $(filter-out /usr/%,$(if $(CUDA_HOME),$(CUDA_HOME)) $(patsubst %/bin/,%,$(dir $(realpath $(CLANG)))))
empty :=
GRADED_WITH = $(CHECKER) $(BUILD)/$(FLAVOUR)/libharness.a $(if $(filter gpu,$(FLAVOUR)),,$(EMULATOR) $(CUDA_HEADERS)) \
  common/lab.h common/make/grade_one.sh common/make/sandbox.mk $(STALE)
define grading_text
lab=$1 file=$(notdir $(call cu_file,labs,$1))
device=$(DEVICE) precision=$(PRECISION) compiler='$(strip $(COMPILER_TITLE))'
checker=$(CHECKER) readable='$(subst $(empty) $(empty),:,$(strip $(READABLE)))'
compile='$(call compile_$(FLAVOUR),out/program,labs/$1/$(notdir $(call cu_file,labs,$1)),$(PRECISION))'
link() { $(call link_$(FLAVOUR),"$$work/out/program",$(call given,$(FLAVOUR),$1,$(PRECISION)) $(BUILD)/$(FLAVOUR)/libharness.a); }
endef
define grading_rule
$(call grading,$1): $(call given,$(FLAVOUR),$1,$(PRECISION)) $(GRADED_WITH)
	$$(shell mkdir -p $$(@D))$$(file >$$@.new,$$(call grading_text,$1))
	@mv $$@.new $$@
endef
$(foreach lab,$(LAB_NAMES),$(eval $(call grading_rule,$(lab))))
