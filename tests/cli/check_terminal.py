#!/usr/bin/env python3
# tests/cli/check_terminal.py -- runs the program echelon on a terminal and ends it by signals: phases
# are named on a terminal alone, and files are whole or as they were.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: check_terminal.py PROGRAM"""
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
FAILURES = []
LONG = "laplace3d:110"  # a second or two to generate and write


def expect(truth, text):
    if not truth:
        FAILURES.append(text)


def on_terminal(words, stop=None, variables=()):
    """Runs on a terminal of its own and types Ctrl-C as soon as `stop` is printed; the text and the
    status as a shell shows it."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "xterm", **dict(variables)})
        os.environ.pop("NO_COLOR", None) if "NO_COLOR" not in dict(variables) else None
        os.execv(PROGRAM, [PROGRAM, *words])
    text, end = "", time.monotonic() + 120
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # Linux: the program has ended
            break
        if not piece:
            break
        text += piece.decode()
        if stop and stop in text:
            os.write(terminal, b"\x03")
            stop = None
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return text, status if status >= 0 else 128 - status


def shown_at_last(text):
    """What a person sees: of each line the text after the last time that it was erased."""
    lines = [re.split(r"\r\x1b\[K|\r(?=.*\x1b\[K)", line)[-1] for line in text.split("\n")]
    return "\n".join(line.rstrip("\r") for line in lines)


def check_phases(folder):
    text, status = on_terminal(["factor", "elasticity3d:13", "-o", str(folder / "a.factors")])
    expect(status == 0, f"factor: status {status}: {text}")
    text, status = on_terminal(["generate", LONG, "-o", str(folder / "a.mtx")])
    expect(status == 0, f"generate: status {status}")
    text, status = on_terminal(["smooth", "laplace2d:600", "--sweeps", "30", "--repeat", "30"])
    expect(re.search(r"\rsweeping \[[#.]+\] +\d+ %, \d+ s, \d+ s left", text),
           f"smooth: no bar with times in {text!r}")
    seen = shown_at_last(text)
    expect("sweeping" not in seen and "residual" in seen, f"a phase is left: {seen!r}")
    piped = subprocess.run([PROGRAM, "model", "elasticity3d:12", "--machine", "cori-haswell"],
                           capture_output=True, check=False)
    expect(piped.stderr == b"" and b"\x1b" not in piped.stdout and b"\r" not in piped.stdout,
           f"phases on a pipe: {piped.stderr!r}")


def check_ctrl_c():
    text, status = on_terminal(["solve", "elasticity3d:28"], stop="ordering and factoring")
    expect(status == 130, f"Ctrl-C: status {status}")
    expect(re.search(r"choosing, ordering and factoring, \d+ s", text), f"no time in {text!r}")
    expect("factoring" not in shown_at_last(text), f"the line is left: {text[-200:]!r}")


def interrupt(folder, seconds, name, sent, old, whole):
    """Sends a signal after that many seconds; what is left of the file must be whole or as before.
    It is whole where the signal came between the last step of writing and the end of the program."""
    path = folder / name
    path.unlink(missing_ok=True)
    if old:
        path.write_text("as it was\n", encoding="utf-8")
        path.chmod(0o640)
    run = subprocess.Popen([PROGRAM, "generate", LONG, "-o", str(path)], stdout=subprocess.DEVNULL)
    wait_for = (lambda: list(folder.glob("*.part"))) if seconds is None else None
    end = time.monotonic() + (60 if wait_for else seconds)
    while time.monotonic() < end and run.poll() is None and not (wait_for and wait_for()):
        time.sleep(0.001)
    run.send_signal(sent)
    status = run.wait()
    place = f"{sent.name} after {'the first bytes' if seconds is None else seconds}, old {old}"
    expect(not list(folder.glob("*.part")), f"{place}: a part is left: {list(folder.glob('*.part'))}")
    if status == 0:  # it was faster
        return False
    expect(status == -sent, f"{place}: status {status}")
    left = path.read_bytes() if path.exists() else None
    expect(left in (b"as it was\n" if old else None, whole), f"{place}: the file was harmed")
    if old:
        expect(path.stat().st_mode & 0o777 == 0o640, f"{place}: other permissions")
    return left != whole


def check_files(folder):
    stopped = 0
    subprocess.run([PROGRAM, "generate", LONG, "-o", str(folder / "x.mtx")], check=True,
                   stdout=subprocess.DEVNULL)
    whole = (folder / "x.mtx").read_bytes()
    for old in (False, True):
        for sent in (signal.SIGINT, signal.SIGTERM):
            stopped += interrupt(folder, None, "x.mtx", sent, old, whole)
            for seconds in (0.05, 0.2, 0.4):
                interrupt(folder, seconds, "x.mtx", sent, old, whole)
    expect(stopped >= 2, f"only {stopped} runs were ended while they wrote")
    kept = folder / "kept.mtx"
    kept.write_text("old\n", encoding="utf-8")
    kept.chmod(0o640)
    done = subprocess.run([PROGRAM, "generate", "laplace2d:9", "-o", str(kept)], check=False,
                          capture_output=True)
    expect(done.returncode == 0 and kept.stat().st_mode & 0o777 == 0o640, "permissions are kept")
    link = folder / "link.mtx"
    link.symlink_to(kept)
    subprocess.run([PROGRAM, "generate", "laplace2d:8", "-o", str(link)], check=False,
                   capture_output=True)
    expect(link.is_symlink() and "\n64 64 " in kept.read_text(encoding="utf-8"),
           "a link is not followed")


def check_colors():
    red = "\x1b[1;31mechelon:"
    for words, variables, wanted in (([], (), True), ([], (("NO_COLOR", "1"),), False),
                                     (["--color", "never"], (), False),
                                     (["--color", "always"], (("NO_COLOR", "1"),), True)):
        text, status = on_terminal(["solve", *words, "nosuch.mtx"], variables=variables)
        expect(status == 1 and (red in text) == wanted, f"colour with {words} {variables}: {text!r}")
    piped = subprocess.run([PROGRAM, "solve", "nosuch.mtx"], capture_output=True, text=True, check=False)
    expect("\x1b" not in piped.stderr, "colour on a pipe")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_phases(folder)
        check_ctrl_c()
        check_files(folder)
        check_colors()
    for text in FAILURES:
        print(text)
    print(f"{len(FAILURES)} failures")
    sys.exit(1 if FAILURES else 0)


main()
