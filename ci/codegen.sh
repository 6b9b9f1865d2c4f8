#!/usr/bin/env bash
# Generated code against compilers and grammars: codegen.sh FOLDER PYTHON, with what the example `codegen_files` wrote.
# C and Rust of every family equal the recorded programs to the bit on all states, single precision stays below its bound; C is
# compiled by gcc and clang with every warning an error and passes its own self-test, also under the sanitizers; Rust passes its
# tests with the standard library and builds without it; Structured Text is parsed by two grammars and executed from the tree of
# one.
set -euo pipefail
folder=$1 python=$2 here=$PWD
cd "$folder"
cat > one.sh <<'SH'
set -euo pipefail
name=$1
strict=(-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Werror)
gcc -O1 "${strict[@]}" -ffp-contract=off -c "$name.c" -o "$name.o"
gcc -O1 -std=c99 "${name}_bits.c" "$name.o" -lm -o "${name}_bits"
"./${name}_bits" "$name.states"
gcc -O1 "${strict[@]}" "${name}_test.c" "$name.o" -lm -o "${name}_test"
"./${name}_test" | tail -1
# Nothing of the library but four functions.
if nm -u "$name.o" | grep -v -E ' (sin|cos|sincos|sqrt|atan2|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)$'; then
    echo "error: $name.c asks for more than sin, cos, sqrt and atan2" >&2; exit 1
fi
gcc -O0 "${strict[@]}" -c "float/$name.c" -o "float/$name.o"
gcc -O0 -std=c99 -Ifloat "float/${name}_bits.c" "float/$name.o" -lm -o "float/${name}_bits"
"float/${name}_bits" "$name.states"
gcc -O0 "${strict[@]}" -Ifloat "float/${name}_test.c" "float/$name.o" -lm -o "float/${name}_test"
"float/${name}_test" | tail -1
# The same numbers from Rust.
rustc --edition 2021 --cfg 'feature="std"' --check-cfg 'cfg(test)' --check-cfg 'cfg(feature, values("std"))' -C debuginfo=0 "${name}_bits.rs" -o "${name}_rust"
"./${name}_rust" "$name.states" | tail -1
SH
for bits in *_bits.c; do echo "${bits%_bits.c}"; done | xargs -P "$(nproc)" -I NAME bash -c 'bash one.sh NAME > NAME.log 2>&1 || { cat NAME.log; exit 1; }'
cat *.log
strict=(-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wdouble-promotion -Werror)
for name in delta_industrial five_bar planar_3rrr custom_five_bar chains tricept; do
    clang -O1 "${strict[@]}" -ffp-contract=off "$name.c" "${name}_bits.c" -Wno-conversion -lm -o clang_bits && ./clang_bits "$name.states" | tail -1
    gcc -O1 -g -fsanitize=undefined,address -fno-sanitize-recover=all -std=c99 "$name.c" "${name}_test.c" -lm -o sanitized && ./sanitized | tail -1
done
# Instructions of one call, kinematics included: no more than these.
for name in delta_industrial gough_stewart; do gcc -O3 -march=x86-64-v3 -c "$name.c" -o "fast_$name.o"; done
gcc -O1 -std=c99 -I. "$here/ci/codegen_calls.c" fast_delta_industrial.o fast_gough_stewart.o -lm -o calls
instructions() { valgrind --tool=callgrind --callgrind-out-file=/dev/null ./calls "$1" "$2" 2>&1 | sed -n 's/.*refs: *//p' | tr -d ,; }
for row in 0:425:delta_inverse 1:630:delta_forward 2:2000:gough_stewart_inverse 3:2500:gough_stewart_forward; do
    IFS=: read -r which bar name <<<"$row"
    each=$((($(instructions "$which" 200) - $(instructions "$which" 100)) / 100))
    echo "$name: $each instructions, bar $bar"
    [ $each -le "$bar" ] && [ $each -gt 100 ] || { echo "error: $name takes too many instructions" >&2; exit 1; }
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
for name in delta_industrial five_bar planar_3rrr; do
    "$python" "$here/ci/codegen_st.py" "$name.st" "${name}_test.st"
done
