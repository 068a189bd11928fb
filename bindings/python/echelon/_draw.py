# bindings/python/echelon/_draw.py -- shapes of the pictures: steps, patterns, bars, boxes.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from typing import Any

import numpy as np

BLUE, LIGHT, ORANGE, GREEN, INK, GRAY = ("#0072b2", "#56b4e9", "#d55e00", "#009e73", "#222222",
                                         "#bbbbbb")
NANOSECONDS = 1e-3  # us per entry of work
MOST_BOXES = 3000   # drawn one by one
CELLS = 300         # per side of a pattern


def _count(number: Any, noun: Any) -> Any:
    number = int(number)
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _split(ax: Any) -> Any:
    """Leaves `ax` the upper half of its place; the Axes of the lower half."""
    place = ax.get_subplotspec()
    if place is not None:
        halves = place.subgridspec(2, 1, hspace=0.12)
        ax.set_subplotspec(halves[0])
        return ax.figure.add_subplot(halves[1], sharex=ax)
    box = ax.get_position()
    half = 0.47 * box.height
    ax.set_position([box.x0, box.y1 - half, box.width, half])
    return ax.figure.add_axes([box.x0, box.y0, box.width, half], sharex=ax)


def _whole_numbers(axis: Any) -> Any:
    from matplotlib.ticker import FuncFormatter, MaxNLocator
    axis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))


def _plain(ax: Any) -> Any:
    ax.spines[["top", "right"]].set_visible(False)


def _stairs(ax: Any, values: Any, color: Any, label: Any = None, least: Any = np.inf) -> Any:
    """Filled steps; logarithmic where `least` or the median would not be seen."""
    from matplotlib.ticker import FuncFormatter
    wide = len(values) > 0 and values.max() > 20 * min(np.median(values), least)
    base = 0.8 if wide else 0
    ax.stairs(values, np.arange(len(values) + 1) - 0.5, fill=True, baseline=base, color=color,
              label=label)
    if wide:
        ax.set_yscale("log")
        ax.set_ylim(base, values.max() * 1.5)
    else:
        ax.set_ylim(bottom=0)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:,.0f}" if y == round(y) else ""))
    ax.set_xlim(-0.5, max(len(values) - 0.5, 0.5))
    _plain(ax)


def _level_colors(plt: Any, levels: Any) -> Any:
    """A colour per level where there are few, else a gradient."""
    from matplotlib.colors import Normalize
    few = levels <= 12
    return {"cmap": plt.get_cmap("viridis", levels if few else None),
            "norm": Normalize(-0.5, levels - 0.5) if few else Normalize(0, levels - 1)}


def _draw_cells(ax: Any, grid: Any, n: Any, colors: Any) -> Any:
    size = grid["size"]
    level = np.ma.masked_where(grid["count"] == 0, grid["level"]).reshape(size, size)
    edge = 0.5 if size == n else 0
    return ax.imshow(level, **colors, interpolation="nearest",
                     extent=(-edge, n - edge, n - edge, -edge))


def _draw_panels(ax: Any, panels: Any, colors: Any) -> Any:
    from matplotlib.collections import PolyCollection
    shapes = []
    for r, c, h, w in zip(*(panels[k].tolist() for k in ("row", "col", "height", "width"))):
        shapes.append([(c, r), (c, r + h), (c + w, r + h), (c + w, r)])
    lower = bool((panels["row"] >= panels["col"]).all())
    for k in np.nonzero(panels["row"] == panels["col"])[0]:
        del shapes[k][3 if lower else 1]  # a triangle
    blocks = PolyCollection(shapes, array=panels["level"], edgecolors="face", linewidths=0.4,
                            **colors)
    ax.add_collection(blocks)
    return blocks


def _draw_spans(ax: Any, spans: Any, threads: Any, name: Any) -> Any:
    from matplotlib.collections import PolyCollection
    end = spans["end_of_all"] or 1.0
    unit, scale = ("ms", NANOSECONDS / 1e3) if end * NANOSECONDS >= 1e4 else ("\u00b5s", NANOSECONDS)
    busy = np.bincount(spans["thread"], spans["end"] - spans["begin"], threads) / end
    if len(spans["thread"]) > MOST_BOXES:
        image = ax.imshow(_busy_cells(spans, threads, end), cmap="Blues", vmin=0, vmax=1,
                          aspect="auto", interpolation="nearest",
                          extent=(0, end * scale, threads - 0.5, -0.5))
        ax.figure.colorbar(image, ax=ax, label="busy share of the time")
    else:
        begin, stop = spans["begin"] * scale, spans["end"] * scale
        t = spans["thread"]
        shapes = np.stack([np.stack([begin, t - 0.36], 1), np.stack([stop, t - 0.36], 1),
                           np.stack([stop, t + 0.36], 1), np.stack([begin, t + 0.36], 1)], 1)
        colors = np.array([BLUE, LIGHT])[spans["group"] % 2]
        ax.add_collection(PolyCollection(list(shapes), facecolors=colors, linewidths=0))
    ax.set(xlim=(0, end * scale), ylim=(threads - 0.5, -0.5),
           xlabel=f"predicted time ({unit}), at 1 ns per entry")
    _thread_labels(ax, threads)
    groups = int(spans["group"].max(initial=0)) + 1
    noun = "superstep" if "superstep" in name else "level"
    many = "" if "serial" in name else f", {_count(groups, noun)}"
    ax.set_title(f"{name}: {_count(threads, 'thread')}{many}, {100 * busy.mean():.0f} % busy",
                 loc="left", fontsize="medium")
    _plain(ax)
    return ax


def _thread_labels(ax: Any, threads: Any) -> Any:
    step = max(1, -(-threads // 16))
    ax.set_yticks(range(0, threads, step), [f"thread {t}" for t in range(0, threads, step)])
    ax.tick_params(axis="y", length=0)


def _busy_cells(spans: Any, threads: Any, end: Any, columns: Any = 600) -> Any:
    """Share of each of `columns` slices of time that each thread is busy."""
    width = end / columns
    busy = np.zeros((threads, columns + 1))
    for side, sign in ((spans["begin"], 1), (spans["end"], -1)):
        at = np.minimum(side / width, columns)
        cell = np.minimum(at.astype(int), columns - 1)
        inside = cell + 1 - at  # of a step at `at`: its share of its own slice
        np.add.at(busy, (spans["thread"], cell), sign * inside)
        np.add.at(busy, (spans["thread"], cell + 1), sign * (1 - inside))
    return np.clip(np.cumsum(busy, axis=1)[:, :columns], 0, 1)


KINDS = ((LIGHT, "several panels, one thread"), (BLUE, "one panel, one thread"),
         (GREEN, "one panel, all threads"))


def _draw_tasks(ax: Any, tasks: Any, name: Any) -> Any:
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.patches import Patch
    level, height = tasks["level"], tasks["entries"]
    order = np.lexsort((-height, level))
    kind = np.where(tasks["panels"] > 1, 0, np.where(tasks["shared"] > 0, 2, 1))
    base = np.empty(len(level))
    start = np.searchsorted(level[order], np.arange(level.max() + 1))
    before = np.concatenate(([0], np.cumsum(height[order])))
    base[order] = before[:-1] - np.repeat(before[start], np.diff(np.append(start, len(level))))
    large = np.sort(np.argsort(-height, kind="stable")[:MOST_BOXES])
    on_path = tasks["path"] > 0
    x0, x1 = level - 0.3, level + 0.3
    corners = np.stack([np.stack([x0, base], 1), np.stack([x1, base], 1),
                        np.stack([x1, base + height], 1), np.stack([x0, base + height], 1)], 1)
    total = np.bincount(level, height)
    ax.bar(np.arange(len(total)), total, 0.6, color=GRAY)  # behind what is too small to be drawn
    ax.add_collection(PolyCollection(list(corners[large]), facecolors=[KINDS[k][0] for k in kind[large]],
                                     edgecolors="white", linewidths=0.4))
    ax.add_collection(PolyCollection(list(corners[on_path]), facecolors="none", edgecolors=ORANGE,
                                     linewidths=1.6, zorder=3))
    middle = base + height / 2
    if len(tasks["from"]) <= 400:
        a, b = tasks["from"], tasks["to"]
        lines = np.stack([np.stack([x1[a], middle[a]], 1), np.stack([x0[b], middle[b]], 1)], 1)
        ax.add_collection(LineCollection(list(lines), colors=GRAY, linewidths=0.6, zorder=0))
    ax.set(xlim=(-0.6, level.max() + 0.6), ylim=(0, total.max() * 1.02),
           xlabel="level of tasks, in order of execution", ylabel="entries read by each task")
    handles = [Patch(color=c, label=text) for k, (c, text) in enumerate(KINDS) if (kind == k).any()]
    handles.append(Patch(facecolor="none", edgecolor=ORANGE, label="critical path"))
    ax.legend(handles=handles, frameon=False, fontsize="small")
    share = 100 * height[on_path].sum() / height.sum()
    ax.set_title(f"{name}: {_count(len(level), 'task')} in {_count(len(total), 'level')}; "
                 f"{share:.3g} % on the critical path", loc="left", fontsize="medium")
    _engineering(ax.yaxis)
    _whole_numbers(ax.xaxis)
    _plain(ax)
    return ax


def _engineering(axis: Any) -> Any:
    from matplotlib.ticker import EngFormatter
    axis.set_major_formatter(EngFormatter(sep=""))
