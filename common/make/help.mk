# The text of `make help`, which fits on a screen of 80 columns and 24 lines, and the additional
# text of `make help-all`. A handout has fewer commands, because it has no solutions, lectures and
# tests. Included by the Makefile.

.PHONY: help help-all
help:
	@echo 'Lockstep: write CUDA kernels and see what they really do, with or without a GPU.'
	@echo
	@echo '  make setup               install what is missing (Debian, Ubuntu; lists it)'
	@echo
	@echo '  make lab$(FIRST)               check a lab: one verdict, one next step'
	@echo '                           ($(DOORS))'
	@echo '  make hint$(FIRST)              a hint for the first open task (or TASK=2)'
	@echo '  make watch$(FIRST)             check again at every save, until ctrl-C'
	@echo '  make progress            all labs at a glance'
	@echo
	@echo '  make run$(FIRST)               run the program of a lab (ARGS=--help)'
	@echo '  make profile$(FIRST)           line by line: its cost, and advice (JSON=file)'
	@echo '  make view$(FIRST)              both as a page, with maps of banks and sectors'
	@echo '  make race$(FIRST)              an order of warps in which a race goes wrong'
	@echo '  make step$(FIRST)              step through a kernel, choose which warp goes next'
	@echo '  make predict$(FIRST)           its time on every card, predicted'
	@echo '  make sweep$(FIRST)             at many sizes, curves (ARGS="--sweep 8:128:8")'
	@echo '  make play FILE=any.cu    compile and run any CUDA program (ARGS="...")'
	@echo
	@echo '  make help-all            the other commands$(if $(WHOLE), (teaching, tests)) and the options'

help-all: help
	@echo
	@echo 'More for the labs'
	@echo '  make grade               check all labs; marks as JSON and JUnit in build/'
	@echo '  make change$(FIRST) TASK=2     the last hint: a change that makes the task pass'
	@echo '  make check-as-class$(FIRST)    check as a class is graded, in a sandbox'
ifneq ($(MOVING),)
	@echo '  make animate06           the bodies of lab 06 as an animation'
	@echo '                           (ARGS="--fill linear")'
endif
	@echo '  make clean               remove what was built, but keep your progress'
	@echo
	@echo 'Any CUDA program'
	@echo '  make play                FILE="a.cu b.cu" FLAGS="-Ifolder -DN=3" LIBS=-lname'
	@echo '  make play DIR=folder     one with a Makefile, or all the files in it'
	@echo '  make lockstep-cc         a compiler that replaces nvcc'
	@echo '  make setup-libraries     for programs that call cuBLAS, cuFFT, thrust and cub'
	@echo '  make profile FILE=any.cu show what each line did'
	@echo '  make view FILE=any.cu    the same as a page'
	@echo '  make race FILE=any.cu    an order of warps in which a race changes a number'
	@echo '  make step FILE=any.cu    step through it, choose which warp goes next'
ifneq ($(WHOLE),)
	@echo
	@echo 'Teaching (checker/TEACHING.md)'
	@echo '  make demo                run the solutions, a screen each (shows answers)'
	@echo '  make grade SUBMISSIONS=folder'
	@echo '                           grade a class: the archive of a learning platform,'
	@echo '                           or a folder with an entry for each student'
	@echo '  make class-list SUBMISSIONS=folder'
	@echo '                           lists the file of each student, grades nothing'
	@echo '  make points POINTS=file  check a file of points and show it'
	@echo '  make change$(FIRST) LABS=build/class/NAME/in/ID TASK=2'
	@echo '                           the same for what a student handed in'
	@echo '  make questions SEED=2027 draw other numbers for predictions in labs 04 and 06'
	@echo '  make handout             the archive for students (ONLY="01 02": these labs)'
	@echo '  make gradescope$(FIRST)        the autograder of a lab for Gradescope'
	@echo '  make slides              the lectures, HTML and PDF, in build/slides'
	@echo
	@echo 'The workbook itself'
	@echo '  make test                its tests (VERBOSE=yes: a line for each)'
	@echo '  make test-compilers      its CUDA programs through each clang from 14 to 19'
	@echo '  make others LIST=file    programs of other people, fetched, built and run'
	@echo '                           (OTHERS=folder: fetched already; LIMIT=60: seconds)'
	@echo '  make mutants silence     wrong solutions rejected, right ones left alone'
	@echo '  make mutation            generated mistakes that pass (LAB=03 MOST=40)'
	@echo '  make honest              right but unusual solutions keep full marks'
	@echo '                           (SCHEDULES=20: 20 orders, two compilers; LAB=03)'
	@echo '  make bent                files whose given part was changed'
	@echo '  make hostile             hostile submissions, in the sandbox'
	@echo '  make class-of-200        a made-up class, whole and killed half-way'
	@echo '  make predicted-error     predicted times beside measured ones, the errors'
	@echo '  make stated-error        the errors shown with predictions, computed again'
	@echo '  make bench               speed of the emulated device; on a GPU: all kernels'
	@echo '                           beside cuBLAS (DEVICE=gpu CARD=h200 records them)'
	@echo '  make counters            what Nsight Compute counts in the solutions; then'
	@echo '                           make mark-counters keeps it for the tests'
	@echo '  make reconvergence       the same for divergent lanes (DEVICE=gpu)'
	@echo '  make fuzz-ptx            damaged PTX for the emulator (RUNS=1000000)'
	@echo '  make fuzz-kernels        generated kernels, compiled in many ways'
	@echo '                           (GENERATOR=file.c SEEDS="1 2" GPU_LINES=file)'
	@echo '  make same-reports        racy programs many times, beside a busy machine'
	@echo '                           (REPEATS=200 BUSY=12)'
	@echo '  make weave               fill in code and numbers on the slides'
	@echo '  make figures             draw maps and charts of the slides again'
	@echo '  make record              record the counters that the slides show'
	@echo '  make words ROOM=folder   comments and lines that are hard to read'
	@echo '  make architecture        draw which folders use which, for contributors'
	@echo '  make format              format the sources; format-check only checks'
endif
	@echo
	@echo 'Options'
	@echo '  DEVICE=emulated|gpu      default: gpu if there is a GPU and nvcc'
	@echo '  CARD=name                the card that is emulated, h200 by default:'
	@echo '                           $(wordlist 1,6,$(CARDS))'
	@echo '                           $(wordlist 7,11,$(CARDS))'
	@echo '                           $(wordlist 12,99,$(CARDS))'
	@echo '  CUDA_COMPILER=clang|nvcc front end of the emulated device; default: clang'
	@echo '  PRECISION=float|double   element type of the labs; default: float'
	@echo '  LABS=directory           the labs$(if $(WHOLE),; LABS=solutions: the reference solutions)'
DOORS = $(or $(addprefix lab,$(LAB_NUMBERS)),no lab here yet)
