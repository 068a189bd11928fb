# bench/support/harness.py -- shared code of the benchmark scripts: building and running the
# program, JSON files of results, tables.
# SPDX-License-Identifier: BSD-3-Clause
"""Imported by bench/run and by the scripts beside the questions; not a program."""
import json
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "echelon"


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def add_common_arguments(parser, repeat):
    """--repeat, --threads, --out and --program, common to all benchmarks."""
    parser.add_argument("--repeat", type=int, default=repeat, help=f"timed rounds ({repeat})")
    parser.add_argument("--threads", default="1,2", help="numbers of threads (1,2)")
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file to write")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM,
                        help="the program to run (build/release/bin/echelon)")


def build_program(program=PROGRAM):
    """Builds the release preset if needed; returns True on success. Any other program is used as it is."""
    if program != PROGRAM:
        return True
    for command in (["cmake", "--preset", "release"],
                    ["cmake", "--build", "--preset", "release", "--target", "echelon_cli"]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            say(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
            return False
    return True


def fetch_wheels(wheels):
    """Puts wheels into .venv, each once; returns the folder. Names and omits those it cannot get."""
    venv = ROOT / ".venv"
    python = venv / "bin" / "python"
    list_file = venv / "echelon_wheels.txt"
    have = list_file.read_text().split() if list_file.is_file() else []
    wanted = [wheel for wheel in wheels if wheel not in have]
    if not wanted:
        return venv
    try:
        if not python.exists():
            say("making .venv")
            subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True,
                           capture_output=True, text=True)
        have += [wheel for wheel in wanted if fetch_wheel(python, wheel)]
        list_file.write_text(" ".join(have) + "\n")
    except (OSError, subprocess.CalledProcessError) as error:
        say(f"no .venv, so no {' and '.join(wanted)} from it: {error}")
    return venv


def fetch_wheel(python, wheel):
    say(f"fetching {wheel} into .venv")
    done = subprocess.run([str(python), "-m", "pip", "install", "--quiet",
                           "--disable-pip-version-check", wheel],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["pip failed"]
        say(f"{wheel} cannot be fetched: {lines[-1]}")
    return done.returncode == 0


def busy_share(seconds=1.0):
    """The load of the busiest processor in the next second, from 0 to 1; 0 if unknown."""
    def ticks():
        lines = pathlib.Path("/proc/stat").read_text().splitlines()
        return [[int(word) for word in line.split()[1:9]] for line in lines
                if re.match(r"cpu\d", line)]
    try:
        before = ticks()
        time.sleep(seconds)
        spent = [[b - a for a, b in zip(*pair)] for pair in zip(before, ticks())]
    except OSError:
        return 0.0
    return max((1 - (cpu[3] + cpu[4]) / max(sum(cpu), 1) for cpu in spent), default=0.0)


def wait_for_quiet(most_seconds):
    """Returns when all processors were idle for three consecutive seconds, or after the timeout."""
    end = time.monotonic() + most_seconds
    quiet = 0
    while quiet < 3 and time.monotonic() < end:
        quiet = quiet + 1 if busy_share() < 0.1 else 0
    return quiet == 3


def describe_commit():
    done = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


class Failed(Exception):
    """A call of the program without a document; the text has the reason."""


def run_json(program, arguments, seconds=None):
    """The JSON output of the program. Throws Failed with its last line."""
    try:
        done = subprocess.run([str(program), *arguments, "--json"], capture_output=True, text=True,
                              check=False, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise Failed(f"took more than {seconds} s") from error
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"ended with status {done.returncode}"]
        raise Failed(lines[-1].removeprefix("echelon: "))
    return json.loads(done.stdout)


def merge(document, result):
    """Adds the runs and the missing contenders of one more call; keeps the head of the first."""
    if document is None:
        return result
    document["runs"] += result["runs"]
    document["missing"] += [m for m in result["missing"] if m not in document["missing"]]
    return document


def machine_name(document):
    """The name of the machine, or of the GPU if one did the work."""
    name = (document.get("device") or {}).get("name") or document["machine"]["cpu"] or "unknown"
    cpu = re.sub(r"\((R|TM)\)|@.*|Processor|CPU", "", name)
    return re.sub(r"[^a-z0-9]+", "-", cpu.lower()).strip("-")


def write_document(document, path, quiet=False):
    """Writes the document in the program's own form: one line per run."""
    runs = ",\n".join("    " + json.dumps(run) for run in document["runs"])
    head = {key: value for key, value in document.items() if key != "runs"}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + "\n".join(lines) + f"\n  \"runs\": [\n{runs}\n  ]\n}}\n")
    if not quiet:
        say(f"wrote {path}")


def heading(document):
    """Place, date and method of the measurement: two lines."""
    machine = document["machine"]
    return [f"{machine['cpu']}, {machine['cores']} cores, {machine['compiler']}, "
            f"{document['date'][:10]}, commit {document.get('commit') or 'unknown'}",
            f"command: {document.get('command', 'echelon bench')}"]


def align(rows, left=2):
    """Rows of text as a readable table; the first columns left-aligned, the others right-aligned."""
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if c < left else cell.rjust(width)
                      for c, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def to_markdown(rows, left=2):
    """The same as a Markdown table."""
    rule = "|".join("---" if c < left else "---:" for c in range(len(rows[0])))
    return (["| " + " | ".join(rows[0]) + " |", f"|{rule}|"]
            + ["| " + " | ".join(row) + " |" for row in rows[1:]])
