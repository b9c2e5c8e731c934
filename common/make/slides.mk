# Rules for the slides: weave, which copies code and numbers into the Markdown; the conversion to
# HTML and PDF; charts and recorded numbers. Included by the Makefile.

WEAVE := $(BUILD)/weave/weave
WEAVE_OBJECTS := $(call objects,weave,common/weave/*.c)
$(WEAVE_OBJECTS): $(BUILD)/objects/weave/%.o: %.c $(C_RULES) ; $(COMPILE_C)
$(WEAVE): $(WEAVE_OBJECTS)
	@mkdir -p $(@D) && $(CC) $(LINK_FLAGS) -o $(NEW) $^ $(WHEN_WHOLE)
-include $(WEAVE_OBJECTS:.o=.d)

# ---- weave: copies code and numbers from their files into Markdown -------------------------------
WOVEN := $(wildcard slides/*.md labs/*/README.md README.md)
.PHONY: weave slides
weave: $(WEAVE)
	@$(WEAVE) $(WOVEN)

# ---- from Markdown to HTML and PDF ---------------------------------------------------------------
# Marp is installed in build/slides. The first `make slides` fetches Marp and a browser.
SLIDES := $(BUILD)/slides
DECKS := $(notdir $(basename $(wildcard slides/[0-9][0-9]-*.md)))
MARP := $(SLIDES)/node_modules/.package-lock.json
# npm runs again when the contents of package.json change. A new date alone is not enough, because
# git may write a file again without changing it. A missing browser is fetched again.
$(SLIDES)/package.json $(SLIDES)/package-lock.json: $(SLIDES)/%: FORCE
	@cmp -s slides/$* $@ || { mkdir -p $(@D) && cp slides/$* $@; }
$(MARP): $(SLIDES)/package.json $(SLIDES)/package-lock.json $(if $(shell sh common/make/pictures/browser.sh),,FORCE)
	@sh common/make/compile/setup.sh slides && echo 'slides: fetches Marp, once'
	@npm ci --prefix $(SLIDES) --ignore-scripts --no-audit --no-fund --loglevel=error >$(SLIDES)/npm.log 2>&1 || { \
	  echo "slides: npm cannot fetch Marp$$(grep -q -e ENOTFOUND -e ECONN -e EAI_AGAIN -e ETIMEDOUT -e ENETUNREACH -e network $(SLIDES)/npm.log && \
	    echo ': its servers cannot be reached'). What npm says is in $(SLIDES)/npm.log" >&2; false; } || $(LEAVE)
	@touch $@
# The rule of MARP also installs a C compiler if there is none, so weave is compiled after it.
ifneq ($(filter slides,$(GOALS)),)
$(WEAVE_OBJECTS): | $(MARP)
endif
# Converts all changed decks in one call, because starting Marp and a browser takes most of the
# time. If a page is missing, all decks are converted.
PAGES := $(DECKS:%=$(SLIDES)/%.html)
$(SLIDES)/made: $(DECKS:%=slides/%.md) slides/lockstep.css $(wildcard slides/figures/*.svg) common/make/pictures/decks.sh $(MARP) \
  $(if $(filter-out $(wildcard $(PAGES)),$(PAGES)),FORCE) | $(WEAVE)
	@sh common/make/pictures/decks.sh $(WEAVE) $(SLIDES) $(if $(filter-out slides/%.md,$?),$(DECKS:%=slides/%.md),$?) && touch $@
$(PAGES): $(SLIDES)/made ;
slides: $(PAGES)
	@echo 'slides: the lectures are in $(SLIDES)'

# ---- charts and the numbers in them --------------------------------------------------------------
# `make record` records counters of the emulated device. slides/data/record-gpu.sh records
# measurements on a GPU.
.PHONY: charts record
figures: charts
charts: ; @sh common/make/pictures/charts.sh
RECORDED := $(foreach lab,$(LAB_NAMES),$(foreach precision,float double,$(BUILD)/emulated-clang/solutions/$(lab).$(precision)))
DATA_PROGRAMS := $(patsubst slides/data/%.cu,$(BUILD)/emulated-clang/data/%,$(wildcard slides/data/*.cu))
record: $(RECORDED) $(DATA_PROGRAMS)
	@sh common/make/measure/record.sh $(BUILD)/emulated-clang slides/data && echo 'record: now make figures weave'
