# Included by the Makefile in each lab's folder: a command typed there runs in the workbook's
# folder. leave.sh ends this make without its own line about an error that the other make has
# reported.
IN_ROOT = @$(MAKE) --no-print-directory -C ../..
.PHONY: help
help: ; $(IN_ROOT) help
%: ; $(IN_ROOT) $@ || { set -- 1 $$PPID; . ../../common/make/leave.sh; }
Makefile ../../common/make/from_lab.mk: ;
