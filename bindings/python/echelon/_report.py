# bindings/python/echelon/_report.py -- what a solver says of itself: fields, text, a table.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import html
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class SupernodeReport:
    """Supernodes of a triangle, as in C++."""

    found: int
    count: int
    levels_found: int
    levels: int
    tasks: int
    task_levels: int
    max_panel_columns: int
    cut: int
    nonzeros: int
    explicit_zeros: int
    stored: int


@dataclass(frozen=True)
class Report:
    """The fields of a C++ report by name; prints as text, shows as a table in a notebook.

    Examples
    --------
    >>> import scipy.sparse as sp, echelon
    >>> report = echelon.Solver(sp.csr_array([[2.0, 0.0], [1.0, 4.0]]), method="serial").report
    >>> report.n, report.nnz, report.method
    (2, 3, 'serial')
    """

    n: int
    nnz: int
    method: str
    reason: str
    bytes: int
    workspace_bytes: int
    analysis_s: float
    setup_s: float
    _text: str = field(repr=False, compare=False)

    @staticmethod
    def of(core: Any) -> Any:
        """The report of a solver of the extension."""
        found = dict(core.report())
        kind = next(k for k in (DirectReport, GaussSeidelReport, SolverReport)
                    if k._mark in found)
        for name in ("lower", "upper", "supernodes"):
            if name in found:
                found[name] = SupernodeReport(**found[name])
        if "triangles" in found:
            found["triangles"] = tuple(_triangle(t) for t in found["triangles"])
        return kind(_text=core.text().rstrip("\n"), **found)

    def to_dict(self) -> dict[str, Any]:
        """All fields, those of nested reports as dictionaries."""
        return _to_dict(self)

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return "<table>" + _rows(self.to_dict()) + "</table>"


@dataclass(frozen=True)
class AnalysisReport:
    """The analysis of one triangle."""

    n: int
    nnz: int
    method: str
    reason: str
    backend: str
    vector_unit: str
    threads: int
    levels: int
    average_parallelism: float
    supersteps: int
    predicted_speedup: float
    plan_bytes: int
    analysis_s: float
    supernodes: SupernodeReport | None = None


@dataclass(frozen=True)
class SolverReport(Report):
    """The report of a `Solver`."""

    _mark = "predicted_speedup"
    backend: str = "cpu"
    vector_unit: str = ""
    threads: int = 1
    levels: int = 0
    average_parallelism: float = 0.0
    supersteps: int = 0
    predicted_speedup: float = 1.0
    supernodes: SupernodeReport | None = None
    plan_bytes: int = 0
    device_bytes: int = 0
    uninverted_blocks: int = 0
    launches: int = 0


@dataclass(frozen=True)
class DirectReport(Report):
    """The report of a `DirectSolver`."""

    _mark = "package"
    package: str = ""
    kind: str = ""
    ordering: str = ""
    factor_reason: str = ""
    refine_steps: int = 0
    upper_method: str = ""
    backend: str = "cpu"
    vector_unit: str = ""
    threads: int = 1
    lower: SupernodeReport | None = None
    upper: SupernodeReport | None = None
    symmetric_storage: bool = False
    low_precision: bool = False
    uninverted_blocks: int = 0
    largest_growth: float = 0.0
    lower_bytes: int = 0
    upper_bytes: int = 0
    stored_bytes: int = 0
    lower_launches: int = 0
    upper_launches: int = 0
    device_bytes: int = 0


@dataclass(frozen=True)
class GaussSeidelReport(Report):
    """The report of a `GaussSeidel`."""

    _mark = "direction"
    symmetric_pattern: bool = False
    direction: str = ""
    form: str = ""
    vectors: int = 1
    levels: int = 0
    triangles: tuple[AnalysisReport, ...] = ()
    plan_bytes: int = 0


def _triangle(found: dict[str, Any]) -> AnalysisReport:
    if "supernodes" in found:
        found = {**found, "supernodes": SupernodeReport(**found["supernodes"])}
    return AnalysisReport(**found)


def _to_dict(report: Any) -> dict[str, Any]:
    result = {}
    for f in fields(report):
        value = getattr(report, f.name)
        if f.name == "_text" or value is None:
            continue
        if hasattr(value, "__dataclass_fields__"):
            value = _to_dict(value)
        elif isinstance(value, tuple):
            value = [_to_dict(v) for v in value]
        result[f.name] = value
    return result


def _rows(values: dict[str, Any], prefix: str = "") -> str:
    rows = ""
    for name, value in values.items():
        if isinstance(value, dict):
            rows += _rows(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            for k, item in enumerate(value):
                rows += _rows(item, f"{prefix}{name}[{k}].")
        else:
            text = f"{value:.4g}" if isinstance(value, float) else str(value)
            rows += f"<tr><th>{html.escape(prefix + name)}</th><td>{html.escape(text)}</td></tr>"
    return rows
