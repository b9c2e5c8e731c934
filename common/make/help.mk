# What `make help` says: a handout, which is without solutions, lectures and tests, has fewer doors. Included by the
# Makefile.

help:
	@echo 'Lockstep: write CUDA kernels and see what they really do, with or without a GPU.'
	@echo
	@echo '  make setup               install what is missing (says what first; Debian and Ubuntu)'
ifneq ($(WHOLE),)
	@echo '  make demo                run the reference solutions and print their tables'
endif
	@echo
	@echo '  make lab$(FIRST)               check a lab: one verdict, one next step ($(strip $(DOORS)))'
	@echo '  make hint$(FIRST)              a hint for the first open task'
	@echo '  make run$(FIRST) ARGS=--help   run the program of a lab yourself'
	@echo '  make watch$(FIRST)             check again at every save, until ctrl-C'
	@echo '  make sweep$(FIRST)             the lab at many sizes: a table, curves (ARGS="--sweep 8:2096:8")'
	@echo '  make profile$(FIRST)           the same file, line by line: what it cost, what to try (JSON=file)'
	@echo '  make view$(FIRST)              the same as a page for the browser, with maps of banks and sectors'
ifneq ($(MOVING),)
	@echo '  make animate06           the bodies of lab 06 for 800 steps, as an animation (ARGS="--fill linear")'
endif
	@echo '  make progress            all labs at a glance'
	@echo '  make grade               check all labs; marks as JSON and JUnit in build/'
	@$(if $(WHOLE),echo '  make grade SUBMISSIONS=folder  a class: a folder or an archive (zip, tar) per student; checker/README.md')
	@echo '  make play FILE=any.cu    compile and run any CUDA program on the emulated device (ARGS="...")'
	@echo '  make profile FILE=any.cu run it and show what each line did'
	@echo '  make view FILE=any.cu    the same as a page'
ifneq ($(WHOLE),)
	@echo
	@echo '  make handout             the archive for students, without solutions and tests (ONLY="01 02": these labs)'
	@echo '  make gradescope$(FIRST)        the autograder of a lab for Gradescope'
	@echo
	@echo '  make slides              the slides of all labs, HTML and PDF, in build/slides (installs Chromium and Marp once)'
	@echo '  make weave               fill in the code and the numbers on the slides from where they stand'
	@echo '  make figures             draw the maps and the charts on the slides anew, from runs and from slides/data'
	@echo '  make record              record the counters that the slides show, in slides/data'
	@echo
	@echo '  make test                the tests of the workbook itself'
	@echo '  make test-compilers      the CUDA programs through each clang from 14 to 19 that is here'
	@echo '  make mutants silence     every wrong solution rejected, every right one left alone (minutes)'
	@echo '  make hostile             submissions that mean harm, against the gate and the sandbox (minutes)'
	@echo '  make class-of-200        grade a class that is made up, whole and killed half-way: time, memory, marks'
	@echo '  make bench               how fast the emulated device is on this machine; with DEVICE=gpu all rungs'
	@echo '                           of all labs on the GPU, beside cuBLAS and the ceilings (CARD=h200 records them)'
	@echo '  make counters            what Nsight Compute counts in the solutions on the GPU; then make mark-counters,'
	@echo '                           which holds it against the emulated device and keeps it for the tests'
	@echo '  make reconvergence       what it counts where lanes part and meet again; needs DEVICE=gpu'
	@echo '  make fuzz                feed damaged PTX to the emulator for a minute (FUZZ_SECONDS=60)'
	@echo '  make fuzz-kernels        generated kernels, optimised and not (GENERATOR=file.c SEEDS="1 2" GPU_LINES=file)'
	@echo '  make same-reports        racy programs many times, on 1, 2 and 8 workers, beside a busy machine (REPEATS=200 BUSY=12)'
	@echo '  make format              lay out the sources; format-check only looks'
else
	@echo
endif
	@echo '  make clean               remove what was built (not what you achieved, no marks of a class)'
	@echo
	@echo '  DEVICE=emulated|gpu       default: gpu where there are one and nvcc, else emulated'
	@echo '  CARD=name                 what the emulated device is, from H200 (default) to GTX 460M: limits, occupancy,'
	@echo '                            memory, banks ($(CARDS))'
	@echo '  CUDA_COMPILER=clang|nvcc  front end of the emulated device; default: clang'
	@echo '  PRECISION=float|double    element type of the labs; default: float'
	@echo '  LABS=directory            whose labs$(if $(WHOLE),; LABS=solutions are the reference solutions)'
FIRST = $(or $(firstword $(LAB_NUMBERS)),01)
DOORS = $(or $(addprefix lab,$(LAB_NUMBERS)),no lab here yet)
