#!/usr/bin/env python3
# tools/check_text.py -- what a file may look like: its opening, its length, nothing of one machine.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_text.py [ROOT]    prints file:line and the reason, exits 1

Sources open with '// <path> -- purpose' (the path without src/ or include/) and an SPDX
line right after that sentence, and have at most 400 lines, their functions 60.  No file names a folder of
somebody's machine, or holds a to-do without an issue number: TO-DO(#12), in one word.
"""
import pathlib
import re
import subprocess
import sys

from cpp_blocks import blocks_of, code_of

SOURCES = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh"}
SCRIPTS = {".py", ".cmake", ".txt", ".json", ".sh", ""}
TEXTS = SOURCES | SCRIPTS | {".md", ".toml", ".cff", ".yml"}
LONGEST = 400  # lines
LONGEST_FUNCTION = 60  # as readability-function-size counts; clang-tidy does not read CUDA
SPDX = "// SPDX-License-Identifier: BSD-3-Clause"
NOT_OURS = {".git", "build", ".venv", ".cache", "carry", "__pycache__"}
MACHINE_PATH = re.compile(r"(?<![\w.$)}~/-])/(home|root|work|Users|mnt|scratch)/\w")
LOOSE_END = re.compile(r"\b(TO" r"DO|FIX" r"ME)\b(?!\(#\d+\))")


def our_files(root):
    """Paths of the files of the project: what git knows or would add, else all there is."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        names = sorted(set(listed.splitlines()))
    except (OSError, subprocess.CalledProcessError):
        names = sorted(str(p.relative_to(root)) for p in root.rglob("*"))
    paths = [pathlib.Path(name) for name in names]
    return [p for p in paths if not NOT_OURS & set(p.parts) and (root / p).is_file()]


def check_opening(path, lines):
    shown = path.relative_to(path.parts[0]) if path.parts[0] in {"src", "include"} else path
    if path.parts[0] == "adapters" and "include" in path.parts:  # as it is installed
        shown = pathlib.Path(*path.parts[path.parts.index("include") + 1:])
    if not lines or not lines[0].startswith(f"// {shown} -- "):
        yield 1, f"must open with '// {shown} -- purpose'"
        return
    end = next((k for k, line in enumerate(lines[1:4], start=1) if line == SPDX), None)
    if end is None or not all(re.match(r"// \S", line) for line in lines[:end]):
        yield 2, f"the purpose is followed by '{SPDX}'"


def check_functions(text):
    code = code_of(text)
    for name, body, begin, is_class in blocks_of(code):
        if not is_class and body.count("\n") > LONGEST_FUNCTION:
            yield code[:begin].count("\n") + 1, f"{name} has {body.count(chr(10))} lines; {LONGEST_FUNCTION} is the limit"


def check_lines(path, lines):
    for number, line in enumerate(lines, start=1):
        if MACHINE_PATH.search(line):
            yield number, "names a folder of one machine"
        if path.suffix != ".md" and LOOSE_END.search(line):
            yield number, "a to-do needs its issue number, as in (#12)"


def check_file(path, lines):
    if path.suffix in SOURCES:
        yield from check_opening(path, lines)
        if len(lines) > LONGEST:
            yield LONGEST, f"has {len(lines)} lines; {LONGEST} is the limit"
        if path.parts[0] != "tests":
            yield from check_functions("\n".join(lines))
    yield from check_lines(path, lines)


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[1]).resolve()
    bad = 0
    for path in our_files(root):
        if path.suffix not in TEXTS:
            continue
        lines = (root / path).read_text(encoding="utf-8", errors="replace").splitlines()
        for number, reason in check_file(path, lines):
            print(f"{path}:{number}: {reason}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
