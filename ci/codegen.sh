#!/usr/bin/env bash
# Generated code against compilers and grammars: codegen.sh FOLDER PYTHON WRITER [STATES [ROBOTS]], where WRITER is the example
# `codegen_files`. Robot by robot, all cores at once: C by gcc and by clang, with every warning an error, and Rust equal the recorded
# programs to the bit on all states, the former also under the sanitizers; single precision stays below its bound; self-tests
# pass; Structured Text is parsed by two grammars and executed from the tree of one. With STATES, so many states of every function of every
# built-in robot, slopes of the dynamics too, and the compilers' optimisations; ROBOTS are names, for these only.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd) python=$2 writer=$(realpath "$3") states=${4:-} robots=${5:-} here=$PWD
cd "$folder"
cat > one.sh <<'SH_ONE'
set -euo pipefail
name=$(tr - _ <<<"$1") writer=$2 python=$3 here=$4 states=$5
[[ $name == [0-9]* ]] && name=robot_$name
log() { echo "$name: $*"; }
"$writer" . "$1" $states
strict=(-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Werror)
sanitizers=(-fsanitize=undefined,address -fno-sanitize-recover=all)
# Equal to the bit on all states: compiler and flags.
same_bits() {
    "$@" "${strict[@]}" -ffp-contract=off -c "$name.c" -o "${name}_any.o"
    "$@" -std=c99 "${name}_bits.c" "${name}_any.o" -lm -o "${name}_any"
    "./${name}_any" "$name.states" >"${name}_bits.log" || { cat "${name}_bits.log"; log "$* differs" >&2; exit 1; }
    cat "${name}_bits.log" >>"${name}_all.log"
    log "$*: $(grep -c 'to the bit' "${name}_bits.log") functions, $(awk '{ n += $2 } END { print n }' "${name}_bits.log") states, to the bit"
}
: >"${name}_all.log"
same_bits gcc -O1
mv "${name}_any.o" "$name.o"
cat "${name}_bits.log"
same_bits clang -O1 "${sanitizers[@]}"
if [ -n "$states" ]; then
    # gcc 12 makes vfmaddsub of neighbours although contraction is off.
    same_bits gcc -O3 -march=x86-64-v3 -fno-tree-slp-vectorize
    same_bits clang -O2
    same_bits gcc -O1 "${sanitizers[@]}"
fi
gcc -O1 "${strict[@]}" "${name}_test.c" "$name.o" -lm -o "${name}_test"
"./${name}_test" | tail -1
# Nothing of the library but four functions.
if nm -u "$name.o" | grep -v -E ' (sin|cos|sincos|sqrt|atan2|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)$'; then
    log "asks for more than sin, cos, sqrt and atan2" >&2; exit 1
fi
gcc -O0 "${strict[@]}" -c "float/$name.c" -o "float/$name.o"
gcc -O0 -std=c99 -Ifloat "float/${name}_bits.c" "float/$name.o" -lm -o "float/${name}_bits"
"float/${name}_bits" "$name.states"
gcc -O0 "${strict[@]}" -Ifloat "float/${name}_test.c" "float/$name.o" -lm -o "float/${name}_test"
"float/${name}_test" | tail -1
# The same numbers from Rust.
rustc --edition 2021 --cfg 'feature="std"' --check-cfg 'cfg(test)' --check-cfg 'cfg(feature, values("std"))' -C debuginfo=0 "${name}_bits.rs" -o "${name}_rust"
"./${name}_rust" "$name.states" >"${name}_rust.log" || { cat "${name}_rust.log"; log "Rust differs" >&2; exit 1; }
log "Rust: $(grep -c 'to the bit' "${name}_rust.log") functions, to the bit"
# Structured Text.
whole=()
[ "$1" != klipper-rotary-delta ] || whole=(--whole)
"$python" "$here/ci/codegen_st.py" "${whole[@]}" "$name.st" "${name}_test.st"
rm -f "$name.states" "${name}_any"* "${name}_bits" "${name}_rust"
SH_ONE
all=()
[ -z "$states" ] || all=(--all)
if [ -n "$robots" ]; then xargs -n 1 <<<"$robots" >robots; else "$writer" --list "${all[@]}" >robots; fi
rm -f ./*.log
# Those that take longest come first in the list. A failure of one ends the whole.
xargs -P "$(nproc)" -I NAME bash -c 'bash one.sh NAME "$@" > NAME.log 2>&1 || { cat NAME.log; echo "error: NAME" >&2; exit 255; }' \
    bash "$writer" "$python" "$here" "$states" <robots
while read -r robot; do cat "$robot.log"; done <robots
echo "$(wc -l <robots) robots: $(cat ./*_all.log | grep -c 'to the bit') functions times compilers, $(cat ./*_all.log | awk '{ n += $2 } END { print n }') states, all to the bit"
[ -z "$robots" ] || exit 0
# Instructions of one call, kinematics included: no more than these, also of a Delta of other sizes and of hexapods without symmetry.
instructions() { valgrind --tool=callgrind --callgrind-out-file=/dev/null ./calls "$1" "$2" 2>&1 | sed -n 's/.*refs: *//p' | tr -d ,; }
for pair in delta_industrial:-0.8:gough_stewart delta_direct_drive:-0.6:uneven_hexapod delta_industrial:-0.8:calibrated_hexapod; do
    IFS=: read -r delta height hexapod <<<"$pair"
    for name in "$delta" "$hexapod"; do gcc -O3 -march=x86-64-v3 -c "$name.c" -o "fast_$name.o"; done
    gcc -O1 -std=c99 -include "$delta.h" -include "$hexapod.h" -DDELTA="$delta" -DHEXAPOD="$hexapod" -DZ="$height" -I. \
        "$here/ci/codegen_calls.c" "fast_$delta.o" "fast_$hexapod.o" -lm -o calls
    for row in "0:425:$delta inverse" "1:630:$delta forward" "2:2000:$hexapod inverse" "3:2500:$hexapod forward"; do
        IFS=: read -r which bar name <<<"$row"
        ./calls "$which" 1 || { echo "error: $name is out of reach" >&2; exit 1; }
        each=$((($(instructions "$which" 200) - $(instructions "$which" 100)) / 100))
        echo "$name dynamics: $each instructions, bar $bar"
        [ $each -le "$bar" ] && [ $each -gt 100 ] || { echo "error: $name takes too many instructions" >&2; exit 1; }
    done
done
mkdir -p libm && cat > libm/lib.rs <<'RUST'
#![no_std]
pub fn sqrt(x: f64) -> f64 { x }
pub fn sin(x: f64) -> f64 { x }
pub fn cos(x: f64) -> f64 { x }
pub fn atan2(y: f64, _: f64) -> f64 { y }
RUST
rustc -q --edition 2021 --crate-type rlib --crate-name libm libm/lib.rs -o libm/liblibm.rlib 2>/dev/null || rustc --edition 2021 --crate-type rlib --crate-name libm libm/lib.rs -o libm/liblibm.rlib
for name in delta_industrial five_bar chains tricept; do
    printf '#![no_std]\n#[path = "%s.rs"]\npub mod generated;\n' "$name" > crate.rs
    rustc --edition 2021 --crate-type rlib --extern libm=libm/liblibm.rlib crate.rs -o crate.rlib
    rustc --edition 2021 --cfg 'feature="std"' --test crate.rs -o rust_test && ./rust_test -q | tail -2
done
