# make race02 and make race FILE=any.cu: finds an order of warps in which a race changes a result.
# Included by the Makefile.
$(call only_emulated,race race0% race1%,only the emulated device can choose the order of warps)
RACED_LAB := $(firstword $(filter race0% race1%,$(GOALS)))
$(if $(RACED_LAB),$(if $(filter --help -h -?,$(ARGS)),$(error make $(RACED_LAB): this command looks for an order of warps in which \
  a race changes a result. ARGS="--variant NAME --size N" chooses the run. RACE_SECONDS=60 sets the time limit. The command \
  make run$(RACED_LAB:race%=%) ARGS=--help lists the variants)))

$(eval $(call tool,RACE,race,racer,$(LIBDRAW) $(LIBPROFILE) $(EMULATOR)))
$(filter %/page.o,$(RACE_OBJECTS)): common/view/page.css common/race/page.css

RACE_SECONDS ?= 5
RACE_PAGE = $(BUILD)/race/$(if $(filter-out labs,$(LABS)),$(call labs_key,$(LABS))-)$(call lab_name,$*).html
# $(call find_race,TITLE,SOURCE,PAGE,COMMAND,MORE OPTIONS): runs the tool of common/race for $<.
find_race = mkdir -p $(BUILD)/race && $(RACE) --title '$1' --source $2 --page $3 --command '$4' --seconds $(RACE_SECONDS) $5
PAGE_IS = echo '  the page is $1'
define race_lab
{ $(MUST_COMPILE) && $(call find_race,race$*: $(call cu_file,$(LABS),$(call lab_name,$*)),$(call cu_file,$(LABS),$(call lab_name,$*)),$(RACE_PAGE),make race$*$(THESE_LABS)$(THESE_ARGS),--gold \
  $(if $(ARGS),,--usual '--exercises --size 64' --marks $(GRADE_OUT)/$(call lab_name,$*).json)) $< --repeats 1 $(ARGS) && $(call PAGE_IS,$(RACE_PAGE)); } || $(LEAVE)
endef
define race_any
{ $(MUST_COMPILE) && $(call find_race,race: $1,$(firstword $(filter %.cu,$1)),$(BUILD)/race/$(PLAY_NAME).html,make race FILE=$1$(THESE_ARGS),) $< $(ARGS) && \
  $(call PAGE_IS,$(BUILD)/race/$(PLAY_NAME).html); } || $(LEAVE)
endef

test: $(RACE)
