# The text of `make help`, which fits on a screen of 80 columns and 24 lines, and the additional
# text of `make help-all`. A handout has fewer commands, because it has no solutions, lectures and
# tests. Included by the Makefile.

.PHONY: help help-all
help:
	@echo 'Lockstep: write CUDA kernels and see what they really do, with or without a GPU.'
	@echo
	@echo '  make setup               list and install missing packages (Debian, Ubuntu)'
	@echo
	@echo '  make lab$(FIRST)               check a lab: one verdict, one next step'
	@echo '                           ($(DOORS))'
	@echo '  make hint$(FIRST)              give a hint for the first open task (or TASK=2)'
	@echo '  make watch$(FIRST)             check again at every save, until ctrl-C'
	@echo '  make progress            show the progress in all labs'
	@echo
	@echo '  make run$(FIRST)               run the program of a lab (ARGS=--help)'
	@echo '  make profile$(FIRST)           the cost of each line, and advice (JSON=file)'
	@echo '  make view$(FIRST)              verdict and profile as a page, with maps of banks'
	@echo '  make race$(FIRST)              find an order of warps that makes a race visible'
	@echo '  make step$(FIRST)              step through a kernel and choose the next warp'
	@echo '  make predict$(FIRST)           predict the time of a lab on every card'
	@echo '  make sweep$(FIRST)             curves over many sizes (ARGS="--sweep 8:128:8")'
	@echo '  make play FILE=any.cu    compile and run any CUDA program (ARGS="...")'
	@echo
	@echo '  make help-all            the other commands$(if $(WHOLE), (teaching, tests)) and the options'

help-all: help
	@echo
	@echo 'More for the labs'
	@echo '  make grade               check all labs; write marks as JSON and JUnit'
	@echo '  make change$(FIRST) TASK=2     the last hint: a change that makes the task pass'
	@echo '  make check-as-class$(FIRST)    check in a sandbox, like a submission of a class'
ifneq ($(MOVING),)
	@echo '  make animate06           draw the bodies of lab 06 as an animation'
	@echo '                           (ARGS="--fill linear")'
endif
	@echo '  make clean               remove the compiled files, but keep your progress'
	@echo
	@echo 'Any CUDA program'
	@echo '  make play                FILE="a.cu b.cu" FLAGS="-Ifolder -DN=3" LIBS=-lname'
	@echo '  make play DIR=folder     a program with a Makefile, or all files in a folder'
	@echo '  make lockstep-cc         make a compiler command that replaces nvcc'
	@echo '  make setup-libraries     install cuBLAS, cuFFT, thrust and cub for programs'
	@echo '  make profile FILE=any.cu show the cost of each line'
	@echo '  make view FILE=any.cu    show the profile as a page'
	@echo '  make race FILE=any.cu    find an order of warps that makes a race visible'
	@echo '  make step FILE=any.cu    step through a kernel and choose the next warp'
ifneq ($(WHOLE),)
	@echo
	@echo 'Teaching (checker/TEACHING.md)'
	@echo '  make demo                run the solutions, a screen each (shows answers)'
	@echo '  make grade SUBMISSIONS=folder'
	@echo '                           grade a class: the archive of a learning platform,'
	@echo '                           or a folder with an entry for each student'
	@echo '  make class-list SUBMISSIONS=folder'
	@echo '                           list the file of each student, but grade nothing'
	@echo '  make points POINTS=file  check and show a file with the points of a class'
	@echo '  make change$(FIRST) LABS=build/class/NAME/in/ID TASK=2'
	@echo '                           the last hint for the submission of a student'
	@echo '  make questions SEED=2027 choose other numbers to predict in labs 04 and 06'
	@echo '  make handout             make the archive for students (ONLY="01 02": labs)'
	@echo '  make gradescope$(FIRST)        make the autograder of a lab for Gradescope'
	@echo '  make slides              make the lectures as HTML and PDF in build/slides'
	@echo
	@echo 'The workbook itself'
	@echo '  make test                run all tests (VERBOSE=yes: print a line for each)'
	@echo '  make test-compilers      test the CUDA programs with each clang from 14 to 19'
	@echo '  make others LIST=file    fetch, build and run programs of other people'
	@echo '                           (OTHERS=folder: use this copy; LIMIT=60: seconds)'
	@echo '  make mutants silence     test that wrong solutions fail and right ones pass'
	@echo '  make mutation            find generated mistakes that pass (LAB=03 MOST=40)'
	@echo '  make honest              test that unusual right solutions get full marks'
	@echo '                           (SCHEDULES=20: 20 orders, two compilers; LAB=03)'
	@echo '  make bent                grade files whose given part was changed'
	@echo '  make hostile             grade hostile submissions in the sandbox'
	@echo '  make class-of-200        grade a made-up class, also after a kill half-way'
	@echo '  make predicted-error     compare predicted times with measured times'
	@echo '  make stated-error        update the errors that are shown with predictions'
	@echo '  make bench               time the emulated device; on a GPU: all kernels'
	@echo '                           beside cuBLAS (DEVICE=gpu CARD=h200 records them)'
	@echo '  make counters            count the solutions with Nsight Compute; then'
	@echo '                           make mark-counters keeps the counts for the tests'
	@echo '  make reconvergence       record how divergent lanes reconverge (DEVICE=gpu)'
	@echo '  make fuzz-ptx            give damaged PTX to the emulator (RUNS=1000000)'
	@echo '  make fuzz-kernels        run generated kernels, compiled in many ways'
	@echo '                           (GENERATOR=file.c SEEDS="1 2" GPU_LINES=file)'
	@echo '  make same-reports        run racy programs many times on a busy machine'
	@echo '                           (REPEATS=200 BUSY=12)'
	@echo '  make weave               fill in code and numbers on the slides'
	@echo '  make figures             draw maps and charts of the slides again'
	@echo '  make record              record the counters that the slides show'
	@echo '  make words ROOM=folder   list comments and lines that are hard to read'
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
