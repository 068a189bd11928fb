# bindings/python/echelon/_plots.py -- pictures of a solver's plan: levels, pattern, schedule.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from typing import Any

import numpy as np

from . import _report_page
from ._draw import (BLUE, CELLS, LIGHT, MOST_BOXES, ORANGE, _count, _draw_cells, _draw_panels,
                    _draw_spans, _draw_tasks, _engineering, _level_colors, _split, _stairs,
                    _whole_numbers)
from ._error import Error

class Pictures:
    """plot_levels, plot_spy, plot_schedule and html_report of all solvers."""

    shape: tuple[int, int]
    _core: Any
    report: Any

    def plot_levels(self, ax: Any = None, *, part: str | None = None) -> Any:
        """Draw the rows and the nonzeros of each level, and the critical path through them.

        The unknowns of one level can be solved at the same time; the next level waits for them.  The
        critical path is the chain of dependencies with the most nonzeros: no number of threads is
        faster than it.  For methods on supernodes the nodes are tasks, with explicit zeros counted.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Drawn into, in two halves; by default a new figure.
        part : {"lower", "upper"}, optional
            Which triangle of a factorization or smoother.

        Returns
        -------
        ax : matplotlib.axes.Axes
            The upper half.

        Examples
        --------
        >>> import scipy.sparse as sp, echelon
        >>> solver = echelon.Solver(sp.tril(echelon.generate("laplace2d:20")))
        >>> solver.plot_levels().get_ylabel()
        'rows per level'
        """
        plt = _pyplot("plot_levels")
        data = self._picture("levels", part)
        if ax is None:
            ax = plt.figure(figsize=(6.4, 4.4), layout="constrained").gca()
        ax.set_title(_levels_title(self, part, data), loc="left", fontsize="medium")
        below = _split(ax)
        path = np.where(data["path"] > 0, data["path"], np.nan)
        _stairs(ax, data["rows"], BLUE)
        _stairs(below, data["entries"], LIGHT, "all",
                least=np.min(path, initial=np.inf, where=data["path"] > 0))
        below.plot(np.arange(len(path)), path, color=ORANGE, linewidth=1.5,
                   marker="." if len(path) <= 60 else None, label="critical path")
        ax.set_ylabel("rows per level")
        below.set_ylabel("nonzeros per level")
        below.set_xlabel("level, in order of execution")
        if len(path):
            below.legend(frameon=False, fontsize="small", ncols=2, loc="lower right",
                         bbox_to_anchor=(1, 0.97), borderaxespad=0)
        _whole_numbers(below.xaxis)
        ax.tick_params(labelbottom=False)
        return ax

    def plot_spy(self, ax: Any = None, *, part: str | None = None, cells: int = CELLS) -> Any:
        """Draw the pattern of the triangle, coloured by level.

        A factorization is drawn in its own order of rows and columns.  With few panels, each is
        drawn as a shape; a large pattern is drawn in squares, coloured by the mean level.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
        part : {"lower", "upper"}, optional
        cells : int
            Squares per side at most.

        Returns
        -------
        ax : matplotlib.axes.Axes

        Examples
        --------
        >>> import scipy.sparse as sp, echelon
        >>> solver = echelon.Solver(sp.tril(echelon.generate("laplace2d:20")))
        >>> solver.plot_spy().get_xlabel()
        'column'
        """
        plt = _pyplot("plot_spy")
        panels = self._picture("rectangles", part, MOST_BOXES)
        grid = self._picture("cells", part, max(1, int(cells)))
        if ax is None:
            ax = plt.figure(figsize=(5.6, 4.8), layout="constrained").gca()
        n = max(self.shape[0], 1)
        colors = _level_colors(plt, grid["levels"])
        if len(panels["row"]):
            shown = _draw_panels(ax, panels, colors)
        else:
            shown = _draw_cells(ax, grid, n, colors)
        edge = 0.5 if grid["size"] == n and not len(panels["row"]) else 0
        ax.set(xlim=(-edge, n - edge), ylim=(n - edge, -edge), aspect="equal", xlabel="column",
               ylabel="row")
        ax.set_title(_spy_title(self, part, grid, len(panels["row"]) > 0), loc="left",
                     fontsize="medium")
        for axis in (ax.xaxis, ax.yaxis):
            _whole_numbers(axis) if n < 100_000 else _engineering(axis)
        if grid["levels"] > 1:
            bar = ax.figure.colorbar(shown, ax=ax, label="level", shrink=0.8)
            _whole_numbers(bar.ax.yaxis)
        return ax

    def plot_schedule(self, ax: Any = None, *, part: str | None = None) -> Any:
        """Draw which thread works when, or the tasks of supernodes by level.

        Methods by rows and columns: one row of bars per thread, predicted from the plan at one
        nanosecond per entry.  Methods on supernodes: one column of boxes per level; a box is a task,
        its height the entries it reads.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
        part : {"lower", "upper"}, optional

        Returns
        -------
        ax : matplotlib.axes.Axes

        Examples
        --------
        >>> import scipy.sparse as sp, echelon
        >>> lower = sp.tril(echelon.generate("laplace2d:60"))
        >>> solver = echelon.Solver(lower, method="superstep", cpu={"threads": 2})
        >>> [label.get_text() for label in solver.plot_schedule().get_yticklabels()]
        ['thread 0', 'thread 1']
        """
        plt = _pyplot("plot_schedule")
        tasks = self._picture("tasks", part)
        if tasks:
            if ax is None:
                ax = plt.figure(figsize=(6.8, 4.2), layout="constrained").gca()
            return _draw_tasks(ax, tasks, _name(self, part))
        if _backend(self.report) != "cpu":
            raise Error("plot_schedule shows threads of a CPU; on a device see plot_levels")
        spans = self._picture("spans", part)
        threads = spans["threads"]
        if ax is None:
            height = 1.3 + 0.4 * min(threads, 16)
            ax = plt.figure(figsize=(6.8, height), layout="constrained").gca()
        return _draw_spans(ax, spans, threads, _name(self, part))

    def html_report(self) -> _report_page.HtmlReport:
        """The report with pictures, as one page that needs no network and no script.

        Returns
        -------
        page : HtmlReport
            Shows itself in a notebook; ``page.save("report.html")`` writes it.

        Examples
        --------
        >>> import scipy.sparse as sp, echelon
        >>> solver = echelon.Solver(sp.tril(echelon.generate("laplace2d:20")))
        >>> solver.html_report().html[:15]
        '<!DOCTYPE html>'
        """
        page: _report_page.HtmlReport = _report_page.make(self)
        return page

    def _triangles(self) -> tuple[str | None, ...]:
        """Names of the triangles there are."""
        return ("lower", "upper") if hasattr(self.report, "lower_bytes") else (None,)

    def _side(self, part: str | None) -> str | None:
        names = self._triangles()
        if names == (None,):
            if part is not None:
                raise Error("this solver has one triangle: leave part out")
            return None
        if part is None:
            return names[0]
        if part not in names:
            raise Error(f"part is {' or '.join(str(n) for n in names)}, not {part!r}")
        return part

    def _picture(self, what: str, part: str | None, most: int = 0) -> Any:
        return self._core.picture(what, self._side(part) != "upper", most)


def _pyplot(what: Any) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise Error(f"{what} needs matplotlib: pip install matplotlib", "backend_missing") from None
    return plt


def _backend(report: Any) -> Any:
    return getattr(report, "backend", None) or report.triangles[0].backend


def _name(solver: Any, part: Any) -> Any:
    side = solver._side(part)
    r = solver.report
    backend = _backend(r)
    where = "" if backend == "cpu" else f" on {backend}"
    if side is None:
        return f"Method {r.method}{where}"
    letter = "LU"[side == "upper"] if hasattr(r, "lower_bytes") else f"{side.capitalize()} triangle"
    return f"{letter}, method {r.method}{where}"


def _levels_title(solver: Any, part: Any, data: Any) -> Any:
    nodes, path = data["nodes"], data["path"]
    entries = data["entries"].sum()
    in_tasks = nodes.sum() < data["rows"].sum()
    what = "task" if in_tasks else "row"
    share = 100 * path.sum() / entries if entries else 0
    size = _bytes(data["bytes"].sum())
    return (f"{_name(solver, part)}: {_count(len(nodes), 'level')}, {size} per solve\n"
            f"critical path: {_count((path > 0).sum(), what)}, {share:.3g} % of "
            f"{_count(entries, 'nonzero')}")


def _spy_title(solver: Any, part: Any, grid: Any, in_panels: Any) -> Any:
    text = f"{_name(solver, part)}: {_count(solver.shape[0], 'row')}"
    if in_panels:
        return text + ", panels of supernodes"
    if grid["size"] < solver.shape[0]:
        side = solver.shape[0] / grid["size"]
        return text + f" in squares of {side:,.0f}" if side >= 10 else text + f" in squares of {side:.2g}"
    return text


def _bytes(count: Any) -> Any:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} bytes"
