# tools/site/landing.py -- the first page: what it is, three numbers, a program, the doors.
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers and the program are taken from README.md, where tests and reviewers look at them."""
import html
import pathlib
import re

from markdown import code_block

DESCRIPTION = "Sparse triangular solves on CPU threads, on GPUs and on many ranks."
README = pathlib.Path("README.md")

# Doors: title, what you write, page.  A door whose page does not exist is not shown.
DOORS = [
    ("C++", "echelon::Solver solver(echelon::lower(a));", "docs/tutorial.md"),
    ("Python", "from echelon import spsolve_triangular", "docs/python.md"),
    ("C and Fortran", "echelon_create_triangle(&s, l, NULL);", "docs/c_and_fortran.md"),
    ("PETSc", "-pc_factor_mat_solver_type echelon", "docs/petsc.md"),
    ("Eigen, Kokkos, SuiteSparse", "adapters/, headers alone", "docs/neighbours.md"),
    ("A program that calls cuSPARSE", "LD_PRELOAD, or link first", "docs/cusparse_dropin.md"),
    ("The command line", "echelon solve A.mtx", "docs/command_line.md"),
    ("MPI ranks and several GPUs", "echelon::MpiSolver solver(comm, factors);", "docs/backends.md"),
]
FOR_WHOM = [
    ("Preconditioners", "ILU(0), IC(0) and Gauss-Seidel inside a Krylov method: the same triangles, hundreds of "
     "solves, values that change from step to step."),
    ("Direct solvers", "Factor once with CHOLMOD, SuperLU or your own code and solve for many right-hand sides, on "
     "threads, a GPU or many ranks."),
    ("Time steps and inverse problems", "The pattern stays and the values change: <code>update</code> is one pass over "
     "the matrix, without a new analysis."),
]


def readme_numbers(text):
    """The rows of README's first table: (what, ours, theirs, command), and its heading."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    head = [cell.strip() for cell in lines[0].strip("|").split("|")]
    rows = []
    for line in lines[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != len(head) or len(rows) == 3:
            break
        rows.append(cells)
    return head, rows


def inline(text):
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def numbers_html(text, link):
    head, rows = readme_numbers(text)
    cards = "\n".join(
        f'<figure class="number"><b>{inline(ours)}</b><figcaption>{inline(what)}<br>{inline(theirs)}'
        f"<br><span class=command>{inline(command)}</span></figcaption></figure>" for what, ours, theirs, command in rows)
    return (f'<p class="over">{inline(head[0])}:</p>\n<div class="numbers">{cards}</div>\n<p class="under">A problem of '
            f"the papers; on matrices from many fields the results are uneven. "
            f'{link("docs/performance.md", "Performance")}, <a href="results.html">newest results</a>.</p>')


def program_html(text):
    block = re.search(r"<!-- from examples/01_solve_lower.cpp -->\n```cpp\n(.*?)```", text, re.S)
    return code_block(block.group(1), "cpp")


def coming_from(site, link):
    pages = sorted(path for path in site.text if path.match("docs/coming_from/*.md"))
    return " · ".join(link(path, html.escape(site.short(str(path)))) for path in pages)


def body(site):
    link, text = site.link_from("index.html"), site.text[README]
    doors = "\n".join(f"<li>{link(page, f'<b>{html.escape(title)}</b><code>{html.escape(write)}</code>')}</li>"
                      for title, write, page in DOORS if pathlib.Path(page) in site.text)
    whom = "\n".join(f"<div><h3>{title}</h3><p>{what}</p></div>" for title, what in FOR_WHOM)
    others = coming_from(site, link)
    return f"""<div class="landing">
<h1>Sparse triangular solves on CPU threads, on GPUs and on many ranks</h1>
<p class="lead">Echelon solves <i>L x = b</i> and <i>U x = b</i>, or <i>A x = b</i> from a factorization, many times with
the same matrix. It analyzes the pattern once, takes new values in one pass, and repeated solves allocate nothing.</p>
<p class="actions">{link("docs/tutorial.md", "Tutorial, ten minutes")} {link("docs/install.md", "Install")}
<a href="reference/index.html">Reference</a></p>
<h2 id="three-numbers">Three numbers</h2>
{numbers_html(text, link)}
<h2 id="a-program">A program</h2>
{program_html(text)}
<p>The analysis is paid once per pattern, the setup once per set of values. An error names the row, and there is no silent
fallback: {link("docs/errors.md", "errors by code")}.</p>
<h2 id="who-it-is-for">Who it is for</h2>
<div class="columns">{whom}</div>
<p>For a single solve a plain loop takes less time than an analysis:
<a href="docs/performance.html#where-echelon-is-not-the-right-tool">where Echelon is not the right tool</a>.</p>
<h2 id="doors">Doors</h2>
<ul class="doors">{doors}</ul>
{'<h2 id="coming-from">Coming from</h2><p class="from">' + others + "</p>" if others else ""}
</div>"""
