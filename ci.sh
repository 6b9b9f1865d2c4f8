#!/usr/bin/env bash
# Every check of the project. `./ci.sh` runs all jobs, `./ci.sh WORD...` only these.
# What a job needs beyond Rust and a C compiler it installs itself.
set -euo pipefail
cd "$(dirname "$0")"

# In this order: what others wait for and what takes longest first, what is short last, so that both workers end together.
jobs=(fmt studio-page test bench lint features studio codegen python mutants report attack-short c-library controller docs program exchange no-std)
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
# In CI, and where all jobs run, nothing is debugged: leaner builds.
[ "${CI:-}" = true ] || [ $# = 0 ] && export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0

# Something done with apt, one at a time, because jobs run side by side; with fresh lists of packages. Where these cannot be
# fetched, or another program fetches them just now, it is tried again; at last those that are there serve.
with_packages() { # command, with its words as "$@"
    local root=""
    [ "$(id -u)" = 0 ] || root=sudo
    mkdir -p target
    flock target/apt.lock $root sh -c '
        for _ in 1 2 3 4 5; do apt-get update -qq && break; sleep 5; done
        '"$1" sh "${@:2}"
}

# Debian packages.
install() { # package...
    command -v apt-get >/dev/null || return 0
    with_packages 'apt-get install -y -qq -o DPkg::Lock::Timeout=600 "$@" >/dev/null' "$@"
}

# A program that a job needs, from its Debian package if it is missing.
need() { # program package
    command -v "$1" >/dev/null && return
    install "$2"
    command -v "$1" >/dev/null || { echo "error: \`$1\` is needed: install the package \`$2\`" >&2; exit 1; }
}

# A fresh Python environment.
environment() { # folder
    need python3 python3-venv
    python3 -m venv --clear "$1" || { install python3-venv && python3 -m venv --clear "$1"; }
}

# A Python environment with what a file of requirements names; made again when the file changes.
environment_of() { # folder requirements
    cmp -s "$2" "$1/requirements.txt" && return
    environment "$1"
    "$1/bin/pip" install -q --disable-pip-version-check -r "$2"
    cp "$2" "$1/requirements.txt"
}

# The packages that the pages are made and tested with: once, for all jobs that want them.
web_packages() {
    local web=crates/legwork-studio/web
    mkdir -p target
    WEB=$web flock target/npm.lock sh -c 'cmp -s $WEB/package-lock.json $WEB/node_modules/.complete || {
        npm --prefix $WEB ci --ignore-scripts --no-audit --no-fund >/dev/null && cp $WEB/package-lock.json $WEB/node_modules/.complete
    }'
}

# Two builds serve all jobs: everything unoptimised with all features, and the optimised program. The latter unwinds, which
# `cargo run --release` does not, because the wheel of the Python package is made of the same build.
# Any other choice of packages or features changes the features of some dependency and builds the library once more.
all=(--workspace --all-features)
# With words, of the former only these: --bin NAME, --example NAME. One of them has to be an example or a test: a program alone has
# fewer features in its dependencies, which would then be built once more.
unoptimised() { # --bin NAME or --example NAME...
    [ $# -gt 0 ] || set -- --bins --tests --examples
    cargo build -q "${all[@]}" "$@"
}
optimised() { CARGO_PROFILE_RELEASE_PANIC=unwind cargo build -q --release --workspace --bins; }

job_fmt() { cargo fmt --all --check; }

job_lint() { cargo clippy -q "${all[@]}" --all-targets -- -D warnings; }

# A Python with the libraries of others, in target/venv; its name is in LEGWORK_PYTHON, so tests that need one of the
# libraries fail without it instead of passing over.
need_python() {
    environment_of target/venv ci/requirements.txt
    export LEGWORK_PYTHON=$PWD/target/venv/bin/python
}

job_test() {
    need_python
    unoptimised
    optimised
    # Tests of the program run the optimised one; it computes the same bits.
    export LEGWORK_PROGRAM=$PWD/target/release/legwork
    cargo test -q "${all[@]}"
    # A million bad samples to a supervised regulator.
    cargo test -q "${all[@]}" --test control -- --ignored injection::
    # Ten thousand random paths: none is refused without a reason.
    cargo test -q "${all[@]}" --test trajectory -- --ignored
    # Every built-in robot along its default path.
    cargo test -q "${all[@]}" --test experiment -- --ignored
}

# The core with no feature and with each alone; the program without pages; the library with each feature alone.
# Everything with its defaults is the optimised build.
job_features() {
    for features in "" std simd trace; do
        cargo check -q -p legwork-core --no-default-features --features "$features"
    done
    cargo check -q -p legwork-cli --no-default-features
    for features in foreign-recordings schema; do
        cargo check -q -p legwork --features $features
    done
}

# The core links without an allocator, cannot panic, and runs when called from C.
job_no-std() {
    need cc gcc
    cargo build -q --release --manifest-path ci/no-alloc/Cargo.toml --target-dir target/no-alloc
    cc -O2 -std=c99 -Wall -Werror ci/no-alloc/main.c target/no-alloc/release/libno_alloc.a \
        -Wl,--gc-sections -o target/no-alloc/main
    target/no-alloc/main
}

# Documentation without warnings; generated files are up to date. (The schemas of requests that the program puts together are compared by tests.)
job_docs() {
    RUSTDOCFLAGS="-D warnings" cargo doc -q "${all[@]}" --no-deps
    unoptimised --bin legwork --example numbered
    target/debug/legwork schema | diff - schema/robot.schema.json ||
        { echo "error: stale; run \`cargo run --release -- schema > schema/robot.schema.json\`" >&2; exit 1; }
    target/debug/legwork schema --request | diff - schema/request.schema.json ||
        { echo "error: stale; run \`cargo run --release -- schema --request > schema/request.schema.json\`" >&2; exit 1; }
}

# The pages are the built ones, and work in a browser.
job_report() {
    need npm npm
    need chromium chromium
    local web=crates/legwork-studio/web pages=target/pages
    web_packages
    npm --prefix $web run -s check
    mkdir -p $pages
    [ -f $web/dist/report.html ] || touch crates/legwork-studio/build.rs # there was no npm until now
    unoptimised --example gallery
    optimised
    CI=true cargo test -q "${all[@]}" --test pages
    local legwork=target/release/legwork
    target/debug/examples/gallery $pages/gallery.html
    $legwork simulate delta-industrial --from 0.15 -0.1 -0.72 --out $pages/swing.parquet --report $pages/run.html >/dev/null
    $legwork simulate delta-industrial --from 0.1 0.1 -0.8 --out $pages/other.csv >/dev/null
    $legwork report $pages/swing.parquet $pages/other.csv --out $pages/two.html
    $legwork simulate --report $pages/loop.html >/dev/null
    $legwork map delta-direct-drive condition --report $pages/map.html >/dev/null
    $legwork map gough-stewart mass-matrix --x=-0.1..0.1/11 --y=-0.1..0.1/11 --report $pages/mass.html >/dev/null
    $legwork reproduce --out $pages/papers.html >/dev/null
    local moving=animation,lines,table
    npm --prefix $web run -s test -- "$PWD"/$pages/gallery.html:$moving,heat,cloud,multiples \
        "$PWD"/$pages/{run,two,loop}.html:$moving "$PWD"/$pages/map.html:heat,table \
        "$PWD"/$pages/mass.html:multiples,heat,table "$PWD"/$pages/papers.html:lines,cloud,multiples,heat,table
}

# The studio's page: the library for the browser and its script in one file.
job_studio-page() {
    need npm npm
    need xz xz-utils
    web_packages
    ci/studio.sh target/studio/page.html
    [ "$(wc -c <target/studio/page.html)" -le 3000000 ] || { echo "error: the studio has more than 3 MB" >&2; exit 1; }
}

# The studio: the same digits as the program, recordings read back to the bit, how long tasks take beside natively, and the page
# used as a person would in a browser.
job_studio() {
    need npm npm
    need chromium chromium
    local web=crates/legwork-studio/web
    job_studio-page
    place_page
    unoptimised --example read_back
    optimised
    local legwork=$PWD/target/release/legwork read_back=$PWD/target/debug/examples/read_back
    node ci/studio.mjs target/studio/legwork_web.wasm "$legwork" "$read_back" target/studio/recordings
    node ci/studio_times.mjs target/studio/legwork_web.wasm target/release/session_times
    "$legwork" studio --out target/studio/studio.html
    npm --prefix $web run -s test:studio -- "$PWD/target/studio/studio.html" "$legwork" "$read_back" "$PWD/target/studio/screens"
    cargo package --quiet --list --allow-dirty -p legwork-studio | grep -qx page/studio.html
}

# The page that `studio-page` has built, where builds of the program find it. They are made again when it is another one.
place_page() {
    local page=crates/legwork-studio/page/studio.html
    [ ! -f target/studio/page.html ] || cmp -s target/studio/page.html $page || cp target/studio/page.html $page
}

# The README's first command, the proof of every built-in robot, and the examples that are not benchmarks.
job_program() {
    unoptimised --example two_deltas_one_bar --example odd_arms
    optimised
    target/release/legwork show delta-direct-drive
    for robot in $(target/release/legwork robots --json | grep -o '"name": *"[^"]*"' | cut -d'"' -f4); do
        target/release/legwork check "$robot" >/dev/null || { echo "error: $robot fails its check" >&2; exit 1; }
    done
    for file in $(grep -l '"legwork-golden' golden/*.json golden/mechanisms/*.json); do
        target/release/legwork check "$file" >/dev/null || { echo "error: $file does not agree" >&2; exit 1; }
        echo "$file agrees"
    done
    # Mechanisms that another program makes up and computes in maximal coordinates; `SEED=7` makes up others.
    need_python
    rm -rf target/made-up
    OPENBLAS_NUM_THREADS=1 "$LEGWORK_PYTHON" ci/peers/mechanisms.py target/made-up --count "${COUNT:-16}" --states 3 \
        --seed "${SEED:-3}" | tail -1
    for file in target/made-up/*.json; do
        target/release/legwork check "$file" >target/made-up.log || { cat target/made-up.log; echo "error: $file does not agree" >&2; exit 1; }
    done
    # The numbers of base parameters by another route, held against those that the tests of legwork-identify hold.
    OPENBLAS_NUM_THREADS=1 "$LEGWORK_PYTHON" ci/peers/base_parameters.py
    target/debug/examples/two_deltas_one_bar
    target/debug/examples/odd_arms
    target/release/legwork reproduce
}

# Generated C, Rust and Structured Text of every family: compilers, sanitizers, grammars, and the bits of the library.
job_codegen() {
    local venv=target/codegen-venv folder=target/codegen
    need gcc gcc
    need clang clang
    need valgrind valgrind
    environment_of $venv ci/codegen-requirements.txt
    unoptimised --example codegen_files
    rm -rf $folder
    # STATES=10000 for the long run; ROBOTS="c5 hexa" for these only
    ci/codegen.sh $folder "$PWD/$venv/bin/python" target/debug/examples/codegen_files "${STATES:-}" "${ROBOTS:-}"
}

# Generated C in a small firmware on an emulated Cortex-M7, Cortex-M4 and aarch64, and the library's core in one in Rust: it
# fetches 200 MB. Where there is no qemu-system-arm its packages are unpacked in target/qemu, because installing
# it may remove others; a Rust compiler for the boards is unpacked in target/rust-web.
job_controller() {
    local folder=target/controller qemu=$PWD/target/qemu
    need arm-none-eabi-gcc gcc-arm-none-eabi
    [ -f "$(arm-none-eabi-gcc -print-file-name=libc.a)" ] || install libnewlib-arm-none-eabi
    need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
    need qemu-aarch64 qemu-user
    if ! command -v qemu-system-arm >/dev/null && [ ! -x "$qemu/bin/qemu-system-arm" ]; then
        rm -rf "$qemu" && mkdir -p "$qemu/debs" "$qemu/bin"
        with_packages 'cd "$1" && apt-get download -qq -o APT::Sandbox::User=root \
            $(apt-get install -s --no-install-recommends qemu-system-arm | awk "/^Inst/ { print \$2 }")' "$qemu/debs"
        for package in "$qemu"/debs/*.deb; do dpkg -x "$package" "$qemu"; done
        rm -r "$qemu/debs"
        printf '#!/bin/sh\nLD_LIBRARY_PATH=%s/usr/lib/x86_64-linux-gnu:%s/lib/x86_64-linux-gnu exec %s/usr/bin/qemu-system-arm -L %s/usr/share/qemu "$@"\n' \
            "$qemu" "$qemu" "$qemu" "$qemu" >"$qemu/bin/qemu-system-arm"
        chmod +x "$qemu/bin/qemu-system-arm"
    fi
    unoptimised --bin legwork --example numbered
    rm -rf $folder
    for precision in double float; do
        target/debug/legwork codegen delta-industrial --what joint-motion,acceleration,regulator --precision $precision \
            --out $folder/$precision
    done
    PATH=$qemu/bin:$PATH ci/controller/run.sh $folder
}

# Exported robots in MuJoCo, Pinocchio and Drake, and files of theirs imported: the same efforts and swings.
job_exchange() {
    local venv=target/exchange-venv folder=target/exchange models=ci/peers/models
    environment_of $venv ci/peers/requirements.txt
    unoptimised --example exchange
    rm -rf $folder
    target/debug/examples/exchange $folder
    target/debug/examples/exchange $folder --import $models/five_bar.xml tool $models/arms.xml tool $models/welded.xml tool \
        $models/five_bar.urdf,$models/five_bar.yaml tip_A $models/four_bar.sdf coupler
    OPENBLAS_NUM_THREADS=1 $venv/bin/python ci/peers/exchange.py $folder
    rm -f MUJOCO_LOG.TXT # of the robots without masses
}

# The C library: examples with both libraries, under valgrind and the sanitizers; units in FMPy and libcosim; a kinematics
# module compiled against the headers of LinuxCNC.
job_c-library() {
    need cc gcc
    need g++ g++
    need valgrind valgrind
    unoptimised --bin legwork --test header --example numbered
    local crate=crates/legwork-ffi folder=target/c-library libraries=$PWD/target/debug/deps venv=target/fmu-venv
    rm -rf $folder && mkdir -p $folder
    local strict=(-Wall -Wextra -Wpedantic -Werror -I$crate/include)
    local shared=(-L"$libraries" -llegwork_c -Wl,-rpath,"$libraries" -lm) static=("$libraries/liblegwork_c.a" -lpthread -ldl -lm)
    local sanitized=(-g -fsanitize=address,undefined -fno-sanitize-recover=all)
    local watched=(valgrind -q --suppressions=ci/valgrind.supp --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite)
    for example in delta misuse unit; do
        cc -O2 -std=c99 -Wconversion "${strict[@]}" $crate/examples/$example.c "${shared[@]}" -o $folder/$example
        cc -O1 -std=c99 "${strict[@]}" "${sanitized[@]}" $crate/examples/$example.c "${static[@]}" -o $folder/$example-sanitized
    done
    for example in delta misuse; do
        $folder/$example-sanitized >/dev/null
        "${watched[@]}" $folder/$example
    done
    g++ -O2 -std=c++17 "${strict[@]}" $crate/examples/hexapod.cpp "${shared[@]}" -pthread -o $folder/hexapod
    g++ -O1 -std=c++17 "${strict[@]}" "${sanitized[@]}" $crate/examples/hexapod.cpp "${static[@]}" -o $folder/hexapod-sanitized
    $folder/hexapod-sanitized >/dev/null
    $folder/hexapod
    # Units: two importers.
    environment_of $venv ci/peers/fmu-requirements.txt
    strip -o $folder/liblegwork_c.so "$libraries/liblegwork_c.so"
    $venv/bin/python ci/peers/fmu.py target/debug/legwork $folder/liblegwork_c.so $folder/fmu
    # What an importer can do wrong, with efforts and with a regulator inside.
    local unit token words
    variable() { sed -n 's/.* name="'"$1"'" valueReference="\([0-9]*\)".*/\1/p' $folder/unit.fmu/modelDescription.xml; }
    for unit in five-bar-2.0 delta-industrial-2.0--regulator-computed-torque; do
        rm -rf $folder/unit.fmu
        $venv/bin/python -m zipfile -e $folder/fmu/$unit.fmu $folder/unit.fmu
        token=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' $folder/unit.fmu/modelDescription.xml)
        words=("$folder/unit.fmu/resources" "$token" "$(variable start_x)" 0 0)
        [[ $unit != *regulator* ]] || words=("${words[@]::3}" "$(variable reference_x)" "$(variable fault)")
        $folder/unit-sanitized "${words[@]}" >/dev/null
        "${watched[@]}" $folder/unit "${words[@]}"
    done
    # A kinematics module; the package is unpacked, not installed: only its headers are needed.
    local headers=target/linuxcnc/usr/include/linuxcnc
    if [ ! -f $headers/kinematics.h ]; then
        mkdir -p target/linuxcnc
        with_packages 'cd target/linuxcnc && apt-get download -qq -o APT::Sandbox::User=root linuxcnc-uspace-dev'
        (cd target/linuxcnc && dpkg-deb -x linuxcnc-uspace-dev*.deb .)
    fi
    # The last one has a name that is nothing in C.
    sed 's|^name = .*|name = "5 **// \\"bär\\" robot?"|' robots/five-bar.toml >$folder/odd.toml
    local robot module
    for robot in delta-industrial gough-stewart five-bar 3-rps custom-gough-stewart two-deltas $folder/odd.toml; do
        module=$folder/$(basename "$robot" .toml)
        target/debug/legwork export linuxcnc-component "$robot" --out "$module.c" >/dev/null
        cc -O2 -DRTAPI -DSIM -DUSPACE -D__MODULE__ -I$headers -I$crate/include -Wall -Werror -c "$module.c" -o "$module.o"
        cc -O2 -DULAPI -DSIM -DUSPACE -I$headers -I$crate/include -Wall ci/linuxcnc/driver.c "$module.o" "${shared[@]}" -o "$module"
        "$module" "$robot"
    done
}

# The shared library for functional mock-up units into the Python package, of the crates that the optimised build has made.
library_for_wheel() {
    CARGO_PROFILE_RELEASE_PANIC=unwind cargo build -q --release --workspace --lib
    cp target/release/liblegwork_c.so python/python/pylegwork/
}

# The Python package as a wheel in a fresh environment: its tests, the listings of its documents, its types.
job_python() {
    local venv=target/python/venv wheels=target/python/wheels
    rm -rf $wheels
    environment $venv
    $venv/bin/pip install -q --disable-pip-version-check -r python/requirements.txt
    # Where the studio was built the wheel carries it, and a notebook shows it.
    place_page
    [ ! -f crates/legwork-studio/page/studio.html ] || export LEGWORK_HAS_STUDIO=1
    optimised
    library_for_wheel
    $venv/bin/maturin build -q --release --locked --manifest-path python/Cargo.toml \
        --interpreter $venv/bin/python --compatibility linux --out $wheels
    $venv/bin/pip install -q --disable-pip-version-check --no-deps $wheels/pylegwork-*.whl
    unoptimised --example numbered
    (cd python && LEGWORK_NUMBERED=$PWD/../target/debug/examples/numbered ../$venv/bin/python -m pytest -q -p no:cacheprovider)
    $venv/bin/maturin sdist --manifest-path python/Cargo.toml --out $wheels 2>target/sdist.log || { cat target/sdist.log; exit 1; }
    $venv/bin/python ci/sdist.py $wheels/pylegwork-*.tar.gz
    (cd python && ../$venv/bin/python -m mypy --cache-dir ../target/python/mypy)
    # pyright comes with a Node of its own.
    (cd python && ../$venv/bin/python -m pyright --pythonpath ../$venv/bin/python)
    RAYON_NUM_THREADS=1 $venv/bin/python python/examples/speed.py
}

# What is published: the wheel for every Linux since 2014 and the source distribution, each installed in a fresh environment
# away from this folder, where the README's ten lines run. Both are cold builds: not among the jobs of `./ci.sh`.
job_wheels() {
    local venv=target/wheels/venv dist=$PWD/target/wheels/dist away file
    need npm npm
    need xz xz-utils
    ci/studio.sh
    rm -rf "$dist"
    environment $venv
    $venv/bin/pip install -q --disable-pip-version-check -r python/wheels.txt
    # Zig links against the C library of 2014; maturin and cargo-zigbuild find it as a module of the Python on the path.
    PATH=$PWD/$venv/bin:$PATH CARGO_PROFILE_RELEASE_PANIC=unwind cargo zigbuild -q --release --locked --lib \
        -p legwork-ffi -p pylegwork --target x86_64-unknown-linux-gnu.2.17
    cp target/x86_64-unknown-linux-gnu/release/liblegwork_c.so python/python/pylegwork/
    PATH=$PWD/$venv/bin:$PATH maturin build -q --release --locked --zig --compatibility manylinux2014 \
        --manifest-path python/Cargo.toml --interpreter python --out "$dist"
    $venv/bin/auditwheel show "$dist"/*.whl | tee target/wheels/audit.log
    grep -q '"manylinux_2_17_x86_64"' target/wheels/audit.log || { echo "error: the wheel needs a newer Linux" >&2; exit 1; }
    $venv/bin/maturin sdist --manifest-path python/Cargo.toml --out "$dist" 2>target/sdist.log || { cat target/sdist.log; exit 1; }
    $venv/bin/python ci/sdist.py --page "$dist"/*.tar.gz
    for file in "$dist"/*.whl "$dist"/*.tar.gz; do
        away=$(mktemp -d)
        python3 -m venv "$away/venv"
        sed -n '/^```python$/,/^```$/p' python/README.md | sed '1d;$d' >"$away/ten_lines.py"
        # Crates of others are built once for all; those of the package are built from its own files.
        (cd "$away" && CARGO_TARGET_DIR=$dist/../sdist venv/bin/pip install -q --disable-pip-version-check "$file" &&
            venv/bin/python ten_lines.py && venv/bin/legwork show delta-industrial >/dev/null)
        # The wheel carries the binary of units; what is built from the sources does not.
        case $file in *.whl) (cd "$away" && venv/bin/legwork export fmu five-bar) ;; esac
        rm -rf "$away"
        echo "$(basename "$file") installs and runs"
    done
}

# What has been tried to break the program, tried again: two minutes of it. The unoptimised build must compute the same
# bits as the optimised one.
job_attack-short() {
    optimised
    target/release/legwork-attack page
    target/release/legwork-attack --short
    unoptimised --bin legwork-attack --example numbered
    same_bits target/release/legwork-attack target/debug/legwork-attack
}

# The digests of two builds, compared. The figure goes to target/attack.log, from where `attack` takes it.
same_bits() { # program program
    "$1" digest >target/digest-one
    "$2" digest >target/digest-other
    "$1" compare target/digest-one target/digest-other | tee target/attack.log
}

# The whole attack. It writes its figures, and those that tests print, into the book. Not among the jobs of `./ci.sh`.
job_attack() {
    job_attack-short
    # The unoptimised build of the tests optimises the model: here nothing is.
    cargo build -q -p legwork-attack --config 'profile.dev.package.legwork-model.opt-level=0' --target-dir target/plain
    same_bits target/release/legwork-attack target/plain/debug/legwork-attack
    RUSTFLAGS="-C target-cpu=x86-64-v3" cargo build -q --release -p legwork-attack --target-dir target/v3
    # The readers' targets for cargo-fuzz, where there is a nightly compiler.
    if cargo +nightly --version >/dev/null 2>&1; then
        cargo +nightly check -q --bins --manifest-path ci/fuzz/Cargo.toml --target-dir target/fuzz
    fi
    # Not promised, because a hexapod has its legs side by side in registers there: told how many robots differ.
    target/v3/release/legwork-attack digest >target/digest-v3
    target/release/legwork-attack compare target/digest-one target/digest-v3 >/dev/null ||
        echo "when built for x86-64-v3; not promised"
    need_python
    # Tests of the core are built with optimisation: the core alone, in a minute.
    cargo build -q --release -p legwork-core --tests
    cargo test -q "${all[@]}" --test files --no-run
    # A million points along random lines for legs without a closed form; a million bad samples to a supervised regulator.
    {
        cargo test -q --release -p legwork-core --test continuation -- --ignored --nocapture
        cargo test -q --release -p legwork-core --test control -- --include-ignored --nocapture injection::
    } >target/attack-core.log 2>&1 &
    local beside=$!
    # Kills at random moments, of the optimised program.
    LEGWORK_PROGRAM=$PWD/target/release/legwork LEGWORK_KILLS=200 \
        cargo test -q "${all[@]}" --test files killed_at_any_moment -- --nocapture | tee -a target/attack.log
    wait "$beside" || { cat target/attack-core.log; return 1; }
    tee -a target/attack.log <target/attack-core.log
    target/release/legwork-attack --long --seed "${SEED:-$RANDOM}" --write --figures target/attack.log
}

# Formulas changed on purpose, one at a time: a test must fail. What is changed here depends on the sources alone: so many
# operators of the core in one build, and of the changes by hand those whose test is built in seconds.
job_mutants() {
    python3 ci/mutants.py core --sample 40 --jobs 1
    CRATES=legwork-core TESTS="integrate links" PART=0/3 ci/mutants.sh
}

# All of it: every operator of the core's formulas, every comparison, condition and bar of `check`, the changes by hand of
# legwork-model, each of them in one build, and the other changes by hand, with a build for each. Some hours.
job_mutants-full() {
    local code=0
    python3 ci/mutants.py core || code=$?
    python3 ci/mutants.py check || code=$?
    python3 ci/mutants.py model || code=$?
    ci/mutants.sh || code=$?
    return $code
}

# Instructions per call against the bars in ci/bars.txt. Counted by valgrind on a
# fixed target, so the machine's load does not matter. Without SLP vectors, because
# valgrind 3.19 cannot decode one of their moves; with them the counts are lower.
job_bench() {
    need valgrind valgrind
    local runner=$PWD/target/tools/bin/gungraun-runner
    [ -x "$runner" ] || cargo install -q --debug --root target/tools --version 0.20.0 gungraun-runner
    # The core alone, then the same through the library, with robots opened by their names.
    export GUNGRAUN_RUNNER=$runner
    RUSTFLAGS="-C target-cpu=x86-64-v3 -C no-vectorize-slp" cargo bench -q -p legwork-core -p legwork-model \
        --features legwork-core/std,legwork-core/simd --bench instructions --bench legs --bench calls \
        --bench mechanisms --target-dir target/bench >target/instructions.log
    awk '
        NR == FNR { if ($0 !~ /^#/ && NF) bar[$1] = $2; next }
        /::/ { split($1, part, "::"); name = part[3] }
        /Instructions:/ { split($2, count, "|"); counted[name] = count[1] }
        END {
            for (name in bar) {
                if (!(name in counted)) { printf "%-36s not counted\n", name; bad = 1; continue }
                over = counted[name] > bar[name]
                printf "%-36s %6d of %6d%s\n", name, counted[name], bar[name], over ? "   OVER THE BAR" : ""
                bad = bad || over
            }
            exit bad
        }' ci/bars.txt target/instructions.log | sort
    # The cost of a leg does not depend on how many there are: same slope from 6 to 12 legs as from 12 to 24; `passive` are
    # legs added to the Tricept as bodies and joints.
    awk '
        /::/ { split($0, part, /[()]/); split($1, path, "::"); name = path[3]; legs = part[3] }
        /Instructions:/ { split($2, count, "|"); cost[name, legs] = count[1] }
        END {
            for (i = split("closed general passive", names, " "); i > 0; i--) {
                n = names[i]
                low = (cost[n, 12] - cost[n, 6]) / 6; high = (cost[n, 24] - cost[n, 12]) / 12
                printf "%-8s %6.0f instructions per leg, 6 to 12 legs; %6.0f, 12 to 24 legs\n", n, low, high
                if (!(low > 0) || high > 1.02 * low) bad = 1
            }
            exit bad
        }' target/instructions.log
}

run() { # job
    declare -F "job_$1" >/dev/null || { echo "error: no job \`$1\`; there are: ${jobs[*]}" >&2; exit 2; }
    echo "== $1"
    local TIMEFORMAT="== $1 took %0R s, %0U s of processor time"
    time "job_$1"
}

# Where all jobs run, two of them run side by side, because a core is idle whenever one compiler or one slow test is alone:
# each takes the next of the list when it is done. What a job says is printed when it ends; the first failure ends the list.
# Where two jobs want the same build, cargo lets one of them wait.
if [ "${1:-}" = --side-by-side ]; then
    log=target/ci/$2.log
    code=0
    ./ci.sh "$2" >"$log" 2>&1 || code=255
    flock target/ci/print.lock cat "$log"
    [ $code = 0 ] || echo "== $2 failed" >&2
    exit $code
fi
if [ $# = 0 ]; then
    mkdir -p target/ci
    printf '%s\n' "${jobs[@]}" | xargs -P 2 -I JOB ./ci.sh --side-by-side JOB
    echo "== all ${#jobs[@]} jobs done in $SECONDS s"
    exit
fi
for job in "$@"; do
    run "$job"
done
