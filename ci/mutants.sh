#!/usr/bin/env bash
# Changes formulas on purpose, one at a time, in a copy of the core; the named test must fail. A change that survives
# is a hole in the tests. The list is ci/mutants.txt: test | file | old text | new text, the old text once in its file.
#
# Why not cargo-mutants alone: it builds every test of a crate for each of 2139 changes, some seconds to minutes each on
# two cores. Here a change costs one build of the core and of the one test that must see it. `./ci.sh mutants-full`
# runs cargo-mutants on all of them.
set -euo pipefail
cd "$(dirname "$0")/.."
list=$PWD/ci/mutants.txt
room=$PWD/target/mutants

# A copy beside the build, so that a stop in the middle leaves the sources as they are.
mkdir -p "$room"
rm -rf "$room/tree"
mkdir "$room/tree"
cp -r Cargo.toml Cargo.lock rustfmt.toml crates golden robots README.md book "$room/tree/"
# The dependencies are those that other jobs have built.
export CARGO_TARGET_DIR=$PWD/target
cd "$room/tree"

cargo test -q -p legwork-core $(grep -v '^#' "$list" | cut -d'|' -f1 | sort -u | sed 's/^ */--test /') >/dev/null ||
    { echo "error: the tests fail before anything is changed" >&2; exit 1; }

all=0 survived=0
while IFS='|' read -r test file old new; do
    test=$(echo $test) file=crates/legwork-core/src/$(echo $file)
    old=${old# } old=${old% } new=${new# }
    [ "$(grep -cF -- "$old" "$file")" = 1 ] || { echo "error: \`$old\` is not once in $file" >&2; exit 1; }
    cp "$file" "$room/original"
    OLD=$old NEW=$new perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$file"
    all=$((all + 1))
    if ! cargo test -q --no-run -p legwork-core --test "$test" >"$room/log" 2>&1; then
        echo "error: does not build: $file: $old -> $new" >&2
        tail -20 "$room/log" >&2
        exit 1
    fi
    if timeout 300 cargo test -q -p legwork-core --test "$test" >"$room/log" 2>&1; then
        echo "SURVIVED $test: $file: $old -> $new"
        survived=$((survived + 1))
    fi
    cp "$room/original" "$file"
    touch "$file"
done < <(grep -v '^#' "$list" | grep '|')
echo "$all changes, $survived survived"
[ $survived = 0 ]
