#!/usr/bin/env python3
# bench/real/losses.py -- lists the matrices on which automatic is slower than another library or
# than another of our methods.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/real/losses.py FILE.json... [--write FILE.md] [--all] [--least]

Prints the marks, the losses, and what was left out, for each backend and number of threads; with
several files, those of later files are added.  --all lists every matrix.  --write puts the same into a page.
"""
import argparse
import json
import pathlib
import sys

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(BENCH / "support"), str(BENCH / "real")]
import harness  # noqa: E402  (beside us, not a package)
import profiles  # noqa: E402

NEAR, NEAR_ALWAYS = 1.2, 1.5
NOT_SLOWER = {"cpu": 0.9, "cuda": 0.9}
LARGE_N = 10000


def read(files, least=False):
    """One document of several: the head is that of the first.  With `least`, the shortest times replace the
    medians.
    """
    document = json.loads(files[0].read_text(encoding="utf-8"))
    for file in files[1:]:
        more = json.loads(file.read_text(encoding="utf-8"))
        for part in ("matrices", "left_out", "missing", "runs"):
            document[part] += more[part]
    if least:
        for run in document["runs"]:
            run |= {f"{phase}_s": seconds for phase, seconds in run["least"].items()}
    return document


def share(ratios, limit):
    return 100 * sum(r >= limit for r in ratios) / len(ratios) if ratios else 0


def yes(reached):
    return "yes" if reached else "NO"


def marks_of(compared, backend):
    """Rows: what, measured, goal, reached."""
    rated = [c for c in compared if c.rival]
    ratios = [c.ratio for c in rated]
    own = [1 / c.over_own for c in compared]
    rows = []
    if ratios:
        count = f"{len(ratios)} matrices"
        mean, least = profiles.geometric_mean(ratios), min(ratios)
        if backend == "cpu":
            rows.append([f"at least as fast as the best other, {count}", f"{share(ratios, 1):.0f} %", "95 %",
                         yes(share(ratios, 1) >= 95)])
            rows.append(["the slowest", f"{least:.2f}", "0.9", yes(least >= 0.9)])
            rows.append(["geometric mean over the best other", f"{mean:.2f}", "1.8", yes(mean >= 1.8)])
        else:
            slower = [c for c in rated if is_loss(c, backend)]
            rows.append([f"slower than the best other, {count} (to 0.9 where both are under 30 us)",
                         str(len(slower)), "0", yes(not slower)])
            rows.append(["geometric mean over the best other", f"{mean:.2f}", "-", "-"])
            theirs = [r for r in (c.against("cusparse") for c in rated) if r is not None]
            if theirs:
                mean = profiles.geometric_mean(theirs)
                rows.append([f"geometric mean over cuSPARSE, {len(theirs)} matrices", f"{mean:.2f}", "8",
                             yes(mean >= 8)])
    if own:
        near = share(own, 1 / NEAR)
        rows.append([f"within {NEAR} of our best method", f"{near:.0f} %", "95 %", yes(near >= 95)])
        rows.append(["the farthest from our best method", f"{1 / min(own):.2f}", f"{NEAR_ALWAYS}",
                     yes(1 / min(own) <= NEAR_ALWAYS)])
    return rows


def gpu_marks(document):
    """One GPU solve against one CPU thread, where both were measured on large matrices."""
    gpu = {c.matrix: c for c in profiles.compare(document, "cuda", 0)}
    cpu = {c.matrix: c for c in profiles.compare(document, "cpu", 1)}
    ratios = {m: cpu[m].ours["whole_s"] / gpu[m].ours["whole_s"] for m in gpu.keys() & cpu.keys()
              if gpu[m].facts["n"] >= LARGE_N}
    if not ratios:
        return []
    slower = ", ".join(f"{m} {r:.2f}" for m, r in sorted(ratios.items()) if r < 1)
    return [[f"a GPU solve slower than one CPU thread, {len(ratios)} matrices from {LARGE_N:,} unknowns",
             slower or "0", "0", yes(not slower)]]


def is_loss(c, backend):
    if not c.rival:
        return False
    short = backend == "cuda" and c.both_short
    return c.ratio < (NOT_SLOWER["cuda"] if short else 1)


def us(seconds):
    return f"{1e6 * seconds:.3g}" if seconds < 1e-4 else f"{1e6 * seconds:.0f}"


def row_of(c):
    ours, theirs = c.times() if c.rival else (c.ours["whole_s"], None)
    own = c.best_own
    return [c.matrix, f"{c.facts['n']}", c.facts["factor"], f"{c.facts['lower_nnz']}",
            c.ours["method"], us(ours),
            f"{c.rival['contender']} {c.rival['threads']}" if c.rival else "-", us(theirs) if theirs else "-",
            f"{c.ratio:.2f}" if c.rival else "-",
            f"{own['contender'].removeprefix('echelon:')} {own['threads']}" if own else "-",
            us(own["whole_s"]) if own else "-", f"{c.over_own:.2f}"]


HEAD = ["matrix", "n", "factor", "nnz(L)", "automatic", "us", "best other, threads", "us", "times as fast",
        "our best, threads", "us", "automatic over it"]


def table(compared):
    return harness.to_markdown([HEAD] + [row_of(c) for c in compared], left=1)


def left_out(document, backend):
    """Lines of matrices without results, and of contenders that could not take part."""
    lines = [f"- {e['matrix']}: {e['reason']}" for e in document["left_out"] if e["backend"] == backend]
    lines = ["Matrices without results:", "", *lines, ""] if lines else []
    missing = {}
    for e in document["missing"]:
        if e["backend"] == backend:
            missing.setdefault(e["contender"], []).append(e)
    if missing:
        lines += ["Contenders that did not take part:", ""]
        for contender, entries in sorted(missing.items()):
            reasons = sorted({e["reason"] for e in entries})
            lines.append(f"- {contender} on {len(entries)} matrices, for example {entries[0]['matrix']}: {reasons[0]}")
        lines.append("")
    return lines


def section(document, backend, threads, everything=False):
    compared = profiles.compare(document, backend, threads)
    title = "GPU" if backend == "cuda" else f"CPU, {threads} thread{'s' if threads > 1 else ''}"
    lines = [f"## {title}", ""]
    marks = marks_of(compared, backend) + (gpu_marks(document) if backend == "cuda" else [])
    lines += harness.to_markdown([["mark", "measured", "goal", "reached"]] + marks, left=1) + [""]
    lost = [c for c in compared if everything or is_loss(c, backend)]
    lines += [("### Every matrix, " if everything else "### Slower than the best other, ") + title, ""]
    lines += (table(lost) if lost else ["None."]) + [""]
    if not everything:
        far = sorted((c for c in compared if c.over_own > NEAR), key=lambda c: -c.over_own)
        lines += [f"### More than {NEAR} times the time of our best method, {title}", ""]
        lines += (table(far) if far else ["None."]) + [""]
    return lines


def page_of(document, everything=False):
    lines = harness.heading(document) + [""] if document["runs"] else []
    settings = profiles.settings_of(document)
    for backend, threads in settings:
        lines += section(document, backend, threads, everything)
    for backend in dict.fromkeys([b for b, _ in settings] + [e["backend"] for e in document["left_out"]]):
        lines += [f"## Left out, {backend}", ""] + left_out(document, backend)
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE.md")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--least", action="store_true",
                        help="compare shortest times instead of medians: for a machine that was not quiet")
    o = parser.parse_args()
    text = page_of(read(o.files, o.least), o.all)
    if o.write:
        o.write.write_text("# Results on real matrices\n\n"
                           f"Made by bench/real/losses.py from {', '.join(f.name for f in o.files)}.\n\n{text}",
                           encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
