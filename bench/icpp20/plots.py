#!/usr/bin/env python3
# bench/icpp20/plots.py -- the ICPP 2020 paper's Figures 11, 14 and 15 as drawings of our results.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/icpp20/plots.py [RESULT.json...] [--out FOLDER]

Draws what the newest result of each GPU holds, or the results named: the options side by side, the
levels one by one, and the sizes of the problem; as SVG files into bench/icpp20/plots.  What a result
does not hold is left out.  matplotlib is fetched into .venv where Python has none.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

import tables
from tables import harness

PHASES = (("lower", "L-solve"), ("upper", "U-solve"))
COLORS = {"lower": "#2f5d8a", "upper": "#c9803a"}


def option_of(run):
    return run["contender"].removeprefix("echelon:")


def is_plain(run):
    """One right-hand side, values as they are computed with."""
    return run.get("nrhs", 1) == 1 and not run.get("low_precision")


def main_matrix(document):
    """The one with the most contenders."""
    count = {matrix: len({run["contender"] for run in runs})
             for matrix, runs in tables.by_input(document["runs"]).items()}
    return max(count, key=count.get, default=None)


def place(document):
    return f"{document['device']['name']}, {document['date'][:10]}"


def finish_axes(axes, title, x, y):
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(axis="y", which="both", linewidth=0.3)
    axes.set_axisbelow(True)


def draw_options(plt, document):
    """Figure 11: a pair of bars for each option, on a logarithmic scale."""
    matrix = main_matrix(document)
    runs = [run for run in document["runs"] if run["input"] == matrix and is_plain(run)]
    options = list(dict.fromkeys(option_of(run) for run in runs if run["phase"] in dict(PHASES)))
    if len(options) < 2:
        return None
    figure, axes = plt.subplots(figsize=(9, 3.8))
    for shift, (phase, word) in zip((-0.2, 0.2), PHASES):
        times = {option_of(run): run["solve_s"] * 1e6 for run in runs if run["phase"] == phase}
        places = [(k, times[option]) for k, option in enumerate(options) if option in times]
        axes.bar([k + shift for k, _ in places], [time for _, time in places], width=0.38,
                 label=word, color=COLORS[phase])
        for k, time in places:
            text = f"{time:.0f}" if time >= 100 else f"{time:.3g}"
            axes.annotate(text, (k + shift, time), ha="center", va="bottom", fontsize=6)
    axes.set_yscale("log")
    axes.set_xticks(range(len(options)), options, rotation=30, ha="right")
    axes.legend(frameon=False)
    finish_axes(axes, f"The options on {matrix}: {place(document)}", "", "microseconds")
    return figure


def draw_levels(plt, document):
    """Figure 14: time by level, a line for each option, one drawing a phase."""
    runs = [run for run in document["runs"] if run.get("by_level")]
    if not runs:
        return None
    matrix = runs[0]["input"]
    figure, all_axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, squeeze=False)
    for axes, (phase, word) in zip(all_axes[0], PHASES):
        for run in runs:
            if run["phase"] == phase and run["input"] == matrix:
                times = [level["seconds"] * 1e6 for level in run["by_level"]]
                axes.plot(range(len(times)), times, marker="o", markersize=3, linewidth=1,
                          label=option_of(run))
        axes.set_yscale("log")
        finish_axes(axes, f"{word}, level by level", "level, in order of execution", "")
    all_axes[0][0].set_ylabel("microseconds")
    if all_axes[0][0].lines:
        all_axes[0][0].legend(frameon=False, fontsize=7)
    figure.suptitle(f"{matrix}: {place(document)}", fontsize=10)
    return figure


def draw_sizes(plt, document):
    """Figure 15: the L-solve of each problem by its nonzeros, and how far cuSPARSE is behind."""
    runs = [run for run in document["runs"] if run["phase"] == "lower" and is_plain(run)]
    ours = sorted((run for run in runs if option_of(run) == "tree"),
                  key=lambda run: run["nnz_lower"])
    if len(ours) < 2:
        return None
    theirs = sorted((run for run in runs if run["contender"] == "cusparse"),
                    key=lambda run: run["nnz_lower"])
    copy = document["device"]["copy_gb_per_s"] * 1e9
    figure, axes = plt.subplots(figsize=(7.5, 4.2))
    for own, word, color in ((ours, "tree", COLORS["lower"]), (theirs, "cuSPARSE", COLORS["upper"])):
        if own:
            axes.plot([run["nnz_lower"] for run in own], [run["solve_s"] * 1e6 for run in own],
                      marker="o", label=word, color=color)
    axes.plot([run["nnz_lower"] for run in ours], [run["bytes"] / copy * 1e6 for run in ours],
              linestyle=":", color="black", label="reading the nonzeros at the speed of a copy")
    for run in ours:
        gain = run.get("speedup_vs_cusparse")
        axes.annotate(run["input"] + (f"\n{gain:.3g} x cuSPARSE" if gain else ""),
                      (run["nnz_lower"], run["solve_s"] * 1e6), textcoords="offset points",
                      xytext=(0, 6), ha="center", fontsize=6)
    axes.margins(x=0.12)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.legend(frameon=False, fontsize=8)
    finish_axes(axes, f"L-solves by size: {place(document)}", "nonzeros of L", "microseconds")
    return figure


DRAWINGS = {"fig11": draw_options, "fig14": draw_levels, "fig15": draw_sizes}


def newest_results():
    """The newest result of each GPU."""
    newest = {}
    for path in sorted((tables.FOLDER / "results").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.get("figure") == "gpu":
            newest[harness.machine_name(document)] = path
    return list(newest.values())


def draw(paths, folder):
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("svg")
    # The same file for the same numbers: no date in it, and names that do not change.
    matplotlib.rcParams |= {"svg.hashsalt": "echelon", "svg.fonttype": "none"}
    from matplotlib import pyplot as plt  # pylint: disable=import-outside-toplevel
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        document = json.loads(path.read_text(encoding="utf-8"))
        if not document.get("device") or not document.get("runs"):
            harness.say(f"{path.name} is no result of a GPU")
            continue
        for name, drawing in DRAWINGS.items():
            figure = drawing(plt, document)
            if figure is None:
                harness.say(f"{path.name} has nothing for {name}")
                continue
            target = folder / f"{harness.machine_name(document)}-{name}.svg"
            figure.tight_layout()
            figure.savefig(target, metadata={"Date": None, "Creator": "bench/icpp20/plots.py"})
            # No blanks at the ends of lines, which matplotlib leaves.
            lines = target.read_text(encoding="utf-8").splitlines()
            target.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")
            plt.close(figure)
            harness.say(f"wrote {target}")


def python_with_matplotlib():
    """That of .venv, or None."""
    python = harness.fetch_wheels(["matplotlib"]) / "bin" / "python"
    works = python.exists() and subprocess.run([str(python), "-c", "import matplotlib"], check=False,
                                               capture_output=True).returncode == 0
    return python if works else None


def main():
    parser = argparse.ArgumentParser(prog="bench/icpp20/plots.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=pathlib.Path, help="files (the newest ones)")
    parser.add_argument("--out", type=pathlib.Path, default=tables.FOLDER / "plots", help="(plots)")
    arguments = parser.parse_args()
    try:
        import matplotlib  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        python = python_with_matplotlib()
        if python is None:
            print("plots: there is no matplotlib, and it cannot be fetched", file=sys.stderr)
            return 1
        os.execv(python, [str(python), __file__, *sys.argv[1:]])
    draw(arguments.results or newest_results(), arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
