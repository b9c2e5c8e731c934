# Rules for the programs of the labs, and the options and files that the checker needs for them.
# Included by the Makefile.

# Recipes that run the program $< begin with this command. The command prints the messages of the
# compiler and fails if there is no program.
MUST_COMPILE = [ -x $< ] || { cat $<.log >&2; false; }

# The program of a lab consists of the student's file, the lab's given part and the harness. The
# given part is lab.c and the kernels in beyond/.
# $(call given,FLAVOUR,NN-name,PRECISION): the objects of the given part.
# $(call lab_program,FLAVOUR,LABS,NN-name,PRECISION): the rules of the program.
given_kernels = $(patsubst labs/$2/beyond/%.cu,$(BUILD)/$1/given/$2-%.$3.o,$(wildcard labs/$2/beyond/*.cu))
given = $(BUILD)/$1/given/$2.$3.o $(given_kernels)
define lab_program
$(call cuda_program,$1,$(BUILD)/$1/$(call labs_key,$2)/$3.$4,$(call cu_file,$2,$3),$4,$(call given,$1,$3,$4) $(BUILD)/$1/libharness.a)
endef
# $(call replay,FLAVOUR,NN-name,PRECISION): a program without the student's file, which repeats the
# runtime calls in a transcript.
replay = $(if $(filter gpu,$1),,$(BUILD)/$1/replay/$2.$3)
define given_part
$(BUILD)/$1/given/$2.$3.o: HEADERS = $(HEADERS_$1) -DREAL=$3
$(BUILD)/$1/given/$2.$3.o: labs/$2/lab.c $(C_RULES) ; $$(COMPILE_C)
-include $(BUILD)/$1/given/$2.$3.d
$(BUILD)/$1/replay/$2.$3.o: HEADERS = $(HEADERS_$1) -DREAL=$3 -DLOCKSTEP_REPLAY
$(BUILD)/$1/replay/$2.$3.o: labs/$2/lab.c $(C_RULES) ; $$(COMPILE_C)
-include $(BUILD)/$1/replay/$2.$3.d
$(BUILD)/$1/replay/$2.$3: $(BUILD)/$1/replay/$2.$3.o $(filter-out %/$2.$3.o,$(call given,$1,$2,$3)) $(REPLAYER) $(BUILD)/$1/libharness.a $(EMULATOR)
	@mkdir -p $$(@D) && $$(CC) $$(LINK_FLAGS) -o $$(NEW) $$^ $$(LIBRARIES) -Wl,--as-needed -lstdc++ $$(WHEN_WHOLE)
$(given_kernels): $(BUILD)/$1/given/$2-%.$3.o: labs/$2/beyond/%.cu $(wildcard labs/$2/beyond/*.h) common/lab.h $(CUDA_HEADERS) $(call parsed_for,$1) $(CUDA_RULES)
	@mkdir -p $$(@D) && { $$(call in_turn,$$(@:.o=)); $$(call compile_$1,$$(@:.o=),$$<,$3); }
endef
$(foreach flavour,$(FLAVOURS),$(foreach lab,$(LAB_NAMES),$(foreach precision,float double,\
  $(eval $(call given_part,$(flavour),$(lab),$(precision)))\
  $(foreach labs,$(sort labs solutions $(LABS)),\
    $(eval $(call lab_program,$(flavour),$(labs),$(lab),$(precision)))))))

# Shell commands with which the checker compiles an edited source "$1" in precision "$3"
# (checker/change/trial.c). $(call edited_with,LAB,PARSED) writes the PTX "$2", and
# $(call rebuilt_with,LAB) writes the program "$2".
edited_with = $(CLANG) $(filter-out -DREAL=% -Wall,$(CLANG_OPTIONS)) -w -DREAL="$$3" -Ilabs/$1 -include $2/device.h \
  $(CLANG_device_SIDE) -g0 "$$1" -o "$$2" && sed -i -f common/make/compile/clang.sed "$$2"
rebuilt_with = $(if $(filter emulated-clang,$(FLAVOUR)),$(call compile_with_clang,"$$2","$$1","$$3",$(CLANG) -w -Ilabs/$1,,$(PARSED)),$(call compile_$(FLAVOUR),"$$2","$$1","$$3")) && \
  $(call link_$(FLAVOUR),"$$2","$$2".o $(call given,$(FLAVOUR),$1,$$3) $(BUILD)/$(FLAVOUR)/libharness.a) && mv "$$2".new "$$2"
# The option for the solution, if the workbook has it. The checker tries edits towards it first.
solution_of = $(addprefix --solution ,$(wildcard $(call cu_file,solutions,$1)))
WITH_CHANGES = --edited '$(call edited_with,$1,$(PARSED))' --rebuilt '$(call rebuilt_with,$1)' $(call solution_of,$1)

# The checker compares given code with the committed file, which is extracted again when HEAD has
# moved. Without git, given code is not compared.
HANDED_OUT := $(BUILD)/handout
COMMITTED := $(if $(wildcard .git),$(HANDED_OUT)/commit)
$(HANDED_OUT)/commit: $(or $(wildcard .git/logs/HEAD),FORCE) ; @sh common/make/class/committed.sh $(HANDED_OUT) quiet 2>/dev/null || :
WITH_HANDOUT = $(if $(COMMITTED),$$([ ! -e $(COMMITTED) ] || echo --handout $(HANDED_OUT)/$(call cu_file,labs,$1)) --rebuilt '$(call rebuilt_with,$1)')

# On a GPU the checker measures the times of the student's program and of the reference solution
# alternately, if the workbook has the solution.
timed_beside = $(if $(and $(filter gpu,$(DEVICE)),$(wildcard $(call cu_file,solutions,$1))),$(call program,solutions,$1))
REFERENCE = $(addprefix --reference ,$(call timed_beside,$1))

# ---- make grade: a file of marks for each lab, made again when its program changes ---------------
GRADE_OUT := $(OUT)/grade/$(call labs_key,$(LABS)).$(PRECISION)$(OTHER_CARD:%=.%)
GRADES := $(foreach lab,$(LAB_NAMES),$(GRADE_OUT)/$(lab).json)
# $(call check,LAB): the command that checks the program $< of a lab.
check = $(CHECKER) $(POINTS:%=--points %) --lab $1 --source $(call cu_file,$(LABS),$1) --program $< --device $(DEVICE) $(GRADED_ON) \
  --precision $(PRECISION) --compiler '$(COMPILER_TITLE)' --labs $(LABS) $(call REFERENCE,$1) $(call IN_DOUBLE,$(LABS),$1) \
  $(call WITH_HANDOUT,$1) $$([ -x $< ] || echo --compile-log $<.log)
$(GRADES): $(GRADE_OUT)/%.json: $$(call program,$(LABS),$$*) $$(call in_double,$(LABS),$$*) $(CHECKER) $$(call timed_beside,$$*) | $(COMMITTED)
	@mkdir -p $(@D) && { $(call check,$*) --plain --json $(NEW) >$(NEW).txt || [ $$? = 1 ]; } && \
	  mv -f $(NEW).txt $(@:.json=.txt) && mv -f $(NEW) $@ || { rm -f $(NEW) $(NEW).txt $@; exit 2; }
