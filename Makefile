# The front door. `make` builds build/hsvm, `make demo` shows it, `make test` passes every test.
# All of them install what is missing from Debian's packages first (tools/bootstrap; nothing happens when all is there).

JOBS ?= $(shell nproc)
CTEST := ctest --output-on-failure --no-tests=error
empty :=
space := $(empty) $(empty)

.PHONY: all demo test test-release test-asan test-tsan test-python test-python-asan wheel r-package test-r test-r-asan check-r bench bench-python bench-r bench-solve bench-cv bench-accuracy bench-real bench-data bench-bounds bench-ranks reproduce reproduce-quick format check-format lint install clean bootstrap

all: build/build.ninja
	cmake --build build -j $(JOBS) --target hsvm_cli

bootstrap:
	@tools/bootstrap

build/build.ninja: CMakeLists.txt CMakePresets.json cmake/options.cmake | bootstrap
	cmake --preset release

demo: all
	build/hsvm demo -m build/demo-model.json

test: test-release test-asan test-python test-r

# Ranks and a browser spend their time waiting: one test more than there are cores.
MORE_JOBS := $(shell expr $(JOBS) + 1)

# What has code for several generations of processors (hsvm/core/clones.hpp), which the sanitizers' build lacks, what tries
# more cases than the sanitizers have time for (tests/support/effort.hpp), and the program itself.
RELEASE_TESTS := core linalg data loss solve newton app
test-release: build/build.ninja
	cmake --build build -j $(JOBS) --target hsvm_cli $(RELEASE_TESTS:%=%_test)
	@tools/bootstrap browser || echo "make: no browser to be had: pages of hsvm report are not tried in one"
	$(CTEST) -j $(MORE_JOBS) --test-dir build -R '^($(subst $(space),|,$(RELEASE_TESTS))|package|browser)/'

# Every test, some with fewer cases, with assertions and the address and undefined-behaviour sanitizers. The tests that run
# the program are those of the release build.
test-asan: build/build.ninja
	cmake --build build -j $(JOBS) --target app_test
	cmake --preset asan
	cmake --build build/asan -j $(JOBS)
	$(CTEST) -j $(JOBS) --test-dir build/asan

# The Python package, as a wheel, in environments under build/ with what PyPI has; says so and goes on where it has nothing.
test-python: all
	JOBS=$(JOBS) bindings/python/run test

# Its suite under the address sanitizer.
test-python-asan: all
	JOBS=$(JOBS) bindings/python/run asan

# build/wheels/hsvm-*.whl, which runs with NumPy, SciPy and scikit-learn alone.
wheel: all
	JOBS=$(JOBS) bindings/python/run wheel

# build/r/hsvm_*.tar.gz: the R package with the library's sources in it. `R CMD INSTALL` needs a compiler and TBB for it.
r-package: all
	@tools/bootstrap r
	bindings/r/run package

# The R package around the library that is built here, and its tests.
test-r: all
	@tools/bootstrap r
	JOBS=$(JOBS) bindings/r/run test

# Its suite under the address and undefined-behaviour sanitizers.
test-r-asan: all
	@tools/bootstrap r
	JOBS=$(JOBS) bindings/r/run asan

# R CMD check --as-cran on the tarball, vignettes and manual included.
check-r: all
	@tools/bootstrap r-check
	JOBS=$(JOBS) bindings/r/run check

# What runs on several threads, under the thread sanitizer. TBB itself is not built with it, hence the options.
test-tsan: | bootstrap
	cmake --preset tsan
	cmake --build build/tsan -j $(JOBS) --target core_test data_test solve_test newton_test api_test
	TSAN_OPTIONS=ignore_noninstrumented_modules=1:suppressions=$(CURDIR)/tools/tsan.supp \
	  $(CTEST) -j $(JOBS) --test-dir build/tsan -R '^(core|data|solve|newton|api)/'

bench: | bootstrap
	@tools/bootstrap bench
	cmake --preset bench
	cmake --build build -j $(JOBS)
	bench/run

# The solvers against their targets and rivals; see bench/run-solve. GROUPS="dense small" runs some of it.
bench-solve: | bootstrap
	@tools/bootstrap bench-solve
	cmake --preset bench
	cmake --build build -j $(JOBS) --target solve_bench path_bench
	bench/run-solve $(GROUPS)

# What cross-validation costs beside one path, and what it gives on the paper's data and splits.
bench-cv: | bootstrap
	@tools/bootstrap bench
	cmake --preset bench
	cmake --build build -j $(JOBS) --target cv_bench accuracy_bench
	build/bench/cv_bench
	build/bench/cv_bench --standardize
	build/bench/accuracy_bench

# `hsvm cv` as it comes against cv.glmnet as it comes, same folds, on real data; see bench/run-accuracy. GROUPS="binary iris.scale"
# runs some of it, FLAGS=--reuse keeps what cv.glmnet had before.
bench-accuracy: all
	@tools/bootstrap bench-accuracy
	bench/run-accuracy $(FLAGS) $(GROUPS)

# Paths, cross-validation and single fits on every real dataset, beside glmnet's; see bench/run-real. GROUPS="binary dna.scale" runs
# some of it, FLAGS="--parts path --reuse" some parts, keeping what is there.
bench-real: | bootstrap
	@tools/bootstrap bench-real
	cmake --preset bench
	cmake --build build -j $(JOBS) --target real_bench
	bench/run-real $(FLAGS) $(GROUPS)

# HuberizedSVC and HuberizedSVCCV against their rivals in Python, the overhead of a fit, and its memory on a gigabyte of data.
bench-python: all
	JOBS=$(JOBS) bindings/python/run bench

# hsvm() and cv.hsvm() against glmnet and e1071 in one R session, and the memory of a fit on a gigabyte of data.
bench-r: all
	@tools/bootstrap bench-r
	JOBS=$(JOBS) bindings/r/run bench

# The whole grid on real data (HSVM_DATA, else ../shared/data).
bench-data: | bootstrap
	@tools/bootstrap bench
	cmake --preset bench
	cmake --build build -j $(JOBS) --target datasets_bench
	build/bench/datasets_bench

# Samples divided over 1, 2, 3 and 4 ranks of MPI, and what that says of clusters (docs/scale.md).
bench-ranks: | bootstrap
	@tools/bootstrap bench
	cmake --preset bench
	cmake --build build -j $(JOBS) --target hsvm_cli ranks_data ranks_speed
	bench/run-ranks
	bench/scale_model

# Bounds and statuses at the ends of what numbers can hold: features of any size, hardly any penalty, columns that coincide.
bench-bounds: | bootstrap
	@tools/bootstrap bench
	cmake --preset bench
	cmake --build build -j $(JOBS) --target bounds_bench
	build/bench/bounds_bench

# The paper's tables again (docs/reproduction.md), with real data from HSVM_DATA where there is any. Says first how long it takes;
# every finished trial is kept, so that the same command goes on after an interruption.
HSVM_DATA ?= $(wildcard ../shared/data)
REPRODUCE = build/hsvm-lab run $(if $(HSVM_DATA),--data $(HSVM_DATA))

reproduce: build/build.ninja
	cmake --build build -j $(JOBS) --target hsvm_lab
	$(REPRODUCE)
	build/hsvm-lab report -o docs/reproduction.md --html docs/reproduction.html

# The same on small sizes, within ten minutes.
reproduce-quick: build/build.ninja
	cmake --build build -j $(JOBS) --target hsvm_lab
	$(REPRODUCE) --quick --results results/quick
	build/hsvm-lab report --results results/quick -o results/quick/reproduction.md --html results/quick/reproduction.html

format:
	git ls-files '*.hpp' '*.cpp' | xargs clang-format -i

check-format: | bootstrap
	git ls-files '*.hpp' '*.cpp' | xargs clang-format --dry-run -Werror

# The tree passes its own clang-format and clang-tidy configurations. clang-tidy cannot read GCC's precompiled headers, and
# looks for the command that compiles each file.
lint: check-format
	cmake --preset release -B build/lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_UNITY_BUILD=OFF > /dev/null
	cmake --build build/lint --target hsvm_lab_revision > /dev/null
	git ls-files 'hsvm/*.cpp' 'app/*.cpp' 'datasets/*.cpp' 'baselines/*.cpp' 'experiments/*.cpp' | xargs -P $(JOBS) -n 4 clang-tidy --quiet -p build/lint

install: build/build.ninja
	cmake --build build -j $(JOBS) --target hsvm_cli
	cmake --install build

clean:
	rm -rf build
