# SPDX-License-Identifier: GPL-3.0-or-later
# One Makefile for everything. Adding a source file changes nothing here.
# Knobs: V=1 shows commands, O=DIR builds elsewhere, SAN=1 builds with ASan and UBSan.

ifeq ($(filter clean help,$(MAKECMDGOALS)),)
ifeq ($(wildcard config.mak),)
$(error run ./configure first (or ./quickstart build, which does everything))
endif
endif
-include config.mak

O ?= build
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))

WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wpointer-arith \
	-Wvla -Wformat=2 -Wundef -Werror=implicit-function-declaration
ifeq ($(WERROR),yes)
WARNINGS += -Werror
endif
OPT := -O2 -g -fno-strict-aliasing -fstack-protector-strong -D_FORTIFY_SOURCE=2
ifdef SAN
OPT := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
LDSAN := -fsanitize=address,undefined
endif
# SAN=fuzz: the objects of a fuzzer (clang's libFuzzer)
ifeq ($(SAN),fuzz)
OPT += -fsanitize=fuzzer-no-link
LDSAN += -fsanitize=fuzzer
endif
BASE_CFLAGS := -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 $(OPT) $(WARNINGS) -MMD -MP $(USER_CFLAGS)

# What each folder may see. record/ is the contract and sees itself only.
RECORD_CFLAGS := $(BASE_CFLAGS) -I. -fvisibility=hidden -fPIC $(XXHASH_CFLAGS) $(LZ4_CFLAGS)
RECORD_LIBS := $(XXHASH_LIBS) $(LZ4_LIBS) -lm
ENGINE_CFLAGS := $(filter-out -Wvla,$(BASE_CFLAGS)) -I. -Iengine -fvisibility=hidden -fPIC -isystem $(FIO_SRC) \
	-include engine/config-host.h -DFIO_VERSION='"$(FIO_SRC_VERSION)"' $(XXHASH_CFLAGS) $(LZ4_CFLAGS)
ORCH_CFLAGS := $(BASE_CFLAGS) -I. -Iorchestrator -I$(O)/embedded -include orchestrator/banned.h \
	$(JANSSON_CFLAGS) $(NVME_CFLAGS) $(GSL_CFLAGS) $(BLKID_CFLAGS) $(MOUNT_CFLAGS) $(SMARTCOLS_CFLAGS) $(MD_CFLAGS)
ORCH_LIBS := $(JANSSON_LIBS) $(NVME_LIBS) $(GSL_LIBS) $(BLKID_LIBS) $(MOUNT_LIBS) $(SMARTCOLS_LIBS) $(MD_LIBS) $(RECORD_LIBS) -lpthread

objects = $(patsubst %.c,$(O)/%.o,$(wildcard $(1)))
RECORD := $(call objects,record/*.c)
ENGINE_OBJ := $(call objects,engine/*.c)
ORCH := $(call objects,orchestrator/*.c)
ORCH_LIB := $(filter-out $(O)/orchestrator/main.o,$(ORCH))
ENGINE_TOOLS := $(patsubst %.c,$(O)/%,$(wildcard tests/engine/*.c))
TEST_TOOLS := $(O)/tests/orchestrator/make-run $(O)/tests/orchestrator/simulate
UNIT_TESTS := $(patsubst %.c,$(O)/%,$(wildcard tests/record/test-*.c tests/orchestrator/test-*.c))

all: $(O)/nvmatch $(if $(filter yes,$(ENGINE)),$(O)/datastate.so)	## build the program and the engine
.PHONY: all example simulate check check-unit check-cli check-engine check-e2e check-asan check-fuzz fuzz-targets check-bare-root lab check-lab lint install uninstall clean help
.DELETE_ON_ERROR:
.SECONDARY:

$(O)/nvmatch: $(ORCH) $(RECORD)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDSAN) $(LDFLAGS) -o $@ $^ $(ORCH_LIBS)

# Built beside the name and renamed: a fio that has the old engine mapped keeps it.
$(O)/datastate.so: $(ENGINE_OBJ) $(RECORD) engine/engine.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(LDSAN) $(LDFLAGS) -Wl,--version-script=engine/engine.map -Wl,-z,nodelete \
		-o $@.new $(filter %.o,$^) $(RECORD_LIBS) -ldl -lpthread && mv $@.new $@

$(O)/record/%.o: record/%.c config.mak
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(RECORD_CFLAGS) -c -o $@ $<
$(O)/engine/%.o: engine/%.c config.mak
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ENGINE_CFLAGS) -c -o $@ $<
# Style sheet and gnuplot scripts go into the program: each line becomes a C string, for #include.
EMBEDDED := $(patsubst orchestrator/%,$(O)/embedded/%.inc,$(wildcard orchestrator/*.css orchestrator/*.gp))
$(O)/embedded/%.inc: orchestrator/%
	@mkdir -p $(@D)
	$(Q)sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@
$(ORCH): | $(EMBEDDED)
$(O)/orchestrator/%.o: orchestrator/%.c config.mak
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ORCH_CFLAGS) -c -o $@ $<
$(O)/tests/record/%: tests/record/%.c $(RECORD)
	$(call say,TEST,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(RECORD_CFLAGS) $(LDSAN) -o $@ $< $(RECORD) $(CMOCKA_LIBS) $(RECORD_LIBS)
# Helper programs of the engine's tests; those that test a part of the engine include its .c.
$(O)/tests/engine/%: tests/engine/%.c $(RECORD) config.mak
	$(call say,TEST,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(RECORD_CFLAGS) $(LDSAN) -o $@ $< $(RECORD) $(RECORD_LIBS)
$(O)/tests/orchestrator/%: tests/orchestrator/%.c $(ORCH_LIB) $(RECORD)
	$(call say,TEST,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ORCH_CFLAGS) $(LDSAN) -o $@ $< $(ORCH_LIB) $(RECORD) $(CMOCKA_LIBS) $(ORCH_LIBS)

# A change of configure runs it again with the options of the last time.
config.mak: configure VERSION
	$(Q)test -f config.mak && { $(CONFIGURE_COMMAND) >/dev/null && touch config.mak; }

TEST_ENV := NVMATCH_BUILD=$(abspath $(O)) NVMATCH_JOBS=$(CURDIR)/jobs FIO='$(FIO)'
check: all $(UNIT_TESTS) $(TEST_TOOLS) $(ENGINE_TOOLS)	## unit, command-line and engine tests (no NVMe drive needed)
	$(Q)$(TEST_ENV) tests/run $(UNIT_TESTS) tests/layers $(wildcard tests/cli/*.test) \
		$(if $(filter yes,$(ENGINE)),$(wildcard tests/engine/*.test tests/e2e/*.test))
check-unit: $(UNIT_TESTS)	## unit tests alone
	$(Q)$(TEST_ENV) tests/run $(UNIT_TESTS) tests/layers
simulate: $(O)/tests/orchestrator/simulate	## 200 simulated comparisons of equal and of different drives: how often the judge errs
	$(Q)$<
check-cli: all $(TEST_TOOLS)	## tests of the command line alone
	$(Q)$(TEST_ENV) tests/run $(wildcard tests/cli/*.test)
check-engine: all $(ENGINE_TOOLS)	## tests of the engine in a real fio alone
	$(Q)$(TEST_ENV) tests/run $(wildcard tests/engine/*.test)
check-e2e: all	## whole comparisons on zram devices alone (root)
	$(Q)$(TEST_ENV) tests/run $(wildcard tests/e2e/*.test)
check-asan:	## record/ and orchestrator/ with ASan and UBSan: unit and command-line tests
	$(Q)$(MAKE) --no-print-directory O=$(O)/asan SAN=1 ENGINE=no check-unit check-cli
# Fuzz targets; FUZZ_SECONDS of new inputs each, behind the replay of what is known
$(O)/tests/fuzz/%: tests/fuzz/%.c tests/fuzz/fuzz.h $(ORCH_LIB) $(RECORD)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ORCH_CFLAGS) $(LDSAN) -o $@ $< $(ORCH_LIB) $(RECORD) $(ORCH_LIBS)
fuzz-targets: $(patsubst %.c,$(O)/%,$(wildcard tests/fuzz/fuzz-*.c))
check-fuzz:	## replay the fuzzing corpus and fuzz for a short time (clang; FUZZ_SECONDS=N)
	$(Q)$(MAKE) --no-print-directory O=$(O)/fuzz CC=clang SAN=fuzz ENGINE=no fuzz-targets
	$(Q)$(TEST_ENV) FUZZ=$(abspath $(O))/fuzz/tests/fuzz TEST_TIMEOUT=7200 tests/run tests/fuzz/fuzz.test
# The lab: real NVMe devices of known truth in QEMU (docs/lab.md)
# Each folder in tests/lab is one shared library.
LAB_SO := $(patsubst tests/lab/%/,$(O)/lab/%.so,$(wildcard tests/lab/*/))
.SECONDEXPANSION:
$(LAB_SO): $(O)/lab/%.so: $$(wildcard tests/lab/%/*.[ch])
	$(call say,CC,tests/lab/$*)
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -MMD -MP,$(BASE_CFLAGS)) -fPIC -shared -fvisibility=hidden -o $@ $(filter %.c,$^) -lm
lab: $(LAB_SO)
	$(Q)tests/lab/prepare $(O)/lab
check-lab: all lab	## tests on simulated NVMe drives in QEMU (no root, no NVMe drive)
	$(Q)$(TEST_ENV) TEST_TIMEOUT=600 tests/run $(wildcard tests/lab/*.test)
check-bare-root:	## prove quickstart in a bare Debian 12 (root, debootstrap, network)
	$(Q)tests/bare-root $(O)/bare-root

C_FILES := $(wildcard record/*.[ch] engine/*.[ch] orchestrator/*.[ch] tests/*/*.[ch] tests/lab/*/*.[ch])
SH_FILES := configure quickstart .ci/run tests/run tests/layers tests/bare-root $(wildcard tests/cli/*.test tests/engine/*.test tests/e2e/*.test tests/fuzz/*.test tests/lib.sh) \
	$(filter-out $(patsubst %/,%,$(wildcard tests/lab/*/)),$(wildcard tests/lab/*))
lint:	## static checks of the sources and scripts
	$(Q)tests/lint "$(C_FILES)" "$(SH_FILES)"

example: all	## build the reports and pictures of results/example again (gnuplot)
	$(O)/nvmatch judge results/example >/dev/null; test $$? -eq 3
	rm -rf results/example/plots
	$(O)/nvmatch report results/example --format html -o results/example/report.html; test $$? -eq 3

DEST = $(DESTDIR)$(PREFIX)
install: all	## install below PREFIX (DESTDIR is honoured)
	install -d $(DEST)/bin $(DEST)/lib/nvmatch $(DEST)/share/nvmatch/jobs/suites \
		$(DEST)/share/nvmatch/jobs/baselines
	install -m 755 $(O)/nvmatch $(DEST)/bin/nvmatch
	$(if $(filter yes,$(ENGINE)),install -m 644 $(O)/datastate.so $(DEST)/lib/nvmatch/datastate.so)
	install -m 644 $(wildcard jobs/*.fio) $(DEST)/share/nvmatch/jobs
	install -m 644 $(wildcard jobs/suites/*.json) $(DEST)/share/nvmatch/jobs/suites
	install -m 644 $(wildcard jobs/baselines/*.json) $(DEST)/share/nvmatch/jobs/baselines
uninstall:	## remove what install put there
	rm -f $(DEST)/bin/nvmatch
	rm -rf $(DEST)/lib/nvmatch $(DEST)/share/nvmatch

clean:	## remove what was built
	rm -rf $(O)
help:	## this list
	@awk -F '\t*## ' '/^[a-z-]+:.*## / { split($$1, t, ":"); printf "  %-14s %s\n", t[1], $$2 }' Makefile

-include $(shell find $(O) -name '*.d' 2>/dev/null)
