#!/usr/bin/env python3
"""Changes formulas and comparisons, all in one build, one at a time when it runs; a test must fail.

    ci/mutants.py [core | check] [--only TEXT...] [--sample N] [--part K/N] [--jobs N] [--built] [--list]

In a copy of the sources each place that can be changed calls a function that does so if the environment variable MUTANT has the number of the
place. So a change costs one run of the tests, until the first fails, instead of a build: cargo-mutants builds for each of them.

    core   the formulas of legwork-core: + becomes - and back (the sign of the right operand), * becomes / and back (its reciprocal),
           a sign is turned
    check  the proofs of legwork, src/check: the same, and a comparison is always true or always false (the right operand is the
           largest or the least number), a condition is turned into its opposite, a bar is a million times as wide, and a statement that
           compares, counts or refuses is left out

What does not compile, because an operand is an index or a matrix without a sign, is left out and counted. `ci/mutants.txt` is the kept list of
changes by hand, of other kinds and in other files. A change that makes a test take two minutes of the processor is noticed.

A change that survives is a hole in the tests, unless ci/mutants-explained.txt says why it is none. There a file and a line of its source
stand before the operators of that line and their reasons, "* 2" being the second * of all lines with these words in this file. An explanation
of a change that a test notices, or that is not there, is stale. The exit code is 1 if a change survives without an explanation, or an explanation
is stale.

`--sample N` takes N changes that are not explained: those whose file, line and operator have the least hashes, so that the same sources have the
same sample, and a line that is edited changes no other one's. `--built` takes the build that is there.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXPLAINED = ROOT / "ci/mutants-explained.txt"
LONGEST = 120  # seconds of processor time of a test, so that a busy machine changes nothing


class Core:
    crate = "legwork-core"
    # Files, and the tests that must see a change in them, the quickest first.
    groups = [
        (["linalg"], ["links", "delta", "scalars", "engine"]),
        (["links"], ["links", "delta"]),
        ([f"robots/delta/{name}" for name in ("geometry", "posture", "dynamics", "inertia")], ["delta"]),
        ([f"engine/{name}" for name in ("chain", "leg", "mechanism", "ups", "attachment", "inverse", "space")], ["engine"]),
    ]
    kinds = ["operator", "sign"]
    number = "crate::Real"
    numbers = ""


class Check:
    crate = "legwork"
    groups = [
        ([f"check/{name}" for name in ("mod", "ledger", "scales", "states", "delta", "engine")], ["lib", "check"]),
        ([f"check/golden/{name}" for name in ("mod", "error", "format", "parameters", "trajectory")], ["lib", "check"]),
        ([f"check/golden/mechanism/{name}" for name in ("mod", "motion", "reader")], ["mechanism"]),
    ]
    kinds = ["operator", "sign", "comparison", "condition", "bar", "statement"]
    number = "legwork_core::Real"
    numbers = """
    pub trait Number: Copy {
        const LEAST: Self;
        const MOST: Self;
        fn wide(self) -> Self;
    }
    impl Number for f64 {
        const LEAST: Self = f64::NEG_INFINITY;
        const MOST: Self = f64::INFINITY;
        fn wide(self) -> Self { self * 1e6 }
    }
    impl Number for usize {
        const LEAST: Self = 0;
        const MOST: Self = usize::MAX;
        fn wide(self) -> Self { self.saturating_mul(1_000_000) }
    }
    impl Number for u64 {
        const LEAST: Self = 0;
        const MOST: Self = u64::MAX;
        fn wide(self) -> Self { self.saturating_mul(1_000_000) }
    }
    pub fn most<N: Number>(place: u32, x: N) -> N {
        if is_on(place) { N::MOST } else { x }
    }
    pub fn least<N: Number>(place: u32, x: N) -> N {
        if is_on(place) { N::LEAST } else { x }
    }
    pub fn wide<N: Number>(place: u32, x: N) -> N {
        if is_on(place) { x.wide() } else { x }
    }
    pub fn not(place: u32, x: bool) -> bool {
        is_on(place) != x
    }"""


SETS = {"core": Core, "check": Check}

SWITCH = """
/// Changes on purpose, see ci/mutants.py.
#[allow(missing_docs, unreachable_pub)]
pub mod mutant {
    extern crate std;
    use NUMBER as Real;
    use core::ops::Neg;
    use std::sync::OnceLock;

    static CHOSEN: OnceLock<u32> = OnceLock::new();

    pub fn is_on(place: u32) -> bool {
        let read = || std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        *CHOSEN.get_or_init(read) == place
    }

    pub fn flip<X: Neg<Output = X>>(place: u32, x: X) -> X {
        if is_on(place) { -x } else { x }
    }

    pub fn invert<T: Real>(place: u32, x: T) -> T {
        if is_on(place) { x.recip() } else { x }
    }
NUMBERS
}
"""

# rustfmt puts a space on both sides of a binary operator, or a line break before it.
OPERATOR = re.compile(r"(?<=[\w)\]}?])\s+(\+=|-=|[-+*/]) (?=[\w(&*-])")
SIGN = re.compile(r"(?<=[(,=\[]) ?-(?=[a-z(])")
COMPARISON = re.compile(r"(?<=[\w)\]}?]) (<=|>=|<|>) (?=[\w(&*-])")
CONDITION = re.compile(r"(?:\bif |&& |(?<![(,] )(?<!\()\|\| )(?!let\b)(?=[\w(!*])")
BAR = re.compile(r"(?<=[( ])(?!NAN\b|INFINITY\b)[A-Z][A-Z_]+(?=[,);. ])(?! =)")
STATEMENT = re.compile(r"^ *(?:ledger\.(?:compare|measure|require|fail)|count|note|asked|given|consistent|go_on|\w+\.push|\w+\.extend)\(", re.MULTILINE)
TYPE = re.compile(r"^\s*(pub )?(const |unsafe )?(impl|trait|type|where|struct|enum|use)\b|^\s*[A-Z]\w*: |\bdyn \w+ \+|: Copy|'static|^\s*const ")
CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Place:
    path: str  # below crates/
    line: int
    source: str  # the words of the line
    mark: str  # the operator and which one of all lines with these words
    begin: int
    end: int
    before: str
    after: str

    def name(self):
        return f"{self.path}: {self.source}\n    {self.mark}"

    def words(self):
        return f"{self.path}:{self.line}: {self.mark:10} {self.source}"


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
    while text[at] in "-&*!":
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
        elif text[at] == "?" or text[at] == "!" and text[at + 1] in "([":
            at += 1
        else:
            cast = re.compile(r" as [\w:]+").match(text, at)
            return cast.end() if cast else at
    return at


def chain_end(text, at, operators):
    """Behind operands that these operators connect."""
    end = factor_end(text, at)
    more = re.compile(r"\s+(" + operators + r") ")
    while end is not None and (found := more.match(text, end)):
        end = factor_end(text, found.end())
    return end


def statement_end(text, at):
    """Behind the semicolon of a statement."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        if text[k] == ";" and depth == 0:
            return k + 1
        if depth < 0:
            return None
    return None


def changes(code, kinds):
    """Every change of a text: where it is told, its mark, the function, begin and end of what is wrapped."""
    if "operator" in kinds:
        for match in OPERATOR.finditer(code):
            operator, begin = match[1], match.end()
            if operator in ("+=", "-="):
                end = statement_end(code, begin)
                end = end and end - 1
            else:
                end = chain_end(code, begin, r"[*/%]") if operator in "+-" else factor_end(code, begin)
            yield match.start(1), operator, "invert" if operator in "*/" else "flip", begin, end
    if "sign" in kinds:
        for match in SIGN.finditer(code):
            at = code.index("-", match.start())
            yield at, "sign", "flip", at, factor_end(code, at)
    if "comparison" in kinds:
        for match in COMPARISON.finditer(code):
            end = chain_end(code, match.end(), r"[-+*/%]")
            # Nothing is less than the integer zero.
            for function in ("most",) if code[match.end() : end] == "0" else ("most", "least"):
                yield match.start(1), f"{match[1]} {function}", function, match.end(), end
    if "condition" in kinds:
        for match in CONDITION.finditer(code):
            whole = r"[-+*/%<>]|[<>=!]=" + ("|&&" if match[0] == "|| " else r"|&&|\|\|" if match[0] == "if " else "")
            yield match.start(), match[0].strip() + " not", "not", match.end(), chain_end(code, match.end(), whole)
    if "bar" in kinds:
        for match in BAR.finditer(code):
            yield match.start(), "wide", "wide", match.start(), match.end()
    if "statement" in kinds:
        for match in STATEMENT.finditer(code):
            begin = match.end() - len(match[0].lstrip())
            yield begin, "leave out", "", begin, statement_end(code, begin)


def places(crate, path, kinds):
    """The places of a file, in their order."""
    text = (ROOT / "crates" / path).read_text()
    tests = text.find("\n#[cfg(test)]\nmod ")
    code = text if tests < 0 else text[:tests]
    # Comments and texts of the same length without anything in them.
    code = re.sub(r"//[^\n]*|\"(\\.|[^\"\\])*\"", lambda found: " " * len(found[0]), code)
    found, counts = [], {}
    for at, mark, function, begin, end in sorted(changes(code, kinds)):
        start = code.rfind("\n", 0, at) + 1
        stop = code.find("\n", at)
        if TYPE.search(code[start:stop]) or end is None:
            continue
        source = text[start:stop].strip()
        count = counts[source, mark] = counts.get((source, mark), 0) + 1
        before, after = (f"crate::mutant::{function}(#, ", ")") if function else ("if !crate::mutant::is_on(#) { ", " }")
        found.append(Place(path, code.count("\n", 0, at) + 1, source, f"{mark} {count}", begin, end, before, after))
    return found


def explanations():
    """What is said of changes that no test can notice, by their names."""
    reasons, head, last = {}, None, None
    for number, line in enumerate(EXPLAINED.read_text().splitlines() if EXPLAINED.exists() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            head = line.strip()
            continue
        marks, colon, reason = line.strip().partition(": ")
        if line.startswith(" " * 8) and last:
            for name in last:
                reasons[name] += " " + line.strip()
            continue
        if not head or not colon or not reason.strip():
            sys.exit(f"error: {EXPLAINED.name}:{number}: neither a file with a line, nor operators with a reason")
        last = [f"{head}\n    {mark.strip()}" for mark in marks.split(",")]
        for name in last:
            if name in reasons:
                sys.exit(f"error: {EXPLAINED.name}:{number}: explained twice")
            reasons[name] = reason.strip()
    return reasons


class Room:
    """A copy of the sources with all changes in it, and its tests."""

    def __init__(self, chosen, is_built):
        self.set = chosen
        self.files = {f"{chosen.crate}/src/{name}.rs": tests for names, tests in chosen.groups for name in names}
        self.tests = list(dict.fromkeys(test for tests in self.files.values() for test in tests))
        self.tree = ROOT / f"target/mutants/{chosen.crate}"
        # The dependencies are those that other jobs have built. A state that fails is not made smaller.
        own = {"CARGO_TARGET_DIR": str(ROOT / "target"), "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0", "PROPTEST_MAX_SHRINK_ITERS": "0"}
        self.environment = {**os.environ, **own}
        if is_built:
            return
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir(parents=True)
        for name in ("Cargo.toml", "Cargo.lock", "rustfmt.toml", "README.md", "crates", "python", "golden", "robots", "book"):
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy2
            copy(source, self.tree / name)
        # Another version, so that nothing built here is taken for the crate itself.
        workspace = self.tree / "Cargo.toml"
        workspace.write_text(re.sub(r'^version = "(\d+\.\d+)\.\d+"', r'version = "\1.999"', workspace.read_text(), flags=re.MULTILINE))
        # Of the other crates no test is built.
        for manifest in [*(self.tree / "crates").glob("*/Cargo.toml"), self.tree / "python/Cargo.toml"]:
            if manifest.parent.name != chosen.crate:
                text = manifest.read_text().replace("[package]\n", "[package]\nautotests = false\n", 1)
                text = re.sub(r"^test = false\n", "", text, flags=re.MULTILINE)
                text = text.replace("[lib]\n", "[lib]\ntest = false\n", 1) if "[lib]\n" in text else text + "\n[lib]\ntest = false\n"
                manifest.write_text(text)
        library = self.tree / "crates" / chosen.crate / "src/lib.rs"
        library.write_text(library.read_text() + SWITCH.replace("NUMBERS", chosen.numbers).replace("NUMBER", chosen.number))

    def write(self, chosen):
        """Writes the files with these places wrapped, by number; gives where each of them is then, in bytes."""
        where = {}
        for path in self.files:
            text = (ROOT / "crates" / path).read_text()
            edits = []
            for number, place in ((n, p) for n, p in chosen.items() if p.path == path):
                edits.append((place.begin, 1, -place.end, place.before.replace("#", str(number)), number))
                edits.append((place.end, 0, -place.begin, place.after, number))
            out, last, size, begins = [], 0, 0, {}
            for at, is_begin, _, words, number in sorted(edits, key=lambda edit: (*edit[:3], -edit[4] if edit[1] == 0 else edit[4])):
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
            target = self.tree / "crates" / path
            text = "".join(out) + text[last:]
            if target.read_text() != text:
                target.write_text(text)
        return where

    def compiled(self, chosen):
        """The places that compile, and the build with them."""
        for _ in range(40):
            where = self.write(chosen)
            run, messages = self.build()
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
                    file = span["file_name"].removeprefix("crates/")
                    inside = [
                        (end - begin, number)
                        for number, (path, begin, end) in where.items()
                        if path == file and begin <= span["byte_start"] and span["byte_end"] <= end
                    ]
                    # An error beside all places belongs to those in its lines.
                    near = [number for number in chosen if chosen[number].path == file and span["line_start"] <= chosen[number].line <= span["line_end"]]
                    bad |= {min(inside)[1]} if inside else set(near)
            if not bad:
                words = "".join(m["message"]["rendered"] for m in messages if "message" in m)
                sys.exit(f"error: does not compile, and no place is to blame\n{words[:3000]}{run.stderr[-3000:]}")
            chosen = {number: place for number, place in chosen.items() if number not in bad}
        sys.exit("error: does not compile")

    def found(self, every):
        """The places that the build has."""
        text = "".join((self.tree / "crates" / path).read_text() for path in self.files)
        numbers = {int(number) for number in re.findall(r"crate::mutant::\w+\((\d+)", text)}
        return {number: place for number, place in every.items() if number in numbers}

    def build(self):
        words = [word for test in self.tests for word in (["--lib"] if test == "lib" else ["--test", test])]
        # Tests run hundreds of times: what they compute is optimised.
        optimised = f"profile.dev.package.{self.set.crate}.opt-level=1"
        command = ["cargo", "test", "--no-run", "-q", "--config", optimised, "--workspace", "--all-features", "--message-format", "json", *words]
        run = subprocess.run(command, cwd=self.tree, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        messages = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        self.programs = {}
        for message in messages:
            if not message.get("executable") or f"/{self.set.crate}#" not in message["package_id"]:
                continue
            kind, name = message["target"]["kind"], message["target"]["name"]
            self.programs["lib" if "lib" in kind else name] = message["executable"]
        return run, messages

    def fails(self, test, number):
        """Whether a test fails with a change: None if it does not end."""
        some = ["check::"] if test == "lib" else []
        run = subprocess.Popen(
            [self.programs[test], "--test-threads", "1", *some], cwd=self.tree / "crates" / self.set.crate,
            env={**self.environment, "MUTANT": str(number)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
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


def processor_time():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="?", default="core", choices=list(SETS))
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="those whose file, line and operator hold one of these")
    parser.add_argument("--sample", type=int, metavar="N", help="so many, always the same")
    parser.add_argument("--part", default="0/1", metavar="K/N", help="every N-th, from the K-th on")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--built", action="store_true", help="with the build of the last run, of the same sources")
    parser.add_argument("--list", action="store_true", help="print them only")
    given = parser.parse_args()
    room = Room(SETS[given.set], given.built or given.list)
    every = dict(enumerate((place for path in room.files for place in places(room.set.crate, path, room.set.kinds)), 1))
    if given.list:
        print("\n".join(place.words() for place in every.values()))
        return
    good = room.compiled(room.found(every) if given.built else every)
    print(f"{len(every)} places in {len(room.files)} files, {len(good)} of them can be changed", flush=True)
    for test in room.tests:
        begin = processor_time()
        if room.fails(test, 0) is not False:
            sys.exit(f"error: the test `{test}` fails before anything is changed")
        print(f"{test}: {processor_time() - begin:.1f} s", flush=True)

    reasons = {name: reason for name, reason in explanations().items() if name.startswith(f"{room.set.crate}/")}
    names = {place.name() for place in good.values()}
    stale = [f"STALE, there is no such change: {name}" for name in reasons if name not in names]
    first, step = map(int, given.part.split("/"))
    some = [n for n in good if not given.only or any(text in good[n].words() for text in given.only)][first % step :: step]
    if given.sample is not None:
        some = [number for number in some if good[number].name() not in reasons]
        some = sorted(some, key=lambda number: hashlib.sha256(good[number].name().encode()).digest())[: given.sample]
    counts = {}

    def judge(number):
        place = good[number]
        verdict, reason = room.verdict(number, room.files[place.path]), reasons.get(place.name())
        if reason:
            if verdict == "SURVIVED":
                verdict = "explained"
            else:
                stale.append(f"STALE, a test notices it: {place.name()}")
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"{verdict:20} {place.words()}", flush=True)

    begin = processor_time()
    with ThreadPoolExecutor(given.jobs) as workers:
        list(workers.map(judge, some))
    print(f"{processor_time() - begin:.0f} s of the processor for the changes, {processor_time():.0f} s in all")
    print("".join(f"{line}\n" for line in stale), end="")
    print(f"{len(some)} changes: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    sys.exit(1 if counts.get("SURVIVED") or stale else 0)


main()
