# Rules for the tools draw and view, and recipes of make view02 and make view FILE=any.cu: a page
# about a recorded run. Included by the Makefile.
$(call only_emulated,view%,the page comes from the emulated device)

# ---- draw: maps as SVG ---------------------------------------------------------------------------
$(eval $(call tool,DRAW,draw,draw,$(LIBPROFILE) $(EMULATOR)))

# ---- view: the page of a lab ---------------------------------------------------------------------
$(eval $(call tool,VIEW,view,viewer,$(LIBDRAW) $(LIBPROFILE) $(EMULATOR)))
$(filter %/page.o,$(VIEW_OBJECTS)): common/view/page.css

# The recording is written beside the program. The page shows the recording and the marks. A
# page is also written if the program crashes, hangs or does not compile.
VIEW_SECONDS ?= 60
VIEWED = $<.viewed
# The recording of the previous version of the source is kept. The page shows both recordings side
# by side, if both runs had the same ARGS.
KEEP_BEFORE = { echo '$(subst ','\'',$(ARGS))' | cmp -s - $(VIEWED).args || rm -f $(VIEWED) $(VIEWED).before; \
  [ ! -e $(VIEWED) ] || cmp -s $(VIEWED).cu $1 || mv -f $(VIEWED) $(VIEWED).before; \
  cp $1 $(VIEWED).cu; echo '$(subst ','\'',$(ARGS))' >$(VIEWED).args; }
RECORD_VIEWED = rm -f $(VIEWED); LOCKSTEP_LOG=$(VIEWED) LOCKSTEP_LIMIT=$${LOCKSTEP_LIMIT:-10000000} timeout --foreground $(VIEW_SECONDS) $<
# $(call write_view,PAGE,SOURCE,TITLE,MORE OPTIONS): writes the page and prints its path.
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
  [ ! -x $< ] || [ -e $(VIEWED) ] || { echo '$1: the program did not use the device' >&2; exit 2; }; \
  $(call write_view,$(BUILD)/view/$(PLAY_NAME).html,$(firstword $(filter %.cu,$1)),$1,--command 'make view FILE=$1$(THESE_ARGS)'); } || $(LEAVE)
endef

test: $(VIEW)
