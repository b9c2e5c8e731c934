# cuBLAS and its like for programs of others: through a library of the CPU, where one is. Included by the Makefile.

LIBRARY_OBJECTS := $(call objects,emulator,$(MORE)/libraries/*.c)
$(LIBRARY_OBJECTS): HEADERS := $(addprefix -I,common/emulator/include $(LIBRARY_HEADERS))
$(LIBRARY_OBJECTS): $(BUILD)/objects/emulator/%.o: %.c $(C_RULES) ; $(COMPILE_C)
$(filter %/nvrtc.o,$(LIBRARY_OBJECTS)): HEADERS += -DLOCKSTEP_CC=$(call c_string,$(call from_root,$(BUILD))/bin/lockstep-cc)
-include $(LIBRARY_OBJECTS:.o=.d)
# build/emulator/libcurand.a: all of more/libraries/curand*.c
library = $(BUILD)/emulator/lib$1.a

# A program of others may call its own functions as the device does its own: to it, they are one object that shows the API alone.
# And what stands in place of the C library's (runtime/files.c, runtime/clocks.c).
DEVICE_SHOWS := cuda[A-Z]* cu[A-Z]* __cuda* emulator_* write writev read fwrite fread clock clock_gettime gettimeofday timespec_get
OBJCOPY ?= objcopy
DEVICE_ARCHIVE := $(call library,device)
# What reads lines out of programs is linked in there, where host_lines.c says which libraries it leaves alone.
LINES_READER = $(if $(BACKTRACE),$(wildcard $(shell $(CC) -print-file-name=libbacktrace.a)))
# But for what the linker is to take for some programs only.
DEVICE_APART := $(filter %/stream_kinds.o %/driver_streams.o,$(EMULATOR_OBJECTS))
$(DEVICE_ARCHIVE): $(EMULATOR_OBJECTS)
	@mkdir -p $(@D) && $(CC) -r -nostdlib -o $(NEW).o $(filter-out $(DEVICE_APART),$^) $(LINES_READER) && \
	  $(OBJCOPY) --wildcard $(DEVICE_SHOWS:%=--keep-global-symbol='%') $(NEW).o && $(AR) rcs $(NEW) $(NEW).o $(DEVICE_APART) && rm $(NEW).o $(WHEN_WHOLE)

# What computes for cuFFT.
FFTW_FOUND ?= $(if $(wildcard /usr/include/fftw3.h /usr/local/include/fftw3.h),-lfftw3f -lfftw3)
EMULATED_LIBRARIES := $(if $(wildcard $(MORE)/libraries),$(if $(BLAS_FOUND),$(call library,cublas)) $(if $(FFTW_FOUND),$(call library,cufft)) $(call library,curand) $(call library,nvrtc))
$(foreach name,cublas cufft curand nvrtc,$(eval $(call library,$(name)): $(call objects,emulator,$(MORE)/libraries/$(name)*.c) ; $$(ARCHIVE)))

# In a recipe that links: the libraries between the program and the device, and none of them where none is called.
with_libraries = $(subst $(EMULATOR),$(EMULATED_LIBRARIES) $(DEVICE_ARCHIVE) -Wl$(comma)--as-needed $(BLAS_FOUND) $(FFTW_FOUND),$1)
