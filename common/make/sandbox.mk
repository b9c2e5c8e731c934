# Rules for grading untrusted submissions. For each lab, make writes a file of shell variables with
# the commands that compile, link and grade a submission, which grade_one.sh reads. Submissions are
# graded again when this file, the checker, the device or a compiler changes. Included by the
# Makefile.

# $(call grading,NN-name): the file with the commands for a lab.
grading = $(OUT)/grading/$1.$(PRECISION).sh
OWN_NAMES := $(OUT)/grading/names
# Folders outside of /usr that the sandbox must show: the folders of compilers, and the folders that
# the modules of a cluster add to search paths.
MODULES = $(filter /%,$(subst :, ,$(LD_LIBRARY_PATH):$(LIBRARY_PATH):$(CPATH):$(C_INCLUDE_PATH):$(CPLUS_INCLUDE_PATH)))
READABLE = $(sort $(filter-out /usr/%,$(if $(CUDA_HOME),$(CUDA_HOME)) $(patsubst %/bin/,%,$(dir $(realpath $(CLANG)))) \
  $(MODULES)))
OWN_LIBRARIES = $(BUILD)/$(FLAVOUR)/libharness.a $(if $(filter gpu,$(FLAVOUR)),,$(EMULATOR))
# The libraries that submissions are linked with. They have no debug information, because it takes
# most of the linker's time and slows the search for source lines.
FOR_LINKING = $(OUT)/grading/libharness.a $(if $(filter gpu,$(FLAVOUR)),,$(OUT)/grading/libemulator.a $(OUT)/grading/record.o)
$(OUT)/grading/libharness.a: $(BUILD)/$(FLAVOUR)/libharness.a
$(OUT)/grading/libemulator.a: $(EMULATOR)
$(OUT)/grading/record.o: $(RECORDER)
$(FOR_LINKING): ; @mkdir -p $(@D) && strip --strip-debug -o $(NEW) $< $(WHEN_WHOLE)
# A random secret from which the seeds of a class are derived, so that students cannot guess them.
# The secret is written once.
SECRET := $(BUILD)/secret
$(SECRET): ; @mkdir -p $(@D) && (umask 077 && head -c 16 /dev/urandom >$(NEW)) && { ln $(NEW) $@ 2>/dev/null; rm -f $(NEW); [ -s $@ ]; }
# Extracts the labs as committed.
.PHONY: handed-out
handed-out: ; @sh common/make/class/committed.sh $(HANDED_OUT)
# $(call handed_out,NN-name): the lab's file in the handout. The marks of the lab depend on it.
handed_out = $(HANDED_OUT)/$(call cu_file,labs,$1)
$(foreach lab,$(LAB_NAMES),$(call handed_out,$(lab))): handed-out ; @:
GRADED_WITH = $(SECRET) $(CHECKER) $(FOR_LINKING) $(if $(filter gpu,$(FLAVOUR)),$(OWN_NAMES),$(CUDA_HEADERS)) $(PARSED_THERE) common/lab.h common/make/class/grade_one.sh common/make/sandbox.mk $(CUDA_RULES)
$(OWN_NAMES): $$(OWN_LIBRARIES) ; @mkdir -p $(@D) && nm -g $^ >$(NEW) 2>/dev/null $(WHEN_WHOLE)

# The precompiled headers for submissions are made in a sandbox, because clang must find the same
# paths as in the sandbox of a submission.
PARSED_THERE = $(if $(filter emulated-clang,$(FLAVOUR)),$(OUT)/grading/parsed/made)
$(OUT)/grading/parsed/made: $(CHECKER) $(CUDA_HEADERS) $(CUDA_RULES)
	@mkdir -p $(OUT)/grading && $(call in_turn,$(@D)); [ ! -e $@ ] || [ "$$(find $^ -newer $@)" ] || exit 0; \
	rm -rf $(@D) && mkdir -p $(@D)/labs $(@D)/out $(@D)/parsed && $(call include_runtime,$(@D)/parsed); \
	$(CHECKER) --sandbox=bwrap --work $(@D) --readable '$(subst $(empty) $(empty),:,$(READABLE))' --compile '$(call parse,parsed,out)' --seconds 60 \
	  --compile-log $(@D)/said 2>/dev/null && mv $(@D)/out/*.pch $(@D)/parsed; touch $@

grade_emulated-clang = $(call compile_with_clang,$1,$2,$3,$(CLANG),,parsed)
grade_emulated-nvcc = $(compile_emulated-nvcc)
# A compiler in a sandbox cannot access the GPU, so -arch=native does not work. NATIVE names the
# GPU's architecture, because otherwise the driver would compile the kernels at each start.
NATIVE = $(addprefix -arch=sm_,$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n '1s/[.]//p'))
grade_gpu = $(subst -arch=native,$(or $(NATIVE),-arch=native),$(compile_gpu)) -Xcompiler -save-temps=obj && cat $(dir $1)*.s >$1.asm

# $1: the name of the program; $2: the lab; $3: the precision
graded_from = $(call grade_$(FLAVOUR),out/$1,labs/$2/$(notdir $(call cu_file,labs,$2)),$3)
# The folders that the sandbox of the linker can read.
LINKED_WITH = $(dir $(firstword $(FOR_LINKING))) $(BUILD)/$(FLAVOUR)/given
graded_link = $(call link_$(FLAVOUR),out/$1,out/$1.o $(call at_root,$(call given,$(FLAVOUR),$2,$3) $(filter-out %/libemulator.a,$(FOR_LINKING))) \
  $(if $(filter gpu,$(FLAVOUR)),,$(WRAPPED)),$(call at_root,$(OUT)/grading/libemulator.a)) && mv out/$1.new out/$1
# The commands with which the checker compiles and links edited sources in a sandbox. Without a
# sandbox, the checker uses rebuilt_with (programs.mk).
compiled_there = $(if $(filter emulated-clang,$(FLAVOUR)),$(call compile_with_clang,"$$2","$$1","$$3",$(CLANG) -w,,parsed),$(subst \
  -arch=native,$(or $(NATIVE),-arch=native),$(call compile_$(FLAVOUR),"$$2","$$1","$$3")))
rebuilt_there = $(compiled_there) && $(call link_$(FLAVOUR),"$$2","$$2".o \
  $(call at_root,$(call given,$(FLAVOUR),$1,$$3) $(filter-out %/libemulator.a,$(FOR_LINKING))) $(WRAPPED),$(call at_root,$(OUT)/grading/libemulator.a)) && mv "$$2".new "$$2"
# The points of a lab's tasks. Weights and dates are left out, so that submissions are not graded
# again when they change.
worth = $(OUT)/grading/$1.points
define worth_rule
$(call worth,$1): $(or $(POINTS),checker/points.txt) FORCE
	@mkdir -p $$(@D) && awk '/^lab /{on=$$$$2=="$1"; if(on) print $$$$1,$$$$2,$$$$3; next} on && NF && !/^late/' $$< >$$(NEW) && \
	  { cmp -s $$(NEW) $$@ && rm $$(NEW) || mv -f $$(NEW) $$@; }
endef
$(foreach lab,$(LAB_NAMES),$(eval $(call worth_rule,$(lab))))

define grading_text
lab=$1 file=$(notdir $(call cu_file,labs,$1)) seconds=5 budget=$(if $(filter gpu,$(FLAVOUR)),300,45) compile_seconds=20
device=$(DEVICE) precision=$(PRECISION) compiler='$(strip $(COMPILER_TITLE))'
checker=$(CHECKER) points='$(or $(POINTS),checker/points.txt)' secret=$(SECRET) handout=$(HANDED_OUT)/labs names=$(if $(filter gpu,$(FLAVOUR)),$(OWN_NAMES)) gpu_lock=$(if $(filter gpu,$(FLAVOUR)),$(BUILD)/gpu) reference=$(call timed_beside,$1) readable='$(subst $(empty) $(empty),:,$(READABLE))'
parsed=$(PARSED_THERE:/made=/parsed) replay=$(call replay,$(FLAVOUR),$1,$(PRECISION)) replay_in_double=$(if $(also_double),$(call replay,$(FLAVOUR),$1,double))
compile='$(call graded_from,program,$1,$(PRECISION))' in_double='$(if $(also_double),$(call graded_from,double/program,$1,double))'
link='$(call graded_link,program,$1,$(PRECISION))' link_double='$(if $(also_double),$(call graded_link,double/program,$1,double))'
edited='$(if $(filter emulated-clang,$(FLAVOUR)),$(call edited_with,$1,parsed))' solution='$(wildcard $(call cu_file,solutions,$1))'
rebuilt='$(if $(filter gpu,$(FLAVOUR)),,$(call rebuilt_there,$1))'
linked_with='$(subst $(empty) $(empty),:,$(LINKED_WITH))'
endef
define grading_rule
$(call grading,$1): $(foreach precision,$(sort $(PRECISION) $(if $(also_double),double)),$(call given,$(FLAVOUR),$1,$(precision)) $(call replay,$(FLAVOUR),$1,$(precision))) $(call timed_beside,$1) $(call worth,$1) $(call handed_out,$1) $(GRADED_WITH)
	$$(shell mkdir -p $$(@D))$$(file >$$@.$$(OWN_NUMBER),$$(call grading_text,$1))
	@mv -f $$@.$$(OWN_NUMBER) $$@
endef
$(foreach lab,$(LAB_NAMES),$(eval $(call grading_rule,$(lab))))

# ---- hostile submissions, and honest ones that look hostile --------------------------------------
HOSTILE := $(wildcard checker/tests/hostile/*.cu checker/tests/honest/*.cu)
HOSTILE_GRADING := $(call grading,$(firstword $(LAB_NAMES)))
hostile_tests = $(foreach name,$1,'$(name)=sh checker/tests/hostile_sandbox.sh $(HOSTILE_GRADING) \
  $(filter %/$(name).cu,$(HOSTILE))')
HOSTILE_NAMES := $(basename $(notdir $(HOSTILE)))
.PHONY: hostile $(HOSTILE_NAMES:%=hostile-%)
hostile: $(HOSTILE_NAMES:%=hostile-%)
$(HOSTILE_NAMES:%=hostile-%): hostile-%: $(HOSTILE_GRADING) ; @sh common/make/tests/test.sh $(call hostile_tests,$*)
# `make test` runs a few of these submissions.
NAMED_HOSTILE = $(call hostile_tests,$(filter read-solution through-proc write-outside own-assembly own-interpreter fork-bomb ptx-zero-dimension ptx-weak-twice ptx-label-of-table \
  streams checks comparisons iostream-of-gcc-13,$(HOSTILE_NAMES)))
NAMED_HOSTILE += 'what a compiler leaves=sh checker/tests/hostile_output.sh $(HOSTILE_GRADING) $(call cu_file,solutions,$(firstword $(LAB_NAMES)))' \
  'limits without control groups=sh checker/tests/no_groups.sh $(BUILD)/tests/checker_tests_hostile_test'

# ---- solutions that are right but unusual --------------------------------------------------------
HONEST := $(wildcard checker/tests/honest/*/*.patch)
honest_of = $(filter checker/tests/honest/$1/%,$(HONEST))
honest_tests = $(foreach lab,$(LAB_NAMES),'honest $(lab)=sh checker/tests/patches.sh $(call grading,$(lab)) $(filter $(call honest_of,$(lab)),$1)')
HONEST_GRADING := $(foreach lab,$(LAB_NAMES),$(call grading,$(lab)))
.PHONY: honest
# make honest SCHEDULES=20 [LAB=03] [GRADINGS=2]: runs honest solutions and the reference solutions
# through every installed compiler, in float and in double, under SCHEDULES orders of warps and
# blocks and with small sizes. Reference solutions are graded under all these orders, the other
# solutions under GRADINGS of them (schedules.sh). After ctrl-C the same command continues.
ifneq ($(and $(WHOLE),$(SCHEDULES),$(filter honest,$(GOALS))),)
GRADINGS ?= 2
HONEST_LABS := $(if $(LAB),$(call lab_name,$(LAB)),$(LAB_NAMES))
$(if $(HONEST_LABS),,$(error make honest LAB=$(LAB): no such lab; its number is one of: $(LAB_NUMBERS)))
honest_source = $(patsubst checker/tests/%.patch,$(BUILD)/%.cu,$1)
$(call honest_source,$(HONEST)): $(BUILD)/honest/%.cu: checker/tests/honest/%.patch $$(wildcard solutions/$$(*D)/*.cu) common/make/tests/mutant.sh
	@mkdir -p $(@D) && sh common/make/tests/mutant.sh build $< >$@.new && mv $@.new $@
# $1: flavour; $2: lab; $3: source; $4: program without its precision; $5: the number of orders
# under which it is graded
define under_schedules
HONEST_RESULTS += $4.float.$(SCHEDULES).runs $4.double.$(SCHEDULES).runs
HONEST_GRADED += $4.$5.graded
$4.$5.graded: $4.float $4.double $(CHECKER)
	@sh common/make/tests/schedules.sh grade $5 $$@ $(CHECKER) --lab $2 --source $3 --program $4.float --double $4.double && echo "$$(@:$(BUILD)/%=%): $$$$(head -n 2 $$@ | paste -sd,)"
endef
define honest_programs
$(foreach precision,float double,\
  $(eval $(call cuda_program,$1,$4.$(precision),$3,$(precision),$(call given,$1,$2,$(precision)) $(BUILD)/$1/libharness.a))\
  $(eval $(call compiled,$4.$(precision)).seen: $3))
endef
$(foreach lab,$(HONEST_LABS),$(foreach flavour,$(filter emulated-%,$(FLAVOURS)),\
  $(eval $(call under_schedules,$(flavour),$(lab),$(call cu_file,solutions,$(lab)),$(BUILD)/$(flavour)/solutions/$(lab),$(SCHEDULES)))))
$(foreach lab,$(HONEST_LABS),$(foreach patch,$(call honest_of,$(lab)),$(foreach flavour,$(filter emulated-%,$(FLAVOURS)),\
  $(eval program := $(patsubst $(BUILD)/%.cu,$(BUILD)/$(flavour)/%,$(call honest_source,$(patch))))\
  $(call honest_programs,$(flavour),$(lab),$(call honest_source,$(patch)),$(program))\
  $(eval $(call under_schedules,$(flavour),$(lab),$(call honest_source,$(patch)),$(program),$(GRADINGS))))))
$(HONEST_RESULTS): %.$(SCHEDULES).runs: %
	@sh common/make/tests/schedules.sh run $(SCHEDULES) $< $@ && echo "$(@:$(BUILD)/%=%): $$(head -n 4 $@ | paste -sd,)"
honest: $(HONEST_RESULTS) $(HONEST_GRADED)
	@sh common/make/tests/schedules.sh sum $(HONEST_RESULTS); runs=$$?; sh common/make/tests/schedules.sh sum $(HONEST_GRADED) && exit $$runs
else
honest: $(HONEST_GRADING) ; @sh common/make/tests/test.sh $(call honest_tests,$(HONEST))
endif
# For each lab, `make test` grades a solution that an earlier checker gave too few points.
NAMED_HONEST = $(call honest_tests,$(filter %/host-array-texture-surface.patch %/zero-through-chosen-pointer.patch %/exchange-b-rotated.patch \
  %/four-struct-sums.patch %/tiled-char-array.patch %/bodies-8.patch,$(HONEST)))
# A wrong solution must get the same verdict in a class as with make lab01, although the replay in a
# class uses other inputs than the recorded run.
NAMED_HONEST += 'sent to the device in a class=sh checker/tests/patches.sh $(call grading,$(FIRST_LAB)) checker/mutants/$(FIRST_LAB)/sign-turned.patch'

# ---- solutions whose given part was changed ------------------------------------------------------
BENT := $(wildcard checker/tests/bent/*/*.patch)
bent_tests = $(foreach lab,$(LAB_NAMES),$(if $(filter checker/tests/bent/$(lab)/%,$1),'bent $(lab)=sh checker/tests/bent.sh $(call grading,$(lab)) $(filter checker/tests/bent/$(lab)/%,$1)'))
.PHONY: bent
bent: $(HONEST_GRADING) ; @sh common/make/tests/test.sh $(call bent_tests,$(BENT))
# `make test` grades a few solutions whose given part was changed.
NAMED_BENT = $(call bent_tests,$(filter %/body.patch %/macro.patch %/specialisation.patch %/place.patch %/dot.patch %/constants.patch,$(BENT)))
