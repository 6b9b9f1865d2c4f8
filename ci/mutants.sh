#!/usr/bin/env bash
# Changes formulas on purpose, one at a time, in a copy of the sources; the named test must fail. A change that survives
# is a hole in the tests. The list is ci/mutants.txt, or the file given:
#     test | file below crates/ | old text | new text
# The old text is once in its file; the first folder of the file is the crate whose test is run. A test is a file of its
# tests/, or `lib` for the tests beside the code, and after it, if wanted, the beginning of the function in it:
# `check golden_files_agree`.
#
# A change costs one build of the crate and of the one test that must see it. ci/mutants.py tries every operator of the core's
# formulas in one build.
set -euo pipefail
list=$(realpath "${1:-$(dirname "$0")/mutants.txt}")
cd "$(dirname "$0")/.."
room=$PWD/target/mutants

# A copy beside the build, so that a stop in the middle leaves the sources as they are.
mkdir -p "$room"
rm -rf "$room/tree"
mkdir "$room/tree"
cp -r Cargo.toml Cargo.lock rustfmt.toml crates python golden robots README.md book "$room/tree/"
# The dependencies are those that other jobs have built; the crates themselves are built again and again.
export CARGO_TARGET_DIR=$PWD/target CARGO_INCREMENTAL=1
cd "$room/tree"

# The lines of the list without the blanks around the first two columns; with PART=k/n every n-th of them.
part=${PART:-0/1}
entries() {
    sed -E '/^#/d; /\|/!d; s/^ *([^|]*[^| ]) *\| *([^| ]+) *\| ?/\1|\2|/' "$list" |
        awk -v k="${part%/*}" -v n="${part#*/}" 'NR % n == k % n'
}

while read -r crate; do
    chosen=$(entries | awk -F'|' -v crate="$crate" 'index($2, crate "/") == 1 { split($1, test, " "); print (test[1] == "lib" ? "--lib" : "--test " test[1]) }' |
        sort -u)
    cargo test -q --workspace --all-features $chosen >"$room/log" 2>&1 ||
        { tail -20 "$room/log" >&2; echo "error: the tests fail before anything is changed" >&2; exit 1; }
done < <(entries | cut -d'|' -f2 | cut -d/ -f1 | sort -u)

all=0 survived=0
while IFS='|' read -r test file old new; do
    crate=${file%%/*} file=crates/$file old=${old% } new=${new# }
    function=${test#"${test%% *}"}
    run=(cargo test -q --workspace --all-features --test "${test%% *}")
    [ "${test%% *}" = lib ] && run=(cargo test -q --workspace --all-features --lib)
    [ "$(grep -cF -- "$old" "$file")" = 1 ] || { echo "error: \`$old\` is not once in $file" >&2; exit 1; }
    cp "$file" "$room/original"
    OLD=$old NEW=$new perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$file"
    all=$((all + 1))
    if ! "${run[@]}" --no-run >"$room/log" 2>&1; then
        echo "error: does not build: $file: $old -> $new" >&2
        tail -20 "$room/log" >&2
        exit 1
    fi
    if timeout 300 "${run[@]}" -- $function >"$room/log" 2>&1; then
        echo "SURVIVED $test: $file: $old -> $new"
        survived=$((survived + 1))
    fi
    cp "$room/original" "$file"
    touch "$file"
done < <(entries)
echo "$all changes, $survived survived"
[ $survived = 0 ]
