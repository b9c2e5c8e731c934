# Commands for any CUDA program: make play, profile, view, race and step, and lockstep-cc, which
# replaces nvcc. Included by the Makefile.

# ---- build/bin/lockstep-cc: the recipes of cuda.mk as shell functions
# ----------------------------- cc.sh parses the command line. Makefiles also call the host's
# compiler with the toolkit's headers and libraries. The compilers in build/bin/host are wrappers
# that find the headers and libraries of the emulated device first. nvcc has its own headers, so it
# calls the real compiler of the host.
COMPILER_SCRIPT := $(BUILD)/bin/lockstep-cc
# The list includes libraries that the emulated device does not have. A program can name them, and
# link.sh reports the functions that it calls.
TOOLKIT_LIBRARIES := cudart cudart_static cuda cudadevrt cublas cublasLt curand nvrtc nvToolsExt cusolver cusparse cufft cufftw
# A folder that looks like a CUDA toolkit, for Makefiles and CMake.
TOOLKIT := $(BUILD)/toolkit
# The options of the host side for separate compilation (-dc). $1: a name that is unique to the
# file.
CLANG_RELOCATABLE = -fgpu-rdc -cuid=$1
# Barriers of libcu++ return a token that may be uninitialised, and is then not used. Without this
# option, clang 14 assumes that such code is never reached. The option disables some optimisations,
# so a program is compiled again with the option only if its PTX has lines of libcu++.
LIBCUXX_FLAGS := -Xclang -disable-noundef-analysis
uses_libcuxx = grep -qs '^[[:blank:]]*\.file.*/libcu++/cuda/' $1 && $(or $2,$(CLANG)) -dumpversion | grep -q '^14\.'
# C++17 forbids `register`, but nvcc accepts it. Some programs test __NVCC__, and define __device__
# as empty if __NVCC__ is not defined.
AS_NVCC := -Wno-register -D__NVCC__=1
# Headers for nvcc with names that CUDA 13 has removed. older_properties.h adds members of structs,
# so it must be included before all other headers.
NVCC_MAJOR := $(firstword $(subst ., ,$(lastword $(NVCC_TITLE))))
FOR_NVCC := $(addprefix -include ,$(wildcard $(LIBRARY_HEADERS)/older_cuda.h)) \
  $(if $(filter-out 9 10 11 12,$(NVCC_MAJOR)),$(addprefix -Xcompiler -include$(comma),$(wildcard $(LIBRARY_HEADERS)/older_properties.h)))
# In the script, $root is the workbook's folder.
# $(call at_root,PATHS): the paths with $root before them.
# $(call from_anywhere,COMMAND): the command with such paths.
at_root = $(foreach path,$1,$(if $(filter /%,$(path)),$(path),"$$root"/$(path)))
from_anywhere = $(subst common/,"$$root"/common/,$(if $(LIBCUXX),$(subst $(LIBCUXX),$(call at_root,$(LIBCUXX)),$1),$1))
define compiler_text
#!/bin/sh
# Written by make. Compiles CUDA programs for the emulated device, with the command line of nvcc.
root=$(call quote,$(CURDIR)) headers='$(addprefix -isystem "$$root"/,$(CUDA_FOLDERS))' clang=$${CLANG:-$(CLANG)} cc=$$(command -v $(CC))
# Precompiled headers only work with the clang that wrote them.
parsed=; [ "$$clang" != '$(CLANG)' ] || parsed=$(call at_root,$(PARSED_FOR_OTHERS))
compiler=$${LOCKSTEP_COMPILER:-$(CUDA_COMPILER)}
toolkit=$(call at_root,$(TOOLKIT))
linking='$(CC) $(LINK_FLAGS) -L$(call at_root,$(BUILD)/bin/lib)' libraries='$(call at_root,$(DEVICE_ARCHIVES)) $(BESIDE_DEVICE)'
compile_clang() {
  source=$$(sh "$$root/common/make/compile/chevrons.sh" "$$1" "$$2.spaced.cu" $$what) stem=$$2
  shift 2
  clang_once "$$@" $(AS_NVCC) && { ! uses_libcuxx "$$stem.ptx" || clang_once "$$@" $(AS_NVCC) $(LIBCUXX_FLAGS); }
}
clang_once() {
  $(call from_anywhere,$(call compile_with_clang,"$$stem","$$source",,"$$clang",$${relocatable:+$(call CLANG_RELOCATABLE,$$(echo "$$PWD $$source $$output $$*" | cksum | cut -d' ' -f1))} $$host_words -c "$$source" -o "$$stem.o","$$parsed"))
}
uses_libcuxx() {
  $(call uses_libcuxx,"$$1","$$clang")
}
compile_nvcc() {
  source=$$(sh "$$root/common/make/compile/chevrons.sh" "$$1" "$$2.spaced.cu" $$what) stem=$$2
  shift 2
  # nvcc passes options to a shell without quoting them, so a path with other characters needs a
  # link.
  case $$root in *[!A-Za-z0-9_/.,+@%=-]*) ln -sfn "$$root" "$$scratch/root" && root=$$scratch/root ;; esac
  set -- $(call from_anywhere,$(FOR_NVCC)) "$$@"
  case $$what in ptx) step=-ptx made=$$stem.ptx ;; *) step=-c made=$$stem.o ;; esac
  $(subst -c "$$source" -o "$$stem".o,$$step -x cu "$$source" -o "$$made",$(call from_anywhere,$(call compile_emulated-nvcc,"$$stem","$$source",))) $(addprefix -ccbin ,$(shell command -v gcc)) $${relocatable:+-rdc=true}
}
relocatable_object() {
  sh "$$root/common/make/compile/relocatable.sh" "$$1"
}
. "$$root/common/make/compile/cc.sh"
parse "$$@"
build
endef
# Precompiled headers for programs other than labs. Uninitialised variables of these programs are
# not filled.
PARSED_FOR_OTHERS := $(COMPILED)/emulated-clang/others/parsed
$(PARSED_FOR_OTHERS)/made: private CLANG_host_SIDE += -ftrivial-auto-var-init=uninitialized
$(PARSED_FOR_OTHERS)/made: $(CUDA_HEADERS) $(CUDA_RULES) ; $(PARSE_HEADERS)
DEVICE_ARCHIVES = $(EMULATED_LIBRARIES) $(DEVICE_ARCHIVE)
BESIDE_DEVICE = -Wl,--as-needed $(BLAS_FOUND) $(FFTW_FOUND) $(LIBRARIES) -lstdc++
$(COMPILER_SCRIPT): private CUDA_FLAGS = -O2 "$$@"
$(COMPILER_SCRIPT): common/make/play.mk $(CUDA_RULES) $(if $(CLANG),$(PARSED_FOR_OTHERS)/made) $(DEVICE_ARCHIVE) $(EMULATED_LIBRARIES)
	$(shell mkdir -p $(@D)/lib)$(file >$@.$(OWN_NUMBER),$(compiler_text))
	@root=$(call quote,$(CURDIR)); cd $(@D)/lib && for archive in $(call at_root,$(DEVICE_ARCHIVES)); do ln -sf "$$archive" "lockstep-$${archive##*/}"; done && \
	  for name in $(TOOLKIT_LIBRARIES); do \
	  echo 'INPUT($(addprefix lockstep-,$(notdir $(DEVICE_ARCHIVES))) $(filter-out -Wl%,$(BESIDE_DEVICE)))' >lib$$name.so.$$$$ && mv -f lib$$name.so.$$$$ lib$$name.so; done
	@mkdir -p $(@D)/host && for name in cc gcc g++ c++ clang clang++; do real=$$(command -v $$name) && \
	  printf '#!/bin/sh\n%s\nexec %s %s "$$@"\n' $(call quote,root=$(call quote,$(CURDIR))) "$$real" \
	  '$(addprefix -I"$$root"/,$(CUDA_FOLDERS)) -L$(call at_root,$(@D)/lib)' >$(@D)/host/$$name.$$$$ && \
	  chmod +x $(@D)/host/$$name.$$$$ && mv -f $(@D)/host/$$name.$$$$ $(@D)/host/$$name; done; true
	@mkdir -p $(TOOLKIT)/include && ln -sfn ../bin $(TOOLKIT)/bin && \
	  ln -sfn ../bin/lib $(TOOLKIT)/lib64 && root=$(call quote,$(CURDIR)) && \
	  ln -sfn $(foreach folder,$(wildcard $(CUDA_FOLDERS)),"$$root"/$(folder)/*) $(TOOLKIT)/include
	@chmod +x $@.$(OWN_NUMBER) && mv -f $@.$(OWN_NUMBER) $@ && ln -sf lockstep-cc $(@D)/nvcc
.PHONY: lockstep-cc
lockstep-cc: $(COMPILER_SCRIPT) ; @echo NVCC=$(call quote,$(call from_root,$<))

# ---- make play, profile, view, race, step --------------------------------------------------------
ifneq ($(filter play profile view race step,$(GOALS)),)
override FILE := $(call from_here,$(FILE))
# $(call exists,PATH): not empty if PATH, which may contain blanks, exists.
exists = $(if $(DIR),$(shell [ ! -e $(call quote,$1) ] || echo yes))
$(if $(FILE)$(DIR),,$(error make $(GOALS): say which program, as in `make $(firstword $(GOALS)) FILE=$(or $(filter-out play profile view race step,$(GOALS)),any.cu)` or DIR=folder))
$(if $(FILE),$(if $(DIR),$(error make $(GOALS): give FILE= or DIR=, not both)))
$(foreach file,$(FILE),$(if $(wildcard $(file)),,$(error FILE=$(FILE): no such file$(if $(word 2,$(FILE)),: $(file) (a path must not contain a blank, because make splits the path at blanks)))))
$(if $(strip $(foreach file,$(FILE),$(wildcard $(dir $(file))../../../roster.json)) $(call exists,$(DIR)/../../../roster.json)),$(error $(FILE)$(DIR): \
  is a submission, which runs in a sandbox only: type make lab01 LABS=the folder above it, or run, profile or view in place of lab))
$(if $(filter %~,$(FILE)),$(error FILE=$(FILE): an editor's backup; the program is $(patsubst %~,%,$(filter %~,$(FILE)))))
$(if $(filter-out %.cu %.c %.cc %.cpp %.cxx,$(FILE)),$(error FILE=$(FILE): not a CUDA, C or C++ file: .cu .c .cc .cpp .cxx))
$(if $(DIR),$(if $(call exists,$(DIR)/.),,$(error DIR=$(DIR): no such folder)))
$(if $(and $(DIR),$(filter-out play,$(GOALS))),$(error make $(GOALS): name all files of the program in FILE=))

# The file of a lab is not a complete program. The error names the command for the lab.
lab_of = $(foreach labs,$(sort labs solutions $(LABS)),$(foreach lab,$(LAB_NAMES),\
  $(if $(filter $(call cu_file,$(labs),$(lab)),$1),$(firstword $(subst -, ,$(lab)))$(if $(filter-out labs,$(labs)), LABS=$(labs)))))
LAB_MEANT := $(strip $(foreach file,$(FILE),$(call lab_of,$(file))))
$(if $(LAB_MEANT),$(error $(FILE): a part of lab $(firstword $(LAB_MEANT)), not a program: type make $(patsubst play,run,$(GOALS))$(LAB_MEANT)))

# play_any ends with the program's exit status, or with 1 if that is 0 and the device has reported
# errors.
ifneq ($(DIR),)
PLAY := $(if $(filter emulated,$(DEVICE)),$(COMPILER_SCRIPT))
play_any = LOCKSTEP_COMPILER=$(CUDA_COMPILER) PLAY_NOTES=$(call quote,$(call from_root,$(BUILD)/play)) sh common/make/compile/play.sh \
  $(call quote,$(DIR)) $(call quote,$(if $(PLAY),$(call from_root,$(PLAY)),$(NVCC))) '$(FLAGS)' '$(LIBS)' '$(PROGRAM)' $(ARGS) || $(LEAVE)
else
# FILE= has the files of one program. lockstep-cc compiles and links the program. The name of the
# program is derived from its files and flags, and is at most 100 bytes long. The program runs in
# the folder of its first file, where its data are. Headers in this folder are also found with <>.
PLAY_FOLDER := $(patsubst %/,%,$(dir $(firstword $(FILE))))
PLAY_FILES := $(foreach file,$(FILE),$(call quote,$(file)))
$(if $(filter %.cu,$(FILE)),,$(error FILE=$(FILE): none of these files is a CUDA file (.cu)))
PLAY_NAME := $(shell printf %s $(firstword $(PLAY_FILES)) | sed -e 's|^[./]*||' -e 's|/|_|g' | tail -c 100)$(if \
  $(wordlist 2,2,$(FILE))$(FLAGS)$(LIBS),.$(shell echo $(call quote,$(FILE) $(FLAGS) $(LIBS)) | cksum | cut -d' ' -f1))
PLAY := $(OUT)/play/$(PLAY_NAME)
PLAY_COMPILER = $(if $(filter gpu,$(DEVICE)),$(NVCC) -arch=native -lineinfo -O2 -isystem $(SAMPLE_HEADERS),CLANG='$(CLANG)' \
  sh $(COMPILER_SCRIPT) --lockstep-compiler $(CUDA_COMPILER) -MMD -MF $(PLAY).d -MT $(PLAY))
$(PLAY): $(PLAY).seen $(if $(filter gpu,$(DEVICE)),FORCE,$(COMPILER_SCRIPT))
	@$(call in_turn,$@); rm -f $@; { $(PLAY_COMPILER) -o $(NEW) -I$(PLAY_FOLDER) $(FLAGS) -Icommon $(PLAY_FILES) $(LIBS) && mv -f $(NEW) $@; } >$@.log 2>&1 || \
	  rm -f $(NEW); [ ! -x $@ ] || awk -f common/make/compile/once.awk $@.log >&2
$(PLAY).seen: FORCE
	@mkdir -p $(@D); { echo $(call quote,$(CLANG) $(FLAGS) $(LIBS)); cksum $(PLAY_FILES); } >$(NEW); cmp -s $(NEW) $@ && rm $(NEW) || mv $(NEW) $@
-include $(PLAY).d

play_any = { $(MUST_COMPILE) && (cd $(PLAY_FOLDER) && LOCKSTEP_STATUS=1 $(call quote,$(call from_root,$<)) $(ARGS)); } || $(LEAVE)
endif
endif
