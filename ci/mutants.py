#!/usr/bin/env python3
"""Changes the operators of formulas, all in one build, one at a time when it runs; a test must fail.

    ci/mutants.py [--sample N] [--seed S] [--part K/N] [--jobs N] [--list] [FILE...]

In a copy of the sources every right operand of + and - is wrapped by a function that turns its sign if the environment variable MUTANT has
the number of the place, and every right operand of * and / by one that takes its reciprocal. So + becomes -, - becomes +, * becomes / and / becomes *,
in each place of the files below, and a change costs one run of the tests instead of a build: cargo-mutants builds for each of them.
What does not compile, because an operand is an index or a matrix without a sign, is left out and counted. `ci/mutants.txt` is the kept
list with changes by hand, constants and comparisons among them. A change that makes a test take two minutes of the processor is noticed. `--built`
takes the build that is there.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATE = "crates/legwork-core"
# Files, and the tests that must see a change in them, the quickest first.
GROUPS = [
    (["linalg"], ["links", "delta", "scalars", "engine"]),
    (["links"], ["links", "delta"]),
    ([f"robots/delta/{name}" for name in ("geometry", "posture", "dynamics", "inertia")], ["delta"]),
    ([f"engine/{name}" for name in ("chain", "leg", "mechanism", "ups", "attachment", "inverse", "space")], ["engine"]),
]
FILES = {f"{CRATE}/src/{name}.rs": tests for names, tests in GROUPS for name in names}
TESTS = sorted({test for tests in FILES.values() for test in tests})
LONGEST = 120  # seconds of processor time of a test, so that a busy machine changes nothing

SWITCH = """
/// Changes on purpose, see ci/mutants.py.
#[allow(missing_docs, unreachable_pub)]
pub mod mutant {
    extern crate std;
    use crate::Real;
    use core::ops::Neg;
    use std::sync::OnceLock;

    static CHOSEN: OnceLock<u32> = OnceLock::new();

    fn is_on(place: u32) -> bool {
        let read = || std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        *CHOSEN.get_or_init(read) == place
    }

    pub fn flip<X: Neg<Output = X>>(place: u32, x: X) -> X {
        if is_on(place) { -x } else { x }
    }

    pub fn invert<T: Real>(place: u32, x: T) -> T {
        if is_on(place) { x.recip() } else { x }
    }
}
"""

# rustfmt puts a space on both sides of a binary operator, or a line break before it.
OPERATOR = re.compile(r"(?<=[\w)\]}?])\s+(\+=|-=|[-+*/]) (?=[\w(&*-])")
SIGN = re.compile(r"(?<=[(,=\[]) ?-(?=[a-z(])")
TYPE = re.compile(r"^\s*(pub )?(const |unsafe )?(impl|trait|type|where|struct|enum|use)\b|^\s*[A-Z]\w*: |\bdyn \w+ \+|: Copy|'static|^\s*const ")
CLOSING = {"(": ")", "[": "]", "{": "}"}


def group_end(text, at):
    """Behind the bracket that closes the one at a place."""
    close, open_, depth = CLOSING[text[at]], text[at], 0
    for k in range(at, len(text)):
        depth += (text[k] == open_) - (text[k] == close)
        if depth == 0:
            return k + 1
    raise ValueError(at)


def factor_end(text, at):
    """Behind an operand with its signs, fields, calls and indices; None if it is none."""
    while text[at] in "-&*":
        at += 1
    if text[at] in "([":
        at = group_end(text, at)
    else:
        word = re.compile(r"\d[\w]*(\.\d\w*)?|[A-Za-z_]\w*(::(<[^;(){}]*?>|\w+))*").match(text, at)
        if not word or word[0] in ("if", "match", "unsafe", "move"):
            return None
        at = word.end()
    while at < len(text):
        dot = re.compile(r"\s*\.(?!\.)(\w+)(::<[^;(){}]*?>)?").match(text, at)
        if dot:
            at = dot.end()
        elif text[at] in "([":
            at = group_end(text, at)
        elif text[at] == "?":
            at += 1
        else:
            cast = re.compile(r" as [\w:]+").match(text, at)
            return cast.end() if cast else at
    return at


def operand_end(text, at, operator):
    """Behind the right operand of an operator."""
    if operator in ("+=", "-="):
        depth = 0
        for k in range(at, len(text)):
            depth += (text[k] in "([{") - (text[k] in ")]}")
            if text[k] == ";" and depth == 0:
                return k
    end = factor_end(text, at)
    while end is not None and operator in "+-":
        more = re.compile(r"\s+[*/%] ").match(text, end)
        if not more:
            return end
        end = factor_end(text, more.end())
    return end


def places(path):
    """Every place of a file: line, column, operator, begin and end of what is wrapped, the function."""
    text = (ROOT / path).read_text()
    tests = text.find("\n#[cfg(test)]")
    code = text if tests < 0 else text[:tests]
    # Comments and texts of the same length without anything in them.
    code = re.sub(r"//[^\n]*|\"(\\.|[^\"\\])*\"", lambda found: " " * len(found[0]), code)
    found = []
    for match in [*OPERATOR.finditer(code), *SIGN.finditer(code)]:
        is_sign = match.re is SIGN
        at = code.index("-", match.start()) if is_sign else match.start(1)
        line = code[code.rfind("\n", 0, at) + 1 : (code.find("\n", at) + 1 or len(code))]
        if TYPE.search(line):
            continue
        operator = "sign" if is_sign else match[1]
        begin = at if is_sign else match.end()
        end = factor_end(code, at) if is_sign else operand_end(code, begin, operator)
        if end is None:
            continue
        wrap = "invert" if operator in "*/" else "flip"
        number = text.count("\n", 0, at)
        found.append((path, number + 1, at - text.rfind("\n", 0, at), operator, begin, end, wrap))
    return found


class Room:
    """A copy of the sources with all changes in it, and its tests."""

    def __init__(self, is_built):
        self.tree = ROOT / "target/mutants/full"
        self.environment = {
            **os.environ,
            "CARGO_TARGET_DIR": str(ROOT / "target/mutants/build"),
            "CARGO_PROFILE_DEV_DEBUG": "0",
            "CARGO_PROFILE_DEV_OPT_LEVEL": "1",
            "RUSTFLAGS": "-A warnings",
        }
        if is_built:
            return
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir(parents=True)
        for name in ("Cargo.toml", "Cargo.lock", "crates", "python", "golden"):
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            copy(source, self.tree / name)
        library = self.tree / CRATE / "src/lib.rs"
        library.write_text(library.read_text() + SWITCH)

    def cargo(self, *words):
        command = ["cargo", *words, "-q", "-p", "legwork-core", "--features", "std,simd", "--message-format", "json"]
        run = subprocess.run(command, cwd=self.tree, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return run, [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]

    def write(self, chosen):
        """Writes the files with these places wrapped, by number; gives where each of them is then, in bytes."""
        where = {}
        for path in FILES:
            text = (ROOT / path).read_text()
            edits = []
            for number, (_, _, _, _, begin, end, wrap) in ((n, p) for n, p in chosen.items() if p[0] == path):
                edits.append((begin, 1, -end, f"crate::mutant::{wrap}({number}, ", number))
                edits.append((end, 0, 0, ")", number))
            out, last, size, begins = [], 0, 0, {}
            for at, is_begin, _, words, number in sorted(edits, key=lambda edit: edit[:3]):
                piece = text[last:at]
                size += len(piece.encode())
                out.append(piece)
                if is_begin:
                    begins[number] = size
                size += len(words)
                out.append(words)
                if not is_begin:
                    where[number] = (path, begins[number], size)
                last = at
            (self.tree / path).write_text("".join(out) + text[last:])
        return where

    def compiled(self, chosen):
        """The places that compile."""
        for _ in range(40):
            where = self.write(chosen)
            run, messages = self.cargo("check")
            if run.returncode == 0:
                return chosen
            bad = set()
            for message in messages:
                inner = message.get("message", {})
                if inner.get("level") != "error":
                    continue
                for span in inner["spans"]:
                    if not span["is_primary"]:
                        continue
                    inside = [
                        (end - begin, number)
                        for number, (path, begin, end) in where.items()
                        if span["file_name"].endswith(path.removeprefix(CRATE + "/")) and begin <= span["byte_start"] and span["byte_end"] <= end
                    ]
                    # An error beside all places belongs to those in its lines.
                    near = [number for number in chosen if chosen[number][0].endswith(span["file_name"]) and span["line_start"] <= chosen[number][1] <= span["line_end"]]
                    bad |= {min(inside)[1]} if inside else set(near)
            if not bad:
                sys.exit("error: does not compile, and no place is to blame\n" + "".join(m["message"]["rendered"] for m in messages if "message" in m)[:3000])
            chosen = {number: place for number, place in chosen.items() if number not in bad}
        sys.exit("error: does not compile")

    def found(self, every):
        """The places that the build has."""
        text = "".join((self.tree / path).read_text() for path in FILES)
        numbers = {int(number) for number in re.findall(r"crate::mutant::\w+\((\d+), ", text)}
        return {number: place for number, place in every.items() if number in numbers}

    def build(self):
        words = [word for test in TESTS for word in ("--test", test)]
        run, messages = self.cargo("test", "--no-run", *words)
        if run.returncode:
            sys.exit(f"error: the tests do not build\n{run.stderr[-2000:]}")
        self.programs = {m["target"]["name"]: m["executable"] for m in messages if m.get("executable") and m["target"]["name"] in TESTS}

    def fails(self, test, number):
        """Whether a test fails with a change: None if it does not end."""
        run = subprocess.Popen(
            [self.programs[test], "--test-threads", "1"], cwd=self.tree / CRATE, env={**self.environment, "MUTANT": str(number)},
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST)),
        )  # fmt: skip
        failed = False
        for line in run.stdout:
            if line.rstrip().endswith("FAILED"):
                failed = True
                run.kill()
                break
        code = run.wait()
        if not failed and code in (-signal.SIGXCPU, -signal.SIGKILL):
            return None
        return failed or code != 0

    def verdict(self, number, tests):
        for test in tests:
            failed = self.fails(test, number)
            if failed is None:
                return "noticed by its time"
            if failed:
                return "noticed"
        return "SURVIVED"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, help="so many at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="0/1", help="every N-th, from the K-th on")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--built", action="store_true", help="with the build of the last run, of the same sources")
    parser.add_argument("--list", action="store_true", help="print them only")
    parser.add_argument("files", nargs="*", help="of the files, those whose names hold one of these")
    given = parser.parse_args()
    every = dict(enumerate((place for path in FILES for place in places(path)), 1))
    words = lambda place: f"{place[0].removeprefix(CRATE + '/src/')}:{place[1]}:{place[2]}: {place[3]}"
    if given.list:
        print("\n".join(map(words, every.values())))
        return
    room = Room(given.built)
    good = room.found(every) if given.built else room.compiled(every)
    print(f"{len(every)} operators in {len(FILES)} files, {len(good)} of them can be changed", flush=True)
    room.build()
    for test in TESTS:
        begin = time.monotonic()
        if room.fails(test, 0) is not False:
            sys.exit(f"error: the test `{test}` fails before anything is changed")
        print(f"{test}: {time.monotonic() - begin:.1f} s", flush=True)
    first, step = map(int, given.part.split("/"))
    some = [number for number in good if not given.files or any(name in good[number][0] for name in given.files)][first % step :: step]
    random.Random(given.seed).shuffle(some)
    some = some[: given.sample]
    counts = {}

    def judge(number):
        path, line = good[number][:2]
        verdict = room.verdict(number, FILES[path])
        counts[verdict] = counts.get(verdict, 0) + 1
        source = (ROOT / path).read_text().splitlines()[line - 1].strip()
        print(f"{verdict:20} {words(good[number])}   {source}", flush=True)

    with ThreadPoolExecutor(given.jobs) as workers:
        list(workers.map(judge, some))
    print(f"{len(some)} changes: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    sys.exit(1 if counts.get("SURVIVED") else 0)


main()
