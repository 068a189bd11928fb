#!/usr/bin/env python3
# tools/check_commands.py -- the commands printed in our pages work, and print what the pages say.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/check_commands.py BUILD PAGE...  |  --self-test

Runs a page's commands in order, in a folder of links to this repository where build/release is
BUILD, on two cores.  A fenced block is read as

  ```sh without "$ "     commands; each has to succeed
  a block with "$ "      commands and what they print, on both streams; the exit status may differ
  <!-- output of examples/NAME -->  before a block: what build/release/bin/NAME prints

Outputs are compared with numbers and units masked.  <!-- needs PART --> before a block skips it
where PART was not built, or has no device; <!-- not run: REASON --> always.  <!-- smaller: PATTERN NEW -->
runs the block with a smaller problem.  Lines of ./dev are taken as done.  BUILD/bin is in PATH.
"""
import contextlib
import difflib
import io
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTE = re.compile(r"\s*<!-- (output of|needs|not run:|smaller:) (.*?) -->\s*$")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,]*\.?\d*(e[-+]?\d+)?( ?([nmu]?s|[kMG]?B|[kMGT]?B/s))?(?!\w)")

UNIT = re.compile(r"\b(plain|avx2|avx512|neon)$")


def masked(text):
    """One line per line that is not empty; numbers and vector units are #, spaces are one."""
    lines = (" ".join(UNIT.sub("#", NUMBER.sub("#", line)).split()) for line in text.splitlines())
    return [line for line in lines if line]


def blocks_of(lines):
    """Yields (line number, notes, language, lines) of the fenced blocks."""
    notes, k = {}, 0
    while k < len(lines):
        match = NOTE.match(lines[k])
        if match:
            notes[match.group(1).rstrip(":")] = match.group(2)
        elif lines[k].startswith("```"):
            end = next(e for e in range(k + 1, len(lines)) if lines[e].startswith("```"))
            yield k + 1, notes, lines[k][3:].strip(), lines[k + 1:end]
            notes, k = {}, end
        elif lines[k].strip():
            notes = {}
        k += 1


def steps_of(notes, language, lines):
    """Yields (command, expected text); None where any text will do."""
    if "output of" in notes:
        yield "build/release/bin/" + pathlib.Path(notes["output of"]).name, "\n".join(lines)
    elif any(line.startswith("$ ") for line in lines):
        text = "\n" + "\n".join(lines)
        for part in text.split("\n$ ")[1:]:
            command, _, expected = part.partition("\n")
            while command.endswith("\\"):
                more, _, expected = expected.partition("\n")
                command = command[:-1] + more
            yield command, expected
    elif language == "sh":
        for command in "\n".join(lines).replace("\\\n", "").splitlines():
            if command.strip() and not command.strip().startswith("#"):
                yield command, None


class Shell:
    """Commands one after another; exported variables and the folder are kept."""

    def __init__(self, folder, programs):
        self.folder, self.state = folder, folder / ".state"
        self.state.write_text(f"cd {shlex.quote(str(folder))}\nexport PATH={shlex.quote(str(programs))}:$PATH\n",
                              encoding="utf-8")

    def run(self, command):
        script = f'. {self.state}\n{command}\nrc=$?\n(export -p; echo cd "$PWD") >{self.state}\nexit $rc'
        return subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, check=False, text=True,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=900)


def missing_parts(build):
    """Parts that were not built; cuda and nvshmem also where no device answers."""
    missing = {line.partition(":")[0] for line in (build / "left_out.txt").read_text().splitlines()}
    if subprocess.run("nvidia-smi", capture_output=True, check=False, shell=True).returncode != 0:
        missing |= {"cuda", "nvshmem"}
    return missing


def check_step(shell, command, expected):
    """The reason why a step is wrong, or None."""
    done = shell.run(command)
    if expected is None:
        return None if done.returncode == 0 else f"exit status {done.returncode}\n{done.stdout[-1500:]}"
    want, got = masked(expected), masked(done.stdout)
    if want == got:
        return None
    return "prints something else\n" + "\n".join(difflib.unified_diff(want, got, "page", "run", lineterm=""))


def check_page(page, text, build, folder):
    """Prints what was run, what was skipped and what is wrong; the number of wrong steps."""
    shell, missing, bad = Shell(folder, build / "bin"), missing_parts(build), 0
    for number, notes, language, lines in blocks_of(text.splitlines()):
        for command, expected in steps_of(notes, language, lines):
            place, reason = f"{page}:{number}: {command.strip()}", None
            if "not run" in notes:
                print(f"skipped {place}   ({notes['not run']})")
            elif notes.get("needs") in missing:
                print(f"skipped {place}   (there is no {notes['needs']} here)")
            elif command.startswith("./dev"):
                print(f"skipped {place}   (done already)")
            else:
                old, _, new = notes.get("smaller", "").partition(" ")
                reason = check_step(shell, re.sub(old, new, command) if old else command, expected)
                print(f"{'FAILED ' if reason else 'ok     '} {place}", flush=True)
            if reason:
                print(reason)
                bad += 1
    return bad


def self_test():
    page = """```sh
echo one
export x=3   # kept
```
<!-- not run: a test -->
```sh
false
```
words
```
$ echo "took $x ms, 1,234 rows; two"
took 99.5 us, 7 rows; two
$ echo right; false
wrong
```
<!-- smaller: 2[0-9]+ 2 -->
```sh
test 20000 -lt 3
```
<!-- needs mpi -->
```sh
false
```
```
no command
```
```sh
false
```
"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "left_out.txt").write_text("mpi: hidden\n", encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            bad = check_page("self-test", page, folder, folder)
    assert bad == 2, bad  # "wrong" and the last false
    assert masked("a -1.5e-3 x2  3 ms\n\n 4") == ["a # x2 #", "#"], masked("a -1.5e-3 x2  3 ms\n\n 4")


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    if len(arguments) < 2:
        sys.exit(__doc__)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    build, bad = pathlib.Path(arguments[0]).resolve(), 0
    for page in arguments[1:]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for entry in ROOT.iterdir():
                if entry.name != "build":
                    (folder / entry.name).symlink_to(entry)
            (folder / "build").mkdir()
            (folder / "build" / "release").symlink_to(build)
            bad += check_page(page, (ROOT / page).read_text(encoding="utf-8"), build, folder)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
