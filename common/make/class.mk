# make grade SUBMISSIONS=folder: grades a whole class. The rules here build the programs that
# grading needs. class.sh grades the class with another make (class_graph.mk). Included by the
# Makefile.

# The program that unpacks and reads submissions. No other program needs libarchive, libyaml,
# libunistring and zlib.
INTAKE := $(BUILD)/checker/intake
INTAKE_OBJECTS := $(call objects,intake,checker/intake/*.c)
$(INTAKE_OBJECTS): $(BUILD)/objects/intake/%.o: %.c $(C_RULES)
	@for header in archive yaml unistr zlib; do echo "#include <$$header.h>" | $(CC) -E -x c - >/dev/null 2>&1 || \
	  { echo "no $$header.h here: make setup installs it" >&2; exit 2; }; done
	$(COMPILE_C)
$(INTAKE): $(INTAKE_OBJECTS)
	@mkdir -p $(@D) && $(CC) $(LINK_FLAGS) -o $(NEW) $^ -ljansson -larchive -lyaml -lunistring -lz $(WHEN_WHOLE)
-include $(INTAKE_OBJECTS:.o=.d)

$(if $(SUBMISSIONS),,$(if $(filter-out undefined,$(origin SUBMISSIONS)),$(error SUBMISSIONS= is empty: give a folder or an archive)))
ifdef SUBMISSIONS
$(if $(filter-out grade class-list,$(GOALS)),$(error SUBMISSIONS=$(SUBMISSIONS) works with `make grade` and `make class-list` only))
SANDBOX ?= bwrap
$(call one_of,SANDBOX,bwrap none)
# Variables of the command line may contain any characters, so class.sh reads them from the
# environment.
export SUBMISSIONS CLASS LAUNCH SANDBOX AGAIN PREPARE ANONYMOUS POINTS
endif
GRADINGS = $(foreach lab,$(CHOSEN),$(call grading,$(lab)))
# If make is killed with SIGKILL, the make of class_graph.mk is killed too. Labs whose grading has
# begun are finished.
DIES_WITH_MAKE = $(if $(shell command -v setpriv),setpriv --pdeathsig KILL)
.PHONY: class class-list submissions
submissions: ; @sh common/make/class/class.sh
class-list: submissions $(INTAKE) handed-out
	@$(INTAKE) --handouts $(HANDED_OUT)/labs --list "$$SUBMISSIONS" $(CHOSEN)
class: submissions $(INTAKE) handed-out $$(GRADINGS)
	@exec env HANDED_OUT='$(HANDED_OUT)/labs' MAKE='$(MAKE)' DEVICE='$(DEVICE)' BUILD='$(BUILD)' GRADING='$(call grading,%)' INTAKE='$(INTAKE)' CHECKER='$(CHECKER)' \
	  DIES_WITH_MAKE='$(DIES_WITH_MAKE)' $(DIES_WITH_MAKE) sh common/make/class/class.sh $(CHOSEN)

# Prints a file of points, or an error if the file is not consistent.
.PHONY: points
points: $(CHECKER) ; @$(CHECKER) --points '$(or $(POINTS),checker/points.txt)' --list || $(LEAVE)

# ---- generated classes: for the tests, and for measuring a large class ---------------------
CLASS_TOOL := $(BUILD)/tests/class_tool
$(CLASS_TOOL): checker/tests/class_tool.c $(C_RULES)
	@mkdir -p $(@D) && $(CC) $(C_FLAGS) -o $(NEW) $< -ljansson -larchive $(WHEN_WHOLE)

# make class-of-200: generates a class of 200 students and grades it twice (class_of.sh). With
# PARTS="submissions together same" both gradings run at the same time.
class-of-%: $(INTAKE) $(CLASS_TOOL) $$(GRADINGS) $$(call mutant_source,$$(MUTANTS))
	@MAKE=make BUILD='$(BUILD)' PARTS='$(PARTS)' SANDBOX='$(or $(SANDBOX),bwrap)' sh checker/tests/class_of.sh $(CLASS_TOOL) $* $@
test: $(INTAKE) $(CLASS_TOOL) $$(GRADINGS)
