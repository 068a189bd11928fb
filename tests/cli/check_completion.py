#!/usr/bin/env python3
# tests/cli/check_completion.py -- completes words in the shells that are here, and formats the manual
# pages.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_completion.py PROGRAM"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
COMMANDS = ("inspect", "generate", "factor", "solve", "smooth", "bench", "model", "calibrate")
FAILURES = []


def expect(truth, text):
    if not truth:
        FAILURES.append(text)


def printed(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    expect(done.returncode == 0 and not done.stderr, f"{words}: {done.stderr}")
    return done.stdout


def in_bash(script, folder, *words):
    """What bash offers for the last word."""
    line = f"""
        source {script}; cd {folder}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        compopt() {{ :; }}
        $(complete -p echelon | sed 's/.*-F \\([^ ]*\\).*/\\1/') echelon
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", line, "bash", "echelon", *words], capture_output=True,
                          text=True, check=False)
    expect(not done.stderr, f"bash, {words}: {done.stderr}")
    return set(done.stdout.split())


def check_bash(folder):
    script = folder / "echelon.bash"
    script.write_text(printed("completion", "bash"), encoding="utf-8")
    (folder / "lower.mtx").touch()
    (folder / "pictures").mkdir()
    offers = ((("",), set(COMMANDS)), (("so",), {"solve"}), (("solve", "--par"), {"--part"}),
              (("solve", "--part", ""), {"lower", "upper", "full"}),
              (("bench", "--backend", "cu"), {"cuda"}), (("solve", "--method", "invert_d"), {"invert_diag"}),
              (("solve", "low"), {"lower.mtx"}), (("solve", "laplace3"), {"laplace3d:"}),
              (("solve", "x", "-o", "low"), {"lower.mtx"}), (("inspect", "--pictures", "p"), {"pictures"}),
              (("solve", "--repeat", ""), set()), (("nosuch", "--"), set()))
    for words, wanted in offers:
        found = in_bash(script, folder, *words)
        missing = wanted - found if words == ("",) else wanted ^ found
        expect(not missing, f"bash offers {found} for {words}, not {wanted}")
    every = in_bash(script, folder, "solve", "--")
    expect({"--json", "--schedule.hop", "--help-all", "--factor.scale"} <= every, f"flags: {every}")


def check_syntax(folder):
    for shell in ("zsh", "fish"):
        script = folder / f"echelon.{shell}"
        script.write_text(printed("completion", shell), encoding="utf-8")
        if shutil.which(shell) is None:
            print(f"skipped: {shell} is not here, so its completions were not read by it")
            continue
        done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
        expect(done.returncode == 0 and not done.stderr, f"{shell}: {done.stderr}")
    if shutil.which("fish"):
        done = subprocess.run(["fish", "-c", f"source {folder}/echelon.fish; complete -C 'echelon solve --part '"],
                              capture_output=True, text=True, check=False)
        expect({"lower", "upper", "full"} <= set(done.stdout.split()), f"fish: {done.stdout}")


def check_manual(folder):
    for command in ("", *COMMANDS):
        page = folder / f"echelon-{command}.1"
        page.write_text(printed("man", *([command] if command else [])), encoding="utf-8")
        if shutil.which("groff") is None:
            print("skipped: groff is not here, so no manual page was formatted")
            return
        done = subprocess.run(["groff", "-man", "-ww", "-Tascii", page], capture_output=True, text=True,
                              check=False)
        expect(done.returncode == 0 and not done.stderr, f"man {command}: {done.stderr}")
        shown = subprocess.run(["col", "-b"], input=done.stdout, capture_output=True, text=True,
                               check=False).stdout if shutil.which("col") else done.stdout
        expect("EXIT STATUS" in shown, f"man {command} has no exit status")
        if command == "solve":
            expect("--part" in shown and "--schedule.hop" in shown, "man solve lacks flags")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_bash(folder)
        check_syntax(folder)
        check_manual(folder)
    for text in FAILURES:
        print(text)
    print(f"{len(FAILURES)} failures")
    sys.exit(1 if FAILURES else 0)


main()
