#!/usr/bin/env python3
"""Changes formulas and comparisons, all in one build, one at a time when it runs; a test must fail.

    ci/mutants.py [core | check | model] [--only TEXT...] [--sample N] [--part K/N] [--jobs N] [--built] [--go-on] [--list]

In a copy of the sources each place that can be changed calls a function that does so if the environment variable MUTANT has the number of the
place. So a change costs a run of tests instead of a build: cargo-mutants builds for each of them. Each test is run once to see which places it
reaches; a change is judged by the tests that reach it, the quickest first, until one fails.

    core   the formulas of legwork-core: + becomes - and back (the sign of the right operand), * becomes / and back (its reciprocal),
           a sign is turned
    check  the proofs of legwork, src/check: the same, and a comparison is always true or always false (the right operand is the
           largest or the least number), a condition is turned into its opposite, a bar is a million times as wide, and a statement that
           compares, counts or refuses is left out
    model  the changes of legwork-model that ci/mutants.txt lists, whose builds would take minutes each

What does not compile, because an operand is an index or a matrix without a sign, is left out and counted. `ci/mutants.txt` is the kept list of
changes by hand, of other kinds and in other files. A change that makes a test take ten
times as long, and ten seconds more, of the processor is noticed.

A change that survives is a hole in the tests, unless ci/mutants-explained.txt says why it is none. There a file and a line of its source
stand before the operators of that line and their reasons, "* 2" being the second * of all lines with these words in this file. An explanation
of a change that a test notices, or that is not there, is stale. The exit code is 1 if a change survives without an explanation, or an explanation
is stale.

`--sample N` takes N changes that are not explained: those whose file, line and operator have the least hashes, so that the same sources have the
same sample, and a line that is edited changes no other one's. `--built` takes the build that is there. Verdicts are kept in target/mutants as
they come: `--go-on` judges what has none there, and what survived. It is for a run that was stopped, or that tests were added to.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutant_places import by_hand, places

ROOT = Path(__file__).resolve().parent.parent
EXPLAINED = ROOT / "ci/mutants-explained.txt"
LIST = ROOT / "ci/mutants.txt"
NOTHING = 2**32 - 1  # the number of no place: nothing is changed, and every place that is reached is told


class Core:
    crate = "legwork-core"
    # Files, and the tests that must see a change in them.
    groups = [
        (["linalg"], ["links", "delta", "scalars", "engine"]),
        (["links"], ["links", "delta"]),
        ([f"robots/delta/{name}" for name in ("geometry", "posture", "dynamics", "inertia")], ["delta"]),
        ([f"engine/{name}" for name in ("chain", "leg", "mechanism", "ups", "attachment", "inverse", "space")], ["engine"]),
    ]
    judge = crate
    kinds = ["operator", "sign"]
    number = "crate::Real"
    numbers = ""


class Check:
    crate = "legwork"
    judge = crate
    groups = [
        ([f"check/{name}" for name in ("mod", "ledger", "scales", "states", "delta", "engine")], ["unit", "check", "mechanism"]),
        ([f"check/golden/{name}" for name in ("mod", "error", "format", "parameters", "trajectory")], ["unit", "check"]),
        ([f"check/golden/mechanism/{name}" for name in ("mod", "motion", "reader")], ["check", "mechanism"]),
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


def listed(crate):
    """The changes of a crate that are listed: file, old text, new text, and the test that must see it."""
    rows = [[word.strip() for word in line.split(" | ")] for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    return [(file, old, new, test.split()[0]) for test, file, old, new in rows if file.startswith(f"{crate}/")]


class Model:
    crate = "legwork-model"
    judge = "legwork"
    groups = [([file.removeprefix("legwork-model/src/").removesuffix(".rs")], [test]) for file, _, _, test in listed("legwork-model")]
    kinds = []
    number = "legwork_core::Real"
    numbers = ""


SETS = {"core": Core, "check": Check, "model": Model}

SWITCH = """
/// Changes on purpose, see ci/mutants.py.
#[allow(missing_docs, unreachable_pub)]
pub mod mutant {
    extern crate std;
    use NUMBER as Real;
    use core::ops::Neg;
    use std::io::Write;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    static CHOSEN: OnceLock<u32> = OnceLock::new();
    static REACHED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

    pub fn is_on(place: u32) -> bool {
        let read = || std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        let chosen = *CHOSEN.get_or_init(read);
        if chosen == u32::MAX && !REACHED[place as usize].swap(true, Ordering::Relaxed) {
            // Not a print: that of a test is kept from the one who reads it.
            let _ = writeln!(std::io::stderr(), "reached {place}");
        }
        chosen == place
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
        # Read once: whoever edits them meanwhile does not get in the way.
        self.texts = {path: (ROOT / "crates" / path).read_text() for path in self.files}
        # The dependencies are those that other jobs have built. A state that fails is not made smaller.
        own = {"CARGO_TARGET_DIR": str(ROOT / "target"), "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0", "PROPTEST_MAX_SHRINK_ITERS": "0"}
        self.environment = {**os.environ, **own}
        if not is_built:
            self.copy()

    def copy(self):
        """Copies the sources. A file that is as it should be stays as it is, so that cargo builds no more than it must."""
        names = ("Cargo.toml", "Cargo.lock", "rustfmt.toml", "README.md", "crates", "python", "golden", "robots", "book")
        # `robots` is a link to a folder.
        roots = {Path(name): (ROOT / name).resolve() for name in names}
        every = ((name / file.relative_to(root), file) for name, root in roots.items() for file in [root, *root.rglob("*")])
        files = {path: file for path, file in every if file.is_file()}
        for path, source in files.items():
            content = source.read_bytes()
            if source.name == "Cargo.toml":
                content = self.manifest(source.parent.name, content.decode()).encode()
            elif path == Path("crates", self.set.crate, "src/lib.rs"):
                content += SWITCH.replace("NUMBERS", self.set.numbers).replace("NUMBER", self.set.number).encode()
            target = self.tree / path
            is_changed = path.as_posix().removeprefix("crates/") in self.files
            if not is_changed and not (target.exists() and target.read_bytes() == content):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        for file in [file for file in self.tree.rglob("*") if file.is_file()]:
            if file.relative_to(self.tree) not in files:
                file.unlink()

    def manifest(self, folder, text):
        """The manifest of the copy."""
        # Another version, so that nothing built here is taken for the crate itself.
        text = re.sub(r'^version = "(\d+\.\d+)\.\d+"', r'version = "\1.999"', text, flags=re.MULTILINE) if "[workspace]" in text else text
        # Of the other crates no test is built. Those in the sources are a test of their own, because `--lib` is all crates'.
        if folder == self.set.judge:
            return text + '\n[[test]]\nname = "unit"\npath = "src/lib.rs"\n'
        return text.replace("[package]\n", "[package]\nautotests = false\n", 1)

    def write(self, chosen):
        """Writes the files with these places wrapped, by number; gives where each of them is then, in bytes."""
        where = {}
        for path, text in self.texts.items():
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
            if not target.exists() or target.read_text() != text:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text)
        return where

    def compiled(self, chosen):
        """The places that compile, and the build with them. Those that did not compile are kept, so that the next build is the only one."""
        kept = ROOT / f"target/mutants/{self.set.crate}.useless"
        useless = set(kept.read_text().split("\n\n")) if kept.exists() else set()
        chosen = {number: place for number, place in chosen.items() if place.name() not in useless}
        for _ in range(40):
            where = self.write(chosen)
            run, messages = self.build()
            if run.returncode == 0:
                kept.write_text("\n\n".join(sorted(useless)))
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
            useless |= {chosen[number].name() for number in bad}
            chosen = {number: place for number, place in chosen.items() if number not in bad}
        sys.exit("error: does not compile")

    def found(self, every):
        """The places that the build has."""
        text = "".join((self.tree / "crates" / path).read_text() for path in self.files)
        numbers = {int(number) for number in re.findall(r"crate::mutant::\w+\((\d+)", text)}
        return {number: place for number, place in every.items() if number in numbers}

    def build(self):
        words = [word for test in self.tests for word in ("--test", test)]
        # Tests run hundreds of times: what they compute is optimised.
        optimised = f"profile.dev.package.{self.set.crate}.opt-level=1"
        command = ["cargo", "test", "--no-run", "-q", "--config", optimised, "--workspace", "--all-features", "--message-format", "json", *words]
        run = subprocess.run(command, cwd=self.tree, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        messages = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        self.programs = {}
        for message in messages:
            if not message.get("executable") or f"/{self.set.judge}#" not in message["package_id"]:
                continue
            self.programs[message["target"]["name"]] = message["executable"]
        return run, messages

    def watch(self):
        """Runs every test once, nothing changed: which places it reaches, and how long it takes."""
        self.reach = {}
        for program in self.tests:
            some = ["check::"] if program == "unit" else []
            names = subprocess.run([self.programs[program], "--list", "--format", "terse", *some], check=True, stdout=subprocess.PIPE, text=True)
            for name in (line.removesuffix(": test") for line in names.stdout.splitlines() if line.endswith(": test")):
                failed, seconds, words = self.run(program, name, NOTHING, 3600)
                if failed is not False:
                    sys.exit(f"error: the test `{program} {name}` fails before anything is changed")
                self.reach[program, name] = seconds, {int(number) for number in re.findall(r"^reached (\d+)$", words, re.MULTILINE)}
            print(f"{program}: {sum(seconds for test, (seconds, _) in self.reach.items() if test[0] == program):.1f} s", flush=True)

    def run(self, program, name, number, most):
        """Whether a test fails with a change, None if it does not end in so many seconds of the processor; those it took; what it said."""
        run = subprocess.Popen(
            [self.programs[program], "--test-threads", "1", "--exact", name], cwd=self.tree / "crates" / self.set.judge,
            env={**self.environment, "MUTANT": str(number)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: limit(most),
        )  # fmt: skip
        words = run.stderr.read()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        failed = None if run.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else run.returncode != 0
        return failed, usage.ru_utime + usage.ru_stime, words

    def verdict(self, number, programs):
        tests = [(seconds, *test) for test, (seconds, reached) in self.reach.items() if number in reached and test[0] in programs]
        for seconds, program, name in sorted(tests):
            failed, _, _ = self.run(program, name, number, int(10 + 10 * seconds))
            if failed is None:
                return "noticed by its time"
            if failed:
                return "noticed"
        return "SURVIVED"


def limit(most):
    """Bounds this process: so many seconds of the processor, and the memory that no test comes near to."""
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


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
    parser.add_argument("--go-on", action="store_true", help="with the verdicts of the last run, but for what survived")
    parser.add_argument("--list", action="store_true", help="print them only")
    given = parser.parse_args()
    room = Room(SETS[given.set], given.built or given.list)
    found = [place for path, text in room.texts.items() for place in places(path, text, room.set.kinds)]
    found += [by_hand(file, room.texts[file], old, new) for file, old, new, _ in listed(room.set.crate) if not room.set.kinds]
    every = dict(enumerate(found, 1))
    if given.list:
        print("\n".join(place.words() for place in every.values()))
        return
    good = room.compiled(room.found(every) if given.built else every)
    print(f"{len(every)} places in {len(room.files)} files, {len(good)} of them can be changed", flush=True)
    room.watch()

    reasons = {name: reason for name, reason in explanations().items() if name.startswith(f"{room.set.crate}/")}
    names = {place.name() for place in good.values()}
    stale = [f"STALE, there is no such change: {name}" for name in reasons if name not in names]
    first, step = map(int, given.part.split("/"))
    some = [n for n in good if not given.only or any(text in good[n].words() for text in given.only)][first % step :: step]
    if given.sample is not None:
        some = [number for number in some if good[number].name() not in reasons]
        some = sorted(some, key=lambda number: hashlib.sha256(good[number].name().encode()).digest())[: given.sample]
    kept = ROOT / f"target/mutants/{room.set.crate}.verdicts"
    known = {}
    if given.go_on and kept.exists():
        # A name has two lines.
        rows = kept.read_text().splitlines()
        known = {f"{name}\n{mark}": verdict for verdict, name, mark in (row.split("\t") for row in rows) if verdict.startswith("noticed")}
    verdicts = kept.open("a" if given.go_on else "w")
    counts = {}

    def judge(number):
        place = good[number]
        verdict = known.get(place.name())
        if is_new := verdict is None:
            verdict = room.verdict(number, room.files[place.path])
            verdicts.write("\t".join([verdict, *place.name().split("\n")]) + "\n")
            verdicts.flush()
        if place.name() in reasons:
            if verdict == "SURVIVED":
                verdict = "explained"
            else:
                stale.append(f"STALE, a test notices it: {place.name()}")
        if is_new:
            print(f"{verdict:20} {place.words()}", flush=True)
        counts[verdict] = counts.get(verdict, 0) + 1

    begin = processor_time()
    with ThreadPoolExecutor(given.jobs) as workers:
        list(workers.map(judge, some))
    print(f"{processor_time() - begin:.0f} s of the processor for the changes, {processor_time():.0f} s in all")
    print("".join(f"{line}\n" for line in stale), end="")
    print(f"{len(some)} changes: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    sys.exit(1 if counts.get("SURVIVED") or stale else 0)


main()
