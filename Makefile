# make serve   builds a release of aasa and serves Config/ on https://localhost:8443
# make build   builds a release: .build/release/aasa and .build/release/certcheck
# make test    builds and runs all tests; shows progress and failures, the rest is in .build/test.log
# make check   what a change has to pass: tests, format, sizes, a smoke test of `make serve` and of a package that uses
#              the library, packages, `make fuzz`
# make docs    writes the generated tables of docs/ and the outputs of the examples in README.md and docs/
# make bench   builds .build/release/aasa-bench and .build/release/aasa-fuzz
# make fuzz    compares the router with the reference matcher on random files, counts its allocations, checks and fixes
#              mutated files, reads mutated certificates, app files (also such as are made to take long) and signed Android
#              apps, judges domains with mutated answers, reads mutated caches of a store, and gives the server's parsers,
#              TLS and HTTP/2 mutated input; inserts hostile captures into the targets of links
# make test-browser   checks the pages of the console and of links in Chromium, and leaves screenshots in .build/browser/
# make test-editors   checks the schemas of `aasa schema` with programs from PyPI, which it installs into .build/editors/
# make deb     makes a Debian package in .build/dist/; make tarball an archive, make image a container image, make dist
#              all of them and SHA256SUMS. BINARIES=FOLDER takes the programs there, and needs no Swift
# make packages   makes all packages twice, compares, installs, upgrades, removes and runs them, in folders of their own
# make soak    a release server under good and hostile load for ten minutes, or SECONDS=60: nothing may grow or fail
# make sanitize   runs all tests under AddressSanitizer, which looks for leaks, too, and under ThreadSanitizer; it takes
#              15 minutes or more
#
# They install what is missing from Debian, and ask first; root and CI=true are not asked.

.PHONY: serve aasa build built-tests bench test test-browser test-editors check docs fuzz soak sanitize format lint size smoke setup clean announcement components \
	deb tarball image dist packages

AASA = .build/release/aasa

# For debug builds only (Package.swift).
export AASA_OPTIMIZE_TESTS = 1

# Programs and tests are compiled alike, so that each module is compiled once for both.
COMPILE = AASA_SMALL_PROGRAMS=1 swift build -c release -Xswiftc -Xfrontend -Xswiftc -function-sections

# A release is one file that runs on a machine without Swift. What makes it small and quick to start: each function has a
# section of its own, so that lld leaves out those that nothing uses and keeps equal ones once (safe: unless something
# compares their addresses); the addresses that the loader adjusts are packed, which needs glibc 2.36; nothing is exported;
# libstdc++ and libgcc are linked in, where the machine has them as archives (loading them took a seventh of a start);
# there are no tables for unwinding, which take an eighth of the file and which nothing reads.
ARCHIVES = .build/archives
RELEASE = AASA_STATIC_PROGRAMS=1 $(COMPILE) --disable-local-rpath \
	-Xlinker --icf=safe -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
	-Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker Packaging/release.ld

serve: announcement aasa
	@certs/make-dev-certs
	@echo "try:  curl --cacert certs/dev-ca.pem https://localhost:8443/.well-known/apple-app-site-association"
	@exec $(AASA) serve --config Config/server.json

announcement:
	@[ -e $(AASA) ] || echo "first build: takes about ten minutes on two cores; the next ones take seconds"

aasa: setup $(ARCHIVES)
	$(RELEASE) --product aasa

# Of certcheck equal functions are kept once whatever takes their addresses: it has no threads, and is near its limit.
build: aasa
	$(RELEASE) -Xlinker --icf=all --product certcheck

# Has no shared libstdc++, so that the linker takes the archive.
$(ARCHIVES):
	@mkdir -p $@
	@archive=$$(clang -print-file-name=libstdc++.a) && [ ! -f "$$archive" ] || ln -s "$$archive" $@

test: setup
	@.ci/test

# The tests start the programs of a release. These come second: few modules are left for them, which are compiled one after
# the other.
built-tests: setup
	$(COMPILE) --product swift-universal-linksPackageTests
	@$(MAKE) --no-print-directory build

test-browser: aasa
	@.ci/setup chromium python3 zbarimg=zbar-tools
	$(RELEASE) --product console-sample
	Tests/Browser/test-console
	Tests/Browser/test-links

test-editors: aasa
	@.ci/setup python3
	@python3 -m ensurepip --version >/dev/null 2>&1 || .ci/setup python3-venv
	Tests/Editors/test-editors

check: components test lint size smoke packages fuzz

docs: built-tests
	AASA_WRITE_DOCS=1 swift test -c release --skip-build --no-parallel --disable-xctest \
		--filter 'DocumentationExamplesTests|GeneratedPagesTests'

deb tarball image dist: $(if $(BINARIES),,build)
	Packaging/package $(or $(BINARIES),.build/release) $@

packages: build
	.ci/packages

bench: setup $(ARCHIVES)
	$(RELEASE) --product aasa-bench
	$(RELEASE) --product aasa-fuzz

# A release build: what a decision costs, and whether it allocates, says nothing in a debug build.
fuzz: bench
	.build/release/aasa-bench allocations
	.build/release/aasa-fuzz router 5 --seed 1 --hostile 60
	.build/release/aasa-fuzz lint 20000 --seed 1
	.build/release/aasa-fuzz certificates 20000 --seed 1
	.build/release/aasa-fuzz server 200000 --seed 1
	.build/release/aasa-fuzz http2 100000 --seed 1
	.build/release/aasa-fuzz apps 20000 --seed 1
	.build/release/aasa-fuzz apps 0 --hostile
	.build/release/aasa-fuzz doctor 5000 --seed 1
	.build/release/aasa-fuzz acme 20000 --seed 1
	.build/release/aasa-fuzz store 20000 --seed 1
	.build/release/aasa-fuzz android 2000 --manifests 100000 --seed 1
	.build/release/aasa-fuzz signatures 20000 --seed 1
	.build/release/aasa-fuzz links 40000 --seed 1
	.build/release/aasa-fuzz import 20000 --seed 1

sanitize: setup
	.ci/sanitize address
	.ci/sanitize thread

SECONDS ?= 600
soak: setup
	.ci/soak $(SECONDS)

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks

format:
	swift format --in-place --recursive Package.swift Sources Tests Benchmarks

size: build
	.ci/size

smoke: aasa
	.ci/smoke
	.ci/library

setup:
	@.ci/setup

# What tests start; those whose component is missing are skipped, but not where CI=true.
components:
	@.ci/setup --components

clean:
	rm -rf .build
