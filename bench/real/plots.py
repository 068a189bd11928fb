#!/usr/bin/env python3
# bench/real/plots.py -- draws performance profiles and sorted bars of ratios from results of
# run.py.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/real/plots.py FILE.json... [--out FOLDER]

Two drawings for each backend and number of threads: profile-*.svg and bars-*.svg.
"""
import argparse
import pathlib
import sys

BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(BENCH / "support"), str(BENCH / "real")]
import drawing  # noqa: E402  (beside us, not a package)
import losses  # noqa: E402
import profiles  # noqa: E402

MOST_TAU = 100


def draw_profile(plt, compared, title, target):
    figure, axes = plt.subplots(figsize=(7, 4.2))
    for name, steps in profiles.performance_profile(profiles.times_by_contender(compared)).items():
        taus = [1] + [tau for tau, _ in steps] + [MOST_TAU]
        shares = [0] + [share for _, share in steps]
        axes.step(taus, shares + shares[-1:], where="post", label=name,
                  linewidth=2.2 if name == profiles.OURS else 1.2)
    axes.set_xscale("log")
    axes.set_xlim(1, MOST_TAU)
    axes.set_ylim(0, 1.02)
    axes.legend(fontsize=8, loc="lower right")
    drawing.finish_axes(axes, f"{title}: share of {len(compared)} matrices", "within this many times the best",
                        "share of the matrices")
    drawing.save(plt, figure, target, "bench/real/plots.py")


def draw_bars(plt, compared, title, target):
    rated = [c for c in compared if c.rival]
    figure, axes = plt.subplots(figsize=(10, 4.6))
    colors = {name: f"C{k}" for k, name in enumerate(sorted({c.rival["contender"] for c in rated}))}
    for name, color in colors.items():
        places = [k for k, c in enumerate(rated) if c.rival["contender"] == name]
        axes.bar(places, [rated[k].ratio - 1 for k in places], bottom=1, color=color, label=name)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_xticks(range(len(rated)), [c.matrix.rpartition(".")[0] or c.matrix for c in rated], rotation=90, fontsize=5)
    axes.legend(fontsize=8, title="the best other", loc="upper left")
    drawing.finish_axes(axes, f"{title}: automatic over the best other", "", "times as fast")
    drawing.save(plt, figure, target, "bench/real/plots.py")


def main():
    if not drawing.require_matplotlib(__file__):
        return 1
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=BENCH / "real" / "plots", metavar="FOLDER")
    o = parser.parse_args()
    document = losses.read(o.files)
    o.out.mkdir(parents=True, exist_ok=True)
    plt = drawing.open_pyplot()
    for backend, threads in profiles.settings_of(document):
        compared = profiles.compare(document, backend, threads)
        title = "GPU" if backend == "cuda" else f"CPU, threads: {threads}"
        name = backend if backend == "cuda" else f"{backend}-{threads}"
        draw_profile(plt, compared, title, o.out / f"profile-{name}.svg")
        draw_bars(plt, compared, title, o.out / f"bars-{name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
