#!/usr/bin/env python3
# tools/site/build.py -- builds the static site: guides, references, results, pictures.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/site/build.py OUT [BUILD]

Writes the site into the folder OUT, which works from the file system without a network.  With BUILD
(build/release) the pictures of the gallery are made by BUILD/bin/echelon; else those in
docs/pictures are taken.  Needs python3-markdown-it and python3-pygments.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import needs

needs.require_packages()

# pylint: disable=wrong-import-position
import landing
import pictures
import python_api
import results
from fortran_api import fortran_page
from markdown import Renderer, highlighted
from page import frame
from reference import Reference

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
NOT_OURS = {".git", "build", ".venv", ".cache", "carry"}
PICTURES = {".svg", ".png"}

# The sidebar: what exists of these, in this order; other pages of docs/ follow under "More".
GROUPS = [
    ("Start", ["docs/tutorial.md", "docs/install.md", "docs/backends.md", "docs/command_line.md"]),
    ("Doors", ["docs/python.md", "docs/c_and_fortran.md", "docs/neighbours.md", "docs/petsc.md",
               "docs/cusparse_dropin.md"]),
    ("Coming from", "docs/coming_from/*.md"),
    ("How fast, and why", ["docs/performance.md", "@results", "docs/gallery.md", "docs/method.md", "docs/model.md"]),
    ("Reference", ["@reference", "@python", "@fortran", "docs/errors.md", "docs/glossary.md", "docs/licences.md"]),
    ("The project", ["README.md", "docs/README.md", "docs/migrating.md", "docs/architecture.md",
                     "docs/decisions/", "bench/README.md", "CONTRIBUTING.md", "CHANGELOG.md"]),
]
SHORT = {  # titles for the sidebar where the heading is a long question
    "docs/tutorial.md": "Tutorial", "docs/install.md": "Install", "docs/backends.md": "GPUs and MPI ranks",
    "docs/command_line.md": "Command line", "docs/python.md": "Python", "docs/c_and_fortran.md": "C and Fortran",
    "docs/neighbours.md": "Eigen, Kokkos, SuiteSparse", "docs/petsc.md": "PETSc",
    "docs/cusparse_dropin.md": "Drop-in for cuSPARSE", "docs/performance.md": "Performance",
    "docs/gallery.md": "Gallery", "docs/method.md": "Method", "docs/model.md": "Models",
    "docs/errors.md": "Errors by code", "docs/glossary.md": "Glossary", "docs/licences.md": "Licences",
    "README.md": "Readme", "docs/README.md": "All pages", "docs/migrating.md": "From 0.1.0, and HTS",
    "docs/architecture.md": "Architecture", "docs/decisions/": "Decisions", "bench/README.md": "Benchmarks",
    "CONTRIBUTING.md": "Contributing", "CHANGELOG.md": "Changes", "@results": "Newest results",
    "@reference": "C++ and C", "@python": "Python package", "@fortran": "Fortran module",
}


def version():
    text = (ROOT / "include/echelon/version.hpp").read_text(encoding="utf-8")
    return ".".join(re.search(rf"ECHELON_VERSION_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


def title_of(text, fallback):
    match = re.search(r"^# (.+)$", text, re.M)
    return re.sub(r"[`*]", "", match.group(1)) if match else fallback


class Site:
    """Pages by their source; files that pages link to become pages when they are met."""

    def __init__(self, out):
        self.out, self.version = out, version()
        files = [f.relative_to(ROOT) for f in sorted(ROOT.rglob("*.md"))]
        self.markdown = [f for f in files if not NOT_OURS & set(f.parts)]
        self.text = {f: (ROOT / f).read_text(encoding="utf-8") for f in self.markdown}
        self.reference = Reference(ROOT)
        self.python, self.fortran = python_api.page(ROOT), fortran_page(ROOT)
        self.special = {"@results": "results.html", "@reference": "reference/index.html"}
        if self.python:
            self.special["@python"] = "reference/python.html"
        if self.fortran:
            self.special["@fortran"] = "reference/fortran.html"
        self.renderer, self.linked, self.search = Renderer(ROOT, self.page_of), {}, []
        self.groups = self.sidebar()

    def page_of(self, path):
        """The page of a file or folder of the repository, or None."""
        if path in self.text:
            return path.with_suffix(".html")
        if path in self.reference.headers:
            return Reference.page_of(path)
        if (ROOT / path).is_dir():
            if path / "README.md" in self.text:
                return path / "README.html"
            to = pathlib.Path("source") / path / "index.html"
        elif not (ROOT / path).is_file():
            return None
        elif path.suffix in PICTURES:
            to = path
        else:
            to = pathlib.Path("source") / (str(path) + ".html")
        self.linked.setdefault(path, to)
        return to

    def sidebar(self):
        groups, used = [], set()
        for title, wanted in GROUPS:
            if isinstance(wanted, str):
                wanted = [str(f) for f in sorted(self.markdown) if f.match(wanted)]
            entries = []
            for name in wanted:
                to = self.special.get(name) if name[0] == "@" else self.page_of(pathlib.Path(name))
                if to is not None:
                    entries.append((self.short(name), to))
                    used.add(name)
            if title == "Start":
                entries.insert(0, ("Home", "index.html"))
            if entries:
                groups.append((title, entries))
        rest = [str(f) for f in self.markdown if f.parent == pathlib.Path("docs") and str(f) not in used]
        if rest:
            groups.append(("More", [(self.short(name), self.page_of(pathlib.Path(name))) for name in rest]))
        return groups

    def short(self, name):
        if name in SHORT:
            return SHORT[name]
        title = title_of(self.text[pathlib.Path(name)], name)
        return re.sub(r"^Coming from (the )?", "", title)

    def write(self, page, title, body, headings=(), source="", description=""):
        page = pathlib.Path(page)
        file = self.out / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(frame(page, title, body, self.groups, headings, self.version, source, description),
                        encoding="utf-8")
        if page.parts[0] != "source":
            self.search.append([title, str(page)])
            self.search += [[f"{name} – {title}", f"{page}#{anchor}"] for level, name, anchor in headings
                            if level in (2, 3) and anchor]

    def link_from(self, page):
        def link(path, text):
            return f'<a href="{os.path.relpath(self.page_of(pathlib.Path(path)), pathlib.Path(page).parent)}">{text}</a>'
        return link

    def write_markdown(self):
        for path, text in self.text.items():
            page = self.page_of(path)
            body, headings = self.renderer.render(path, page, text)
            self.write(page, title_of(text, str(path)), body, headings, str(path))

    def write_reference(self):
        for path in self.reference.headers:
            page, title, body, headings = self.reference.page(path)
            self.write(page, title, body, headings, str(path))
        self.write("reference/index.html", "C++ and C reference", "<h1>C++ and C reference</h1>\n"
                   '<p class="lead">Each public header in its own order, made from the headers themselves. '
                   "<code>#include &lt;echelon/echelon.hpp&gt;</code> has all solvers of one process.</p>"
                   + self.reference.index())
        if self.python:
            self.write("reference/python.html", "Python package", *self.python, python_api.PACKAGE)
        if self.fortran:
            self.write("reference/fortran.html", "Fortran module", *self.fortran)

    def write_linked(self):
        """Sources, folders and pictures that pages link to; a folder's page may link to more."""
        done = set()
        while todo := [item for item in sorted(self.linked.items()) if item[0] not in done]:
            for path, to in todo:
                done.add(path)
                if path.suffix in PICTURES:
                    (self.out / to).parent.mkdir(parents=True, exist_ok=True)
                    if not (self.out / to).exists():
                        shutil.copyfile(ROOT / path, self.out / to)
                elif (ROOT / path).is_dir():
                    self.write(to, str(path) + "/", self.folder(path, to))
                else:
                    self.write(to, str(path), self.source(path), source=str(path))

    def folder(self, path, page):
        link, rows = self.link_from(page), []
        for file in sorted((ROOT / path).iterdir()):
            inside = file.relative_to(ROOT)
            if file.name[0] == "." or file.name == "__pycache__" or inside.suffix == ".pyc":
                continue
            title = title_of(self.text[inside], file.name) if inside in self.text else ""
            rows.append(f"<li>{link(inside, title or f'<code>{file.name}</code>')}</li>")
        return f"<h1><code>{path}/</code></h1>\n<ul>" + "\n".join(rows) + "</ul>"

    def source(self, path):
        file = ROOT / path
        if file.stat().st_size > 400_000:
            return f"<h1><code>{path}</code></h1><p>{file.stat().st_size:,} bytes; see the repository.</p>"
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return f"<h1><code>{path}</code></h1><p>A binary file; see the repository.</p>"
        language = {"hpp": "cpp", "cuh": "cu", "h": "c", "txt": "text"}.get(path.suffix[1:], path.suffix[1:])
        if path.name == "CMakeLists.txt":
            language = "cmake"
        elif text.startswith("#!") and "bash" in text[:40]:
            language = "sh"
        size = len(text)
        shown = highlighted(text, language if size < 100_000 else "text")
        return (f"<h1><code>{path}</code></h1>\n"
                f'<div class="code whole"><pre tabindex="0"><code>{shown}</code></pre></div>')

    def write_search(self):
        rows = json.dumps(self.search, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        (self.out / "search.js").write_text(f"window.pages={rows};\n", encoding="utf-8")

    def build(self):
        self.write("index.html", "Echelon", landing.body(self), description=landing.DESCRIPTION)
        self.write("results.html", "Newest results", *results.page(ROOT, self.link_from("results.html")))
        self.write_markdown()
        self.write_reference()
        self.write_linked()
        self.write_search()
        for name in ("style.css", "site.js"):
            shutil.copyfile(HERE / name, self.out / name)


def main(arguments):
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    out = pathlib.Path(arguments[0]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    build = pathlib.Path(arguments[1]).resolve() if len(arguments) > 1 else None
    if build is not None and (build / "bin/echelon").is_file():
        try:
            pictures.make(build, out / "docs")
        except (OSError, subprocess.SubprocessError) as error:
            sys.exit(f"site: the gallery's pictures cannot be made: {error}")
    site = Site(out)
    site.build()
    print(f"site: {len(list(out.rglob('*.html')))} pages in {out}; open {out / 'index.html'}")


if __name__ == "__main__":
    main(sys.argv[1:])
