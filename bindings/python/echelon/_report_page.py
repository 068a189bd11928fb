# bindings/python/echelon/_report_page.py -- the report of a solver as one HTML page.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import html
from datetime import date
from typing import Any

from . import _core


class HtmlReport:
    """A self-contained page.

    Attributes
    ----------
    html : str
        The whole page.
    """

    def __init__(self, text: str) -> None:
        self.html = text

    def save(self, path: Any) -> None:
        """Write the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        # A frame of its own: the page's style does not reach the notebook, nor the reverse.
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="640" '
                'style="border: 0" sandbox="" title="Echelon report"></iframe>')

    def __repr__(self) -> str:
        return f"HtmlReport({len(self.html):,} characters; save(path) writes it)"


def make(solver: Any) -> Any:
    """The report's fields, then the pictures of each triangle."""
    r = solver.report
    page = _core.HtmlPage(f"{type(solver).__name__} of {solver.shape[0]:,} unknowns, "
                          f"method {r.method}")
    page.add_text(f"{r.reason[:1].upper()}{r.reason[1:]}. {date.today().isoformat()}, "
                  f"Echelon {_core.version}.")
    page.add_table([["field", "value"]] + _rows(r.to_dict()))
    for side in solver._triangles():
        title = "The triangle" if side is None else f"The {side} triangle"
        solver._core.add_pictures(page, side != "upper", title)
    return HtmlReport(page.text())


def _rows(fields: Any, prefix: Any = "") -> Any:
    rows = []
    for name, value in fields.items():
        if isinstance(value, dict):
            rows += _rows(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            for k, item in enumerate(value):
                rows += _rows(item, f"{prefix}{name}[{k}].")
        elif name != "reason" or prefix:
            rows.append([prefix + name, _text(name, value)])
    return rows


def _text(name: Any, value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float) and name.endswith("_s"):
        return _seconds(value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _seconds(value: Any) -> Any:
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} us"
