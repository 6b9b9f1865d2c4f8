"""usage: sdist.py [--page] FILE.tar.gz: whether a source distribution holds all that its build reads.

Every source of the crates in it, every file that a source includes, the robots, licences, the readme and the lock file. With
`--page` also the built pages; without, each must be there if it is there in this folder. Exits with 1 if something is missing.
"""

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["crates/legwork-studio/web/dist/report.html", "crates/legwork-studio/page/studio.html"]
ALWAYS = ["Cargo.toml", "Cargo.lock", "pyproject.toml", "PKG-INFO", "python/Cargo.toml", "python/pylegwork/py.typed"]


def included(source: Path) -> list:
    """Files that a source includes when it is built, from the top of the repository."""
    found = []
    for line in source.read_text(encoding="utf-8").splitlines():
        # Documents are read by `cargo test --doc` alone.
        if "#[doc" in line:
            continue
        for name in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', line):
            found.append(os.path.relpath(os.path.normpath(source.parent / name), ROOT))
    return found


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    with tarfile.open(words[0]) as file:
        held = {name.split("/", 1)[1] for name in file.getnames() if "/" in name}
    crates = sorted({name.split("/")[1] for name in held if name.startswith("crates/")})
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    needed = set(ALWAYS)
    for name in tracked:
        is_source = name.startswith(tuple(f"crates/{crate}/src/" for crate in crates)) or name.startswith("python/src/")
        if is_source or name.startswith("crates/legwork-model/robots/"):
            needed.add(name)
        if is_source and name.endswith(".rs"):
            needed.update(included(ROOT / name))
        if name.startswith("python/python/"):
            needed.add(name[len("python/") :])
    needed.update(page for page in PAGES if "--page" in sys.argv or (ROOT / page).exists())
    missing = sorted(name for name in needed if name not in held)
    missing += [f"{word}-..." for word in ("LICENSE-MIT", "LICENSE-APACHE") if not any(n.endswith(word) for n in held)]
    # Nothing of the machine that made it.
    odd = sorted(name for name in held if name.startswith("target/") or "node_modules" in name)
    for name in missing:
        print(f"error: {words[0]} lacks {name}", file=sys.stderr)
    for name in odd:
        print(f"error: {words[0]} holds {name}", file=sys.stderr)
    if missing or odd:
        sys.exit(1)
    print(f"{len(held)} files of {len(crates)} crates; all {len(needed)} that are needed are there")


if __name__ == "__main__":
    main()
