# tests/python/test_plots.py -- pictures of plans and the HTML report: their data, and what is drawn.
# SPDX-License-Identifier: BSD-3-Clause
import doctest
import html.parser
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import echelon

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

# 0 <- 2 <- 3 and 1 <- 3: levels {0, 1}, {2}, {3}; the path with most entries is 0, 2, 3.
SMALL = sp.csr_array([[2.0, 0, 0, 0], [0, 2, 0, 0], [1, 0, 2, 0], [0, 1, 1, 2]])
GRID = echelon.generate("laplace2d:40")
LOWER, UPPER = sp.tril(GRID, format="csr"), sp.triu(GRID, format="csr")
METHODS = ["serial", "level_row", "level_column", "element_row", "element_column", "superstep"]
PANELS = ["default", "team", "merge", "invert_off", "tree"]


@pytest.fixture(autouse=True)
def figures():
    yield
    plt.close("all")


def solver_of(matrix, lower=True, **options):
    return echelon.Solver(matrix, lower, cpu={"threads": 2}, **options)


def test_examples_of_docstrings():
    result = doctest.testmod(sys.modules["echelon._plots"])
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.parametrize("method", METHODS)
def test_levels_of_a_small_triangle_are_those_drawn_by_hand(method):
    data = solver_of(SMALL, method=method)._picture("levels", None)
    assert data["rows"].tolist() == [2, 1, 1]
    assert data["path"].sum() == (6 if "column" not in method else 5)
    assert data["entries"].sum() == 7


@pytest.mark.parametrize("method", METHODS + PANELS)
@pytest.mark.parametrize("lower", [True, False])
def test_every_row_has_a_level_and_the_path_reaches_the_last(method, lower):
    solver = solver_of(LOWER if lower else UPPER, lower, method=method)
    data = solver._picture("levels", None)
    assert data["rows"].sum() == GRID.shape[0]
    assert len(data["rows"]) == solver.report.levels
    assert data["path"][-1] > 0 and (data["path"] <= data["entries"]).all()
    if method in METHODS:
        assert data["entries"].sum() == LOWER.nnz and (data["path"] > 0).all()


@pytest.mark.parametrize("method", METHODS + PANELS)
@pytest.mark.parametrize("lower", [True, False])
def test_cells_are_where_the_entries_are(method, lower):
    m = LOWER if lower else UPPER
    n = m.shape[0]
    solver = solver_of(m, lower, method=method)
    whole = solver._picture("cells", None, n)
    drawn = whole["count"].reshape(n, n) > 0
    stored = m.toarray() != 0
    assert drawn[stored].all()
    if method in METHODS:
        assert (drawn == stored).all()
    assert not (np.triu(drawn, 1) if lower else np.tril(drawn, -1)).any()
    coarse = solver._picture("cells", None, 37)
    assert coarse["size"] == 37
    assert coarse["count"].sum() == whole["count"].sum()
    if method in METHODS:
        rows, cols = (np.floor(k * 37 / n).astype(int) for k in m.nonzero())
        assert (coarse["count"].reshape(37, 37) == np.bincount(rows * 37 + cols, minlength=37**2)
                .reshape(37, 37)).all()


def test_needs_come_on_earlier_levels():
    for lower, m in ((True, LOWER), (False, UPPER)):
        cells = solver_of(m, lower, method="level_row")._picture("cells", None, m.shape[0])
        level = cells["level"].reshape(m.shape)
        rows, cols = m.nonzero()
        off = rows != cols
        assert (level[cols[off], cols[off]] < level[rows[off], rows[off]]).all()


@pytest.mark.parametrize("part", ["lower", "upper"])
def test_panels_of_a_factorization_cover_its_entries(part):
    solver = echelon.DirectSolver(GRID, "superlu" if has("superlu") else "scipy", method="tree")
    n = GRID.shape[0]
    cells = solver._picture("cells", part, n)["count"].reshape(n, n)
    r = solver._picture("rectangles", part, 10**6)
    covered = np.zeros((n, n), bool)
    for row, col, height, width in zip(r["row"], r["col"], r["height"], r["width"]):
        block = np.ones((height, width), bool)
        if row == col:
            block = np.tril(block) if part == "lower" else np.triu(block)
        assert not covered[row:row + height, col:col + width][block].any()
        covered[row:row + height, col:col + width] |= block
    assert (covered == (cells > 0)).all() and cells.max() == 1
    assert len(solver._picture("rectangles", part, 3)["row"]) == 0


def has(package):
    return package in echelon._core.factor_packages()


@pytest.mark.parametrize("part", ["lower", "upper"])
@pytest.mark.parametrize("method", ["tree", "invert_off"])
def test_tasks_wait_for_tasks_of_earlier_levels(part, method):
    solver = echelon.DirectSolver(echelon.generate("laplace3d:12"), method=method)
    tasks = solver._picture("tasks", part)
    assert tasks["rows"].sum() == 12**3
    assert (tasks["level"][tasks["from"]] < tasks["level"][tasks["to"]]).all()
    assert len(tasks["from"]) > 0


@pytest.mark.parametrize("method", METHODS)
def test_threads_do_all_work_once_and_one_thing_at_a_time(method):
    solver = solver_of(sp.tril(echelon.generate("laplace2d:150")), method=method)
    spans = solver._picture("spans", None)
    work = 3 * solver.shape[0] + solver.report.nnz - solver.shape[0]
    costs = 3 * work if method == "superstep" else 1e-6  # tasks, and runs of neighbouring rows
    assert work <= spans["work"] * (1 + 1e-12) and spans["work"] <= work + costs
    for t in range(2):
        mine = spans["thread"] == t
        begin, end = spans["begin"][mine], spans["end"][mine]
        assert (begin < end).all() and (begin[1:] >= end[:-1]).all()
    if method != "serial":
        assert set(spans["thread"]) == {0, 1}
        assert work / 2 <= spans["end_of_all"] < work


def test_a_superstep_schedule_ends_about_when_the_analysis_says():
    solver = solver_of(sp.tril(echelon.generate("laplace2d:150")), method="superstep")
    spans = solver._picture("spans", None)
    work = 3 * solver.shape[0] + solver.report.nnz - solver.shape[0]
    assert work / spans["end_of_all"] == pytest.approx(solver.report.predicted_speedup, rel=0.1)


def solvers():
    yield solver_of(LOWER, method="superstep")
    yield solver_of(UPPER, False, method="tree")
    yield echelon.DirectSolver(GRID)
    yield echelon.DirectSolver(GRID, method="level_row")
    yield echelon.GaussSeidel(GRID)
    yield solver_of(sp.csr_array((0, 0)))


@pytest.mark.parametrize("number", range(6))
def test_every_solver_draws_every_picture(number):
    solver = list(solvers())[number]
    for draw in (solver.plot_levels, solver.plot_spy, solver.plot_schedule):
        ax = draw()
        assert ax.get_title(loc="left")
        ax.figure.canvas.draw()
        fig, given = plt.subplots()
        assert draw(given) is given
        box = fig.add_axes([0.1, 0.1, 0.8, 0.8])
        assert draw(box) is box
        fig.canvas.draw()


def test_titles_say_what_is_drawn():
    solver = solver_of(SMALL, method="level_row")
    assert "3 levels" in solver.plot_levels().get_title(loc="left")
    assert "critical path: 3 rows, 85.7 % of 7 nonzeros" in solver.plot_levels().get_title(loc="left")
    direct = echelon.DirectSolver(GRID, method="invert_off")
    assert direct.plot_spy(part="upper").get_title(loc="left").startswith("U, method invert_off: 1,600 rows")
    assert "tasks" in direct.plot_schedule().get_title(loc="left")
    image = solver.plot_spy().images[0].get_array()
    assert (image.mask == (SMALL.toarray() == 0)).all()


def test_many_spans_become_shares_of_time():
    solver = echelon.Solver(sp.tril(echelon.generate("laplace2d:600")), method="level_row",
                            cpu={"threads": 4})
    spans = solver._picture("spans", None)
    assert len(spans["begin"]) > 3000
    image = solver.plot_schedule().images[0].get_array()
    busy = np.bincount(spans["thread"], spans["end"] - spans["begin"]) / spans["end_of_all"]
    np.testing.assert_allclose(image.mean(axis=1), busy, atol=1e-6)


def test_parts_that_are_not_there_are_refused():
    with pytest.raises(echelon.Error, match="one triangle"):
        solver_of(LOWER).plot_levels(part="lower")
    with pytest.raises(echelon.Error, match="lower or upper, not 'full'"):
        echelon.DirectSolver(GRID).plot_spy(part="full")
    with pytest.raises(echelon.Error, match="part is upper, not 'lower'"):
        echelon.GaussSeidel(GRID, direction="backward").plot_levels(part="lower")


def test_without_matplotlib_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    for draw in ("plot_levels", "plot_spy", "plot_schedule"):
        with pytest.raises(echelon.Error, match=f"{draw} needs matplotlib: pip install") as caught:
            getattr(solver_of(LOWER), draw)()
        assert caught.value.code == "backend_missing"


class Page(html.parser.HTMLParser):
    """Checks that tags are closed, and counts them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.text = [], {}, []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attrs:
            assert name not in ("src", "href"), "the page needs no other file"
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.parametrize("number", range(6))
def test_the_html_report_is_a_page_with_pictures(number, tmp_path):
    solver = list(solvers())[number]
    report = solver.html_report()
    page = Page(report.html)
    triangles = 2 if isinstance(solver, (echelon.DirectSolver, echelon.GaussSeidel)) else 1
    assert page.count["h2"] == triangles and page.count["svg"] >= 2 * triangles
    assert "script" not in page.count
    text = " ".join(page.text)
    assert solver.report.method in text and f"{solver.shape[0]:,} unknowns" in text
    report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == report.html


def test_a_notebook_shows_the_page_in_a_frame():
    report = solver_of(LOWER).html_report()

    class Frame(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            self.tag, self.attrs = tag, dict(attrs)

    frame = Frame()
    frame.feed(report._repr_html_())
    assert frame.tag == "iframe" and frame.attrs["srcdoc"] == report.html
    assert Page(solver_of(LOWER).report._repr_html_()).count["tr"] > 5


def test_a_notebook_runs_with_reports_and_pictures(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    cells = ["import sys; sys.path[:0] = %r\n%%matplotlib inline" % (sys.path,),
             "import echelon, scipy.sparse as sp\n"
             "solver = echelon.Solver(sp.tril(echelon.generate('laplace2d:20')))\nsolver.report",
             "solver.plot_levels()", "solver.html_report()"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nbclient.NotebookClient(book, timeout=60, kernel_name="python3").execute()
    kinds = [{k for out in cell.outputs for k in out.get("data", {})} for cell in book.cells]
    assert "text/html" in kinds[1] and "image/png" in kinds[2] and "text/html" in kinds[3]
    assert "<iframe srcdoc=" in book.cells[3].outputs[0].data["text/html"]
