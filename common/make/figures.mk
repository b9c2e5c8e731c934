# Draws the maps of banks and sectors on the slides from recorded runs. The maps are drawn in
# build/figures. `make figures` copies them to slides/figures, and a test compares the two folders.
# Included by the Makefile.

# $(call map_figure,FIGURE,RECORDING,SOURCE,OPTIONS OF draw)
FIGURES := $(BUILD)/figures
DRAWN := <!-- Drawn by make figures (common/make/figures.mk). -->
define map_figure
MAP_FIGURES += $1
$(FIGURES)/$1.svg: $(FIGURES)/$2.recording $3 $(DRAW) ; @{ echo '$(DRAWN)'; $(DRAW) $4 --id $1 --source $3 $$<; } >$$@
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

# The figure of a race: the matrix product without its second barrier (common/race).
RACE_FIGURE := checker/mutants/02-shared/second-barrier-missing.patch
ifneq ($(wildcard $(RACE_FIGURE)),)
MAP_FIGURES += race-panels
$(FIGURES)/race-panels.svg: $$(call mutant_program,$(RACE_FIGURE)) $$(RACE)
	@mkdir -p $(@D) && $(RACE) --source $(call mutant_source,$(RACE_FIGURE)) --gold --seconds 60 --figure $@ $< --repeats 1 \
	  --variant shared --m 32 --k 96 --n 64 >$@.said || { cat $@.said >&2; exit 2; }
	@sed -i '1i $(DRAWN)' $@
endif

FIGURE_PROGRAMS := patterns tiles
$(foreach name,$(FIGURE_PROGRAMS),$(eval $(call cuda_program,emulated-clang,$(FIGURES)/$(name),slides/figures/$(name).cu,float,)))
$(foreach program,$(DATA_PROGRAMS),$(eval $(call cuda_program,emulated-clang,$(program),slides/data/$(notdir $(program)).cu,float,)))
RECORD_FIGURE = @mkdir -p $(@D) && { $(MUST_COMPILE); } && rm -f $@.new && \
  LOCKSTEP_LOG=$@.new $< $(FIGURE_ARGUMENTS) >$@.said && mv $@.new $@
$(FIGURE_PROGRAMS:%=$(FIGURES)/%.recording): %.recording: % ; $(RECORD_FIGURE)
# This recording uses banks of 8 bytes, as on compute capability 3.x.
$(FIGURES)/patterns-wide.recording: export LOCKSTEP_BANKS := 8
$(FIGURES)/patterns-wide.recording: $(FIGURES)/patterns ; $(RECORD_FIGURE)
$(LAB_NAMES:%=$(FIGURES)/%.recording): FIGURE_ARGUMENTS := --exercises --size 64 --no-check --repeats 1
$(LAB_NAMES:%=$(FIGURES)/%.recording): $(FIGURES)/%.recording: $(BUILD)/emulated-clang/solutions/%.float
	$(RECORD_FIGURE)

.PHONY: figures
figures: $(MAP_FIGURES:%=$(FIGURES)/%.svg)
	@for figure in $(MAP_FIGURES); do cmp -s $(FIGURES)/$$figure.svg slides/figures/$$figure.svg || \
	  { cp $(FIGURES)/$$figure.svg slides/figures/ && echo "slides/figures/$$figure.svg"; }; done
MAPS_DRAWN := $(MAP_FIGURES:%=$(FIGURES)/%.svg)
test: $(MAPS_DRAWN)
