# Pictures and pages from a recorded run. Included by compile.mk.
$(if $(filter gpu,$(and $(filter view%,$(GOALS)),$(DEVICE))),$(error \
  make $(filter view%,$(GOALS)): the page comes from the emulated device; leave DEVICE=gpu out))

# ---- draw: maps as SVG -----------------------------------------------------------------------------------
$(eval $(call tool,DRAW,draw,draw,$(LIBPROFILE) $(EMULATOR)))

# ---- view: the page of a lab --------------------------------------------------------------------------------
$(eval $(call tool,VIEW,view,viewer,$(LIBDRAW) $(LIBPROFILE) $(EMULATOR)))
$(filter %/page.o,$(VIEW_OBJECTS)): common/view/page.css

# What the program does goes into a recording beside it, as for the profile, and with the marks into one page. A
# program that crashes, hangs or does not compile has its page, too.
VIEW_SECONDS ?= 60
VIEWED = $<.viewed
# What the version before did is kept: the page shows both side by side, if both ran with the same ARGS.
KEEP_BEFORE = { echo '$(subst ','\'',$(ARGS))' | cmp -s - $(VIEWED).args || rm -f $(VIEWED) $(VIEWED).before; \
  [ ! -e $(VIEWED) ] || cmp -s $(VIEWED).cu $1 || mv -f $(VIEWED) $(VIEWED).before; \
  cp $1 $(VIEWED).cu; echo '$(subst ','\'',$(ARGS))' >$(VIEWED).args; }
RECORD_VIEWED = rm -f $(VIEWED); LOCKSTEP_LOG=$(VIEWED) LOCKSTEP_LIMIT=$${LOCKSTEP_LIMIT:-10000000} timeout --foreground $(VIEW_SECONDS) $<
# $(call write_view,PAGE,SOURCE,TITLE,MORE OPTIONS)
define write_view
mkdir -p $(dir $1) && $(VIEW) --source $2 --output $1 --title '$3' --status $$status \
  --subtitle '$(PRECISION), $(EMULATED_DEVICE), $(strip $(COMPILER_TITLE))' $4 \
  $$([ ! -e $(VIEWED).before ] || echo --before $(VIEWED).before) \
  $$([ -x $< ] && [ -e $(VIEWED) ] && echo $(VIEWED)) $$([ -x $< ] || echo --compile-log $<.log) && \
  echo '$3: the page is $1'"$$(for door in wslview xdg-open; do ! command -v $$door >/dev/null || { echo " ($$door opens it)"; break; }; done)"
endef
VIEW_PAGE = $(BUILD)/view/$(if $(filter-out labs,$(LABS)),$(call labs_key,$(LABS))-)$(call lab_name,$*).html
THESE_LABS = $(if $(filter-out labs,$(LABS)), LABS=$(LABS))
THESE_ARGS = $(if $(ARGS), ARGS="$(subst ','\'',$(ARGS))")
define view_lab
{ status=0; $(WITHHOLD); [ ! -x $< ] || { $(call KEEP_BEFORE,$(call cu_file,$(LABS),$(call lab_name,$*))); $(RECORD_VIEWED) --exercises --no-check --repeats 1 $(WITHHELD) $(ARGS) >$<.said 2>&1 </dev/null || status=$$?; } 2>/dev/null; \
  [ $$status != 2 ] || { cat $<.said >&2; exit 2; }; \
  $(call write_view,$(VIEW_PAGE),$(call cu_file,$(LABS),$(call lab_name,$*)),lab $*,--marks $(GRADE_OUT)/$(call lab_name,$*).json $$([ "$$held" != all ] || echo --withheld) \
  --command 'make view$*$(THESE_LABS)$(THESE_ARGS)' --next 'make lab$*$(THESE_LABS)'); } || $(LEAVE)
endef
define view_any
{ status=0; [ ! -x $< ] || { $(RECORD_VIEWED) $(ARGS) || status=$$?; }; \
  [ ! -x $< ] || [ -e $(VIEWED) ] || { echo '$1: it made no use of the device' >&2; exit 2; }; \
  $(call write_view,$(BUILD)/view/$(PLAY_NAME).html,$(firstword $(filter %.cu,$1)),$1,--command 'make view FILE=$1$(THESE_ARGS)'); } || $(LEAVE)
endef

# ---- the maps on the slides, drawn from runs -------------------------------------------------------------
# $(call map_figure,FIGURE,PROGRAM'S RECORDING,SOURCE,WHAT TO DRAW): made in build/figures; `make figures` puts
# them into slides/figures, and a test compares the two.
FIGURES := $(BUILD)/figures
define map_figure
MAP_FIGURES += $1
$(FIGURES)/$1.svg: $(FIGURES)/$2.recording $3 $(DRAW) ; @$(DRAW) $4 --id $1 --source $3 $$< >$$@
endef
LAB_03 := solutions/03-bank-conflicts/bank_conflicts.cu
$(eval $(call map_figure,banks-row,03-bank-conflicts,$(LAB_03),banks --slide --kernel smem3 --buffer Bs))
$(eval $(call map_figure,banks-column,03-bank-conflicts,$(LAB_03),banks --slide --kernel smem1 --buffer Bs))
$(eval $(call map_figure,banks-padded,03-bank-conflicts,$(LAB_03),banks --slide --kernel smem2 --buffer Bs))
$(eval $(call map_figure,sectors-transpose,03-bank-conflicts,$(LAB_03),sectors --slide --kernel transpose_global --buffer At))
$(eval $(call map_figure,banks-same,patterns,slides/figures/patterns.cu,banks --slide --kernel same_words --verb load))
$(eval $(call map_figure,banks-2way,patterns,slides/figures/patterns.cu,banks --slide --kernel two_way))
$(eval $(call map_figure,banks-3way,patterns,slides/figures/patterns.cu,banks --slide --kernel three_way))
$(eval $(call map_figure,banks-padded-row,patterns,slides/figures/patterns.cu,banks --slide --kernel padded_row --verb load))
$(eval $(call map_figure,banks-double,patterns,slides/figures/patterns.cu,banks --slide --kernel second_doubles))
$(eval $(call map_figure,banks-wide,patterns-wide,slides/figures/patterns.cu,banks --slide --kernel tile_column))
$(eval $(call map_figure,sectors-broadcast,01-naive,solutions/01-naive/naive.cu,sectors --slide --kernel matmul --buffer A))
$(eval $(call map_figure,sectors-column,patterns,slides/figures/patterns.cu,sectors --slide --kernel down_column --buffer A))
$(eval $(call map_figure,sectors-second,patterns,slides/figures/patterns.cu,sectors --slide --kernel second_floats --buffer A))
$(eval $(call map_figure,sectors-shifted,patterns,slides/figures/patterns.cu,sectors --slide --kernel shifted_row --buffer B))
$(eval $(call map_figure,tiles-walk,tiles,slides/figures/tiles.cu,tiles))
LAB_05 := solutions/05-matvec/matvec.cu
$(eval $(call map_figure,sectors-thread-per-row,05-matvec,$(LAB_05),sectors --slide --kernel matvec_naive --buffer M))
$(eval $(call map_figure,sectors-warp-per-row,05-matvec,$(LAB_05),sectors --slide --kernel matvec_warp --buffer M))

FIGURE_PROGRAMS := patterns tiles
$(foreach name,$(FIGURE_PROGRAMS),$(eval $(call cuda_program,emulated-clang,$(FIGURES)/$(name),slides/figures/$(name).cu,float,)))
$(foreach program,$(DATA_PROGRAMS),$(eval $(call cuda_program,emulated-clang,$(program),slides/data/$(notdir $(program)).cu,float,)))
RECORD_FIGURE = @mkdir -p $(@D) && { $(MUST_COMPILE); } && rm -f $@.new && \
  LOCKSTEP_LOG=$@.new $< $(FIGURE_ARGUMENTS) >$@.said && mv $@.new $@
$(FIGURE_PROGRAMS:%=$(FIGURES)/%.recording): %.recording: % ; $(RECORD_FIGURE)
# Once more as on compute capability 3.x.
$(FIGURES)/patterns-wide.recording: export LOCKSTEP_BANKS := 8
$(FIGURES)/patterns-wide.recording: $(FIGURES)/patterns ; $(RECORD_FIGURE)
$(LAB_NAMES:%=$(FIGURES)/%.recording): FIGURE_ARGUMENTS := --exercises --size 64 --no-check --repeats 1
$(LAB_NAMES:%=$(FIGURES)/%.recording): $(FIGURES)/%.recording: $(BUILD)/emulated-clang/solutions/%.float
	$(RECORD_FIGURE)

.PHONY: figures
figures: $(MAP_FIGURES:%=$(FIGURES)/%.svg)
	@for figure in $(MAP_FIGURES); do cmp -s $(FIGURES)/$$figure.svg slides/figures/$$figure.svg || \
	  { cp $(FIGURES)/$$figure.svg slides/figures/ && echo "slides/figures/$$figure.svg"; }; done
NAMED_MAPS = 'slides/figures (maps)=sh common/draw/tests/figures.sh $(FIGURES) slides/figures $(MAP_FIGURES)'
MAPS_DRAWN := $(MAP_FIGURES:%=$(FIGURES)/%.svg)
test: $(MAPS_DRAWN)

# ---- their tests: the doors, then the pages in a browser -------------------------------------------------
CHECKED_06 = $(foreach labs,solutions labs,$(BUILD)/emulated-clang/$(labs)/06-nbody.float)
VIEWED_PAGES = $(LAB_NAMES:%=$(BUILD)/view/solutions-%.html) $(BUILD)/view/common_view_tests_hostile.cu.html \
  $(BUILD)/view/$(subst /,_,$(BUILD)/tests/view/first-barrier-missing)-02-shared.html
# The doors first: the browser would wait for them.
NAMED_DOORS = 'common/view/doors=sh common/view/tests/doors.sh' 'common/view/animate=sh common/view/tests/animate.sh $(CHECKED_06)'
NAMED_VIEWS = 'slides/view after common/view/doors=sh common/make/tests/browse.sh $(SLIDES) slides/tests/view.mjs $(VIEWED_PAGES)'
test: $(VIEW)
