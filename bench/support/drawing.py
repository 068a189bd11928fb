# bench/support/drawing.py -- shared code of the plots: matplotlib setup, and reproducible SVG
# files.
# SPDX-License-Identifier: BSD-3-Clause
"""Imported by the scripts that draw; not a program."""
import os
import subprocess
import sys

import harness


def require_matplotlib(script):
    """Restarts with the Python of .venv if this one has no matplotlib; returns False if neither has it."""
    try:
        import matplotlib  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
        return True
    except ImportError:
        pass
    python = harness.fetch_wheels(["matplotlib"]) / "bin" / "python"
    works = python.exists() and subprocess.run([str(python), "-c", "import matplotlib"], check=False,
                                               capture_output=True).returncode == 0
    if works:
        os.execv(python, [str(python), script, *sys.argv[1:]])
    print("plots: there is no matplotlib, and it cannot be fetched", file=sys.stderr)
    return False


def open_pyplot():
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("svg")
    # Reproducible files: no date, and fixed identifiers.
    matplotlib.rcParams |= {"svg.hashsalt": "echelon", "svg.fonttype": "none"}
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
    return pyplot


def finish_axes(axes, title, x, y):
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(axis="y", which="both", linewidth=0.3)
    axes.set_axisbelow(True)


def save(plt, figure, target, creator):
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None, "Creator": creator})
    # Removes the trailing blanks that matplotlib writes.
    lines = target.read_text(encoding="utf-8").splitlines()
    target.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")
    plt.close(figure)
    harness.say(f"wrote {target}")
