# Builds cuBLAS, cuFFT, cuRAND and NVRTC for the emulated device. cuBLAS and cuFFT use libraries for
# the CPU, if these are installed. Included by the Makefile.

LIBRARY_OBJECTS := $(call objects,emulator,$(MORE)/libraries/*.c)
$(LIBRARY_OBJECTS): HEADERS := $(addprefix -I,common/emulator/include $(LIBRARY_HEADERS))
$(LIBRARY_OBJECTS): $(BUILD)/objects/emulator/%.o: %.c $(C_RULES) ; $(COMPILE_C)
$(filter %/nvrtc.o,$(LIBRARY_OBJECTS)): HEADERS += -DLOCKSTEP_CC=$(call c_string,$(call from_root,$(BUILD))/bin/lockstep-cc)
-include $(LIBRARY_OBJECTS:.o=.d)
# build/emulator/libcurand.a contains the objects of more/libraries/curand*.c, and so on.
library = $(BUILD)/emulator/lib$1.a

# A program may define a function with the same name as an internal function of the device.
# Therefore the device is linked into one object that exports only the API and the replacements for
# functions of the C library (runtime/files.c, runtime/clocks.c).
DEVICE_SHOWS := cuda[A-Z]* cu[A-Z]* __cuda* emulator_* write writev read fwrite fread clock clock_gettime gettimeofday timespec_get
OBJCOPY ?= objcopy
DEVICE_ARCHIVE := $(call library,device)
# libbacktrace is a part of this object.
LINES_READER = $(if $(BACKTRACE),$(wildcard $(shell $(CC) -print-file-name=libbacktrace.a)))
# Objects that stay separate in the archive, so that the linker adds them only to programs that call
# their functions.
DEVICE_APART := $(filter %/stream_kinds.o %/driver_streams.o,$(EMULATOR_OBJECTS))
$(DEVICE_ARCHIVE): $(EMULATOR_OBJECTS)
	@mkdir -p $(@D) && $(CC) -r -nostdlib -o $(NEW).o $(filter-out $(DEVICE_APART),$^) $(LINES_READER) && \
	  $(OBJCOPY) --wildcard $(DEVICE_SHOWS:%=--keep-global-symbol='%') $(NEW).o && $(AR) rcs $(NEW) $(NEW).o $(DEVICE_APART) && rm $(NEW).o $(WHEN_WHOLE)

# Finds FFTW, with which the device implements cuFFT.
FFTW_FOUND ?= $(if $(wildcard /usr/include/fftw3.h /usr/local/include/fftw3.h),-lfftw3f -lfftw3)
EMULATED_LIBRARIES := $(if $(wildcard $(MORE)/libraries),$(if $(BLAS_FOUND),$(call library,cublas)) $(if $(FFTW_FOUND),$(call library,cufft)) $(call library,curand) $(call library,nvrtc))
$(foreach name,cublas cufft curand nvrtc,$(eval $(call library,$(name)): $(call objects,emulator,$(MORE)/libraries/$(name)*.c) ; $$(ARCHIVE)))

# $(call with_libraries,LINK COMMAND): the command with these libraries in place of EMULATOR. The
# linker leaves out libraries that the program does not call.
with_libraries = $(subst $(EMULATOR),$(EMULATED_LIBRARIES) $(DEVICE_ARCHIVE) -Wl$(comma)--as-needed $(BLAS_FOUND) $(FFTW_FOUND),$1)
