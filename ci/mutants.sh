#!/usr/bin/env bash
# Changes formulas on purpose, one at a time, in a copy of the sources; the named test must fail. A change that survives
# is a hole in the tests. The list is ci/mutants.txt, or the file given:
#     test | file below crates/ | old text | new text
# The old text is once in its file. A test is a file of the tests/ of that crate, or of legwork's if it has none of that
# name, and after it, if wanted, the beginning of the function in it: `check golden_files_agree`.
#
# A change costs one build of the crate and of the one test that must see it: seconds in legwork-core. Those of
# legwork-model would take minutes, because legwork is built on it: `ci/mutants.py model` has all of them in one build.
# `CRATES="legwork-core"` takes the changes whose tests are in these crates,
# `TESTS="integrate links"` those of these tests, `PART=k/n` every n-th of the rest from the k-th on. ci/mutants.py changes
# every operator in one build.
set -euo pipefail
list=$(realpath "${1:-$(dirname "$0")/mutants.txt}")
cd "$(dirname "$0")/.."
room=$PWD/target/mutants
part=${PART:-0/1}

# A copy beside the build, so that a stop in the middle leaves the sources as they are.
mkdir -p "$room"
rm -rf "$room/tree"
mkdir "$room/tree"
cp -r Cargo.toml Cargo.lock rustfmt.toml crates python golden robots README.md book "$room/tree/"
# The dependencies are those that other jobs have built. Another version, so that nothing built here is taken for a crate
# itself: a crate of the same name, version and place in its workspace has the same files in target/.
sed -i -E 's/^version = "([0-9]+\.[0-9]+)\.[0-9]+"/version = "\1.999"/' "$room/tree/Cargo.toml"
export CARGO_TARGET_DIR=$PWD/target CARGO_INCREMENTAL=1
cd "$room/tree"

# The lines of the list without the blanks around the columns, the crate of the test before them.
entries() {
    local test file rest owner
    while IFS='|' read -r test file rest; do
        owner=legwork
        for path in crates/"${file%%/*}"/tests/"${test%% *}"{.rs,/main.rs}; do
            [ -e "$path" ] && owner=${file%%/*}
        done
        echo "$owner|$test|$file|$rest"
    done < <(sed -E '/^#/d; /\|/!d; /\| *legwork-model\//d; s/^ *([^|]*[^| ]) *\| *([^| ]+) *\| ?/\1|\2|/; s/ \| /|/; s/ +$//' "$list")
}

all=0 survived=0
for owner in ${CRATES:-legwork-core legwork}; do
    mine=$(entries | awk -F'|' -v owner="$owner" -v tests=" ${TESTS:-} " '
        { split($2, word, " ") }
        $1 == owner && (tests == "  " || index(tests, " " word[1] " "))' | awk -v k="${part%/*}" -v n="${part#*/}" 'NR % n == k % n')
    [ -n "$mine" ] || continue
    # Of the other crates no test is built.
    for manifest in crates/*/Cargo.toml python/Cargo.toml; do
        sed -i '/^autotests/d' "$manifest"
        [ "$manifest" = "crates/$owner/Cargo.toml" ] || sed -i 's/^\[package\]$/&\nautotests = false/' "$manifest"
    done
    # shellcheck disable=SC2046
    cargo test -q --workspace --all-features $(cut -d'|' -f2 <<<"$mine" | sed 's/ .*//' | sort -u | sed 's/^/--test /') >"$room/log" 2>&1 ||
        { tail -20 "$room/log" >&2; echo "error: the tests fail before anything is changed" >&2; exit 1; }
    while IFS='|' read -r _ test file old new; do
        file=crates/$file function=${test#"${test%% *}"}
        run=(cargo test -q --workspace --all-features --test "${test%% *}")
        [ "$(grep -cF -- "$old" "$file")" = 1 ] || { echo "error: \`$old\` is not once in $file" >&2; exit 1; }
        cp "$file" "$room/original"
        OLD=$old NEW=$new perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$file"
        all=$((all + 1))
        if ! "${run[@]}" --no-run >"$room/log" 2>&1; then
            echo "error: does not build: $file: $old -> $new" >&2
            tail -20 "$room/log" >&2
            exit 1
        fi
        # A test that takes five minutes of the processor has noticed.
        # shellcheck disable=SC2086
        if (ulimit -t 300 && "${run[@]}" -- $function) >"$room/log" 2>&1; then
            grep -q '^running [1-9]' "$room/log" || { echo "error: $owner has no test called \`$test\`" >&2; exit 1; }
            echo "SURVIVED $test: $file: $old -> $new"
            survived=$((survived + 1))
        fi
        cp "$room/original" "$file"
        touch "$file"
    done <<<"$mine"
done
echo "$all changes, $survived survived"
[ $survived = 0 ]
