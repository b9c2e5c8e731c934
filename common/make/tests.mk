# The tests of the workbook itself, the fuzzer and the bench. Included by the Makefile; every tests/*_test.c
# and every tests/programs/*.cu is found by itself. test.sh says how they run and what a program's
# comments may expect.

EMULATED := $(filter emulated-%,$(if $(NVCC),$(FLAVOURS),emulated-clang))
HOST_LIBRARIES := $(BUILD)/emulated-clang/libharness.a $(EMULATOR)
path_name = $(subst /,_,$(basename $1))

# ---- unit tests in C -------------------------------------------------------------------------------
UNIT_TESTS := $(wildcard common/*/tests/*_test.c checker/tests/*_test.c)
$(foreach test,$(UNIT_TESTS),$(eval $(BUILD)/tests/$(call path_name,$(test)).o: $(test)))
UNIT_PROGRAMS := $(foreach test,$(UNIT_TESTS),$(BUILD)/tests/$(call path_name,$(test)))
$(UNIT_PROGRAMS:=.o): HEADERS := $(EMULATED_HEADERS) -Ichecker -Wno-missing-prototypes
$(UNIT_PROGRAMS:=.o): $(STALE) ; $(COMPILE_C)
$(UNIT_PROGRAMS): %: %.o $(filter-out %/main.o,$(CHECKER_OBJECTS)) $(HOST_LIBRARIES)
	@$(CC) $(C_FLAGS) -o $@ $^ -lcmocka $(LIBRARIES)
-include $(UNIT_PROGRAMS:=.d)

# ---- CUDA programs, through each front end ---------------------------------------------------------
CUDA_TESTS := $(wildcard common/emulator/tests/programs/*.cu)
test_program = $(BUILD)/$1/tests/$(notdir $(basename $2))
CUDA_TEST_PROGRAMS := $(foreach flavour,$(EMULATED),$(foreach test,$(CUDA_TESTS),\
  $(call test_program,$(flavour),$(test))))
$(foreach flavour,$(EMULATED),$(foreach test,$(CUDA_TESTS),\
  $(eval $(call cuda_program,$(flavour),$(call test_program,$(flavour),$(test)),$(test),float,))))
LADDERS = $(foreach flavour,$(EMULATED),$(call test_program,$(flavour),ladder.cu))

# ---- all of them -----------------------------------------------------------------------------------
.PHONY: test bench fuzz
NAMED_UNITS = $(foreach test,$(UNIT_TESTS),$(patsubst %_test.c,%,$(test))=$(BUILD)/tests/$(call path_name,$(test)))
NAMED_PROGRAMS = $(foreach flavour,$(EMULATED),$(foreach test,$(CUDA_TESTS),\
  $(notdir $(basename $(test)))/$(flavour:emulated-%=%):$(test)=$(call test_program,$(flavour),$(test))))
test: $(UNIT_PROGRAMS) $(CUDA_TEST_PROGRAMS)
	@sh common/make/test.sh $(foreach test,$(NAMED_UNITS),'$(test)$(if $(filter %/counters,$(firstword $(subst =, ,$(test)))), $(LADDERS))') $(NAMED_PROGRAMS)

BENCH := $(BUILD)/emulated-clang/bench
$(BENCH)_loop.o: HEADERS :=
$(BENCH)_loop.o: common/emulator/tests/bench_loop.c $(STALE) ; $(COMPILE_C)
$(eval $(call cuda_program,emulated-clang,$(BENCH),common/emulator/tests/bench.cu,float,$(BENCH)_loop.o))
bench: $(BENCH)
	@$(MUST_COMPILE) && $<
