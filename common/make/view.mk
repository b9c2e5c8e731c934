# Pictures and pages from a recorded run. Included by compile.mk.

# ---- draw: maps as SVG -----------------------------------------------------------------------------------
DRAW := $(BUILD)/draw/draw
DRAW_OBJECTS := $(call objects,draw,common/draw/*.c)
LIBDRAW := $(BUILD)/draw/libdraw.a
$(DRAW_OBJECTS): HEADERS := -Icommon -Icommon/emulator
$(DRAW_OBJECTS): $(BUILD)/objects/draw/%.o: %.c $(STALE) ; $(COMPILE_C)
$(LIBDRAW): $(filter-out %/main.o,$(DRAW_OBJECTS)) ; $(ARCHIVE)
$(DRAW): $(filter %/main.o,$(DRAW_OBJECTS)) $(LIBDRAW) $(LIBPROFILE)
	@mkdir -p $(@D) && $(CC) $(LINK_FLAGS) -o $@ $^ $(LIBRARIES) $(PROFILE_LIBRARIES)
-include $(DRAW_OBJECTS:.o=.d)

# ---- the maps on the slides, drawn from runs -------------------------------------------------------------
# $(call map_figure,FIGURE,PROGRAM'S RECORDING,SOURCE,WHAT TO DRAW): made in build/figures; `make figures` puts
# them into slides/figures, and a test compares the two.
FIGURES := $(BUILD)/figures
define map_figure
MAP_FIGURES += $1
$(FIGURES)/$1.svg: $(FIGURES)/$2.recording $3 $(DRAW) ; @$(DRAW) $4 --id $1 --source $3 $$< >$$@
endef
LAB_03 := solutions/03-bank-conflicts/bank_conflicts.cu
$(eval $(call map_figure,banks-row,03-bank-conflicts,$(LAB_03),banks --kernel smem3 --buffer Bs))
$(eval $(call map_figure,banks-column,03-bank-conflicts,$(LAB_03),banks --kernel smem1 --buffer Bs))
$(eval $(call map_figure,banks-padded,03-bank-conflicts,$(LAB_03),banks --kernel smem2 --buffer Bs))
$(eval $(call map_figure,banks-2way,patterns,slides/figures/patterns.cu,banks --kernel two_way))
$(eval $(call map_figure,banks-3way,patterns,slides/figures/patterns.cu,banks --kernel three_way))
$(eval $(call map_figure,sectors-row,01-naive,solutions/01-naive/naive.cu,sectors --kernel matmul --buffer B))
$(eval $(call map_figure,sectors-broadcast,01-naive,solutions/01-naive/naive.cu,sectors --kernel matmul --buffer A))
$(eval $(call map_figure,sectors-column,patterns,slides/figures/patterns.cu,sectors --kernel down_column --buffer A))
$(eval $(call map_figure,tiles-walk,tiles,slides/figures/tiles.cu,tiles))

FIGURE_PROGRAMS := patterns tiles
$(foreach name,$(FIGURE_PROGRAMS),$(eval $(call cuda_program,emulated-clang,$(FIGURES)/$(name),slides/figures/$(name).cu,float,)))
RECORD_FIGURE = @mkdir -p $(@D) && { $(MUST_COMPILE); } && rm -f $@.new && \
  LOCKSTEP_LOG=$@.new $< $(FIGURE_ARGUMENTS) >$@.said && mv $@.new $@
$(FIGURE_PROGRAMS:%=$(FIGURES)/%.recording): %.recording: % ; $(RECORD_FIGURE)
$(LAB_NAMES:%=$(FIGURES)/%.recording): FIGURE_ARGUMENTS := --size 64 --no-check --repeats 1
$(LAB_NAMES:%=$(FIGURES)/%.recording): $(FIGURES)/%.recording: $(BUILD)/emulated-clang/solutions/%.float
	$(RECORD_FIGURE)

.PHONY: figures
figures: $(MAP_FIGURES:%=$(FIGURES)/%.svg)
	@for figure in $(MAP_FIGURES); do cmp -s $(FIGURES)/$$figure.svg slides/figures/$$figure.svg || \
	  { cp $(FIGURES)/$$figure.svg slides/figures/ && echo "slides/figures/$$figure.svg"; }; done
NAMED_MAPS = 'slides/figures (maps)=sh common/draw/tests/figures.sh $(FIGURES) slides/figures $(MAP_FIGURES)'
MAPS_DRAWN := $(MAP_FIGURES:%=$(FIGURES)/%.svg)
test: $(MAPS_DRAWN)
