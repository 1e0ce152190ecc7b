# The commands of the README and their friends. Each first makes sure that the packages it needs are there
# (tools/install_packages); the building is CMake's (CMakePresets.json).

FUZZ_SECONDS ?= 600

.PHONY: all help demo test verify bench figures format soak clean

all: ## build the libraries and the program: build/bin/abut
	@tools/install_packages build
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@echo "The program is build/bin/abut"

help: ## say what there is
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' Makefile

demo: all ## draw, bake, collide, and simulate two scenes as pages that play them, into build/demo
	@tools/run_demo

test: ## build by gcc, run all tests, examples and checks; a few minutes; ends with "N passed, 0 failed"
	@tools/install_packages test
	@tools/run_tests gcc

verify: ## the rest of what must hold: clang, the same bits, sanitizers, fuzz targets; ends alike
	@tools/install_packages verify
	@tools/run_tests clang asan tsan fuzz

bench: ## measure against the peers, in ratios; afterwards build/bin/abut bench NAME works
	@tools/install_packages bench
	-@tools/install_npm bench/peers/npm
	@cmake --preset release -DABUT_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release
	build/bin/abut bench accuracy
	build/bin/abut bench bake quick
	build/bin/abut bench broad quick
	build/bin/abut bench bullet quick
	build/bin/abut bench eval
	build/bin/abut bench families quick
	-build/bin/abut bench gpu quick # fails where there is no device
	build/bin/abut bench krayer quick
	build/bin/abut bench load
	build/bin/abut bench npm quick tori
	build/bin/abut bench pairs quick
	build/bin/abut bench hull quick
	build/bin/abut bench points quick
	build/bin/abut bench sample
	build/bin/abut bench segments quick
	build/bin/abut bench throw quick
	build/bin/abut bench drop quick

figures: ## draw the pictures of docs/images that a program makes
	@tools/install_packages test
	@cmake --preset gcc >/dev/null
	@cmake --build --preset gcc --target example_orders abut_cli
	tools/draw_pipeline docs/images/pipeline.svg >/dev/null
	build/gcc/examples/example_orders docs/images/orders.png 300
	build/gcc/bin/abut collide sphere:0.6 cone:0.7,1.2 --pose 0.75,-0.25,0 --spacing 0.1 --size 720x580 \
		--picture docs/images/contacts.png >/dev/null
	build/gcc/bin/abut sweep torus:1,0.3 box:0.25,0.9,0.25 --from -0.4,2.2,0 \
		--to 2.4,-1.8,0 --turn 0,0,5 --points 2000 \
		--size 720x740 --picture docs/images/sweep.png >/dev/null
	build/gcc/bin/abut overlap gear:20,0.05,0.2 gear:12,0.05,0.1 -p 0.3,0,0.05,0.5,0.5,0.5,0.5 \
		--axes y --resolution 72 --picture docs/images/image_space.png >/dev/null
	build/gcc/bin/abut simulate pile --seconds 2 -o build/gcc/pile.html >/dev/null
	node viewer/picture.js build/gcc/pile.html docs/images/viewer.png 26 16
	build/gcc/bin/abut simulate scenes/cascade.json -o build/gcc/cascade.html >/dev/null
	node viewer/film.js build/gcc/cascade.html docs/images/cascade.webp

format: ## format every C file in place
	@tools/install_packages format
	@tools/format

soak: ## long fuzzing (FUZZ_SECONDS each, default 600), and the same bits on 64-bit Arm
	@tools/install_packages soak
	@tools/run_soak $(FUZZ_SECONDS)

clean: ## remove build/
	rm -rf build
