#!/usr/bin/env python3
# tests/docs/check_site.py -- the site as a reader meets it: links, widths, colours, pictures, search.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tests/docs/check_site.py SITE links      files, anchors and pictures that pages name exist
       tests/docs/check_site.py SITE browser [--screenshots DIR]
                                               in Chromium: every page at 390 and 1200 px, light and dark
       tests/docs/check_site.py --self-test    broken pages are found

Exits with 77, which ctest counts as skipped, where there is no Chromium or no site.
"""
import html.parser
import pathlib
import sys
import tempfile
import urllib.parse

from browser import Browser, find_chromium

SKIPPED = 77
VIEWS = [(390, "light"), (1200, "dark")]  # every page; of those that show a source file, the first
ALL_VIEWS = [(width, scheme) for width in (390, 1200) for scheme in ("light", "dark")]  # the first pages
STATE = """(() => {
  const wide = document.documentElement, style = getComputedStyle(document.body);
  const lum = (c) => c.match(/[\\d.]+/g).slice(0, 3).reduce((s, v, k) => s + v * [.3, .6, .1][k], 0);
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (c) => { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
    return 'rgb(' + canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).join(',') + ')'; };
  const over = wide.scrollWidth > wide.clientWidth || wide.scrollWidth > innerWidth;
  const scrolls = (e) => e.closest('pre, .table, nav, .contents') !== null;
  return {
    width: innerWidth, scroll: wide.scrollWidth, over,
    widest: over ? [...document.querySelectorAll('main *')].filter((e) => !scrolls(e) &&
      e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((e) => e.outerHTML.slice(0, 120)) : [],
    paper: lum(rgb(style.backgroundColor)), ink: lum(rgb(style.color)),
    empty: [...document.images].filter((i) => !i.complete || !i.naturalWidth || !i.naturalHeight)
      .map((i) => i.src),
    heads: document.querySelectorAll('h1').length,
    text: document.querySelector('main').innerText.trim().length,
  };
})()"""


class Page(html.parser.HTMLParser):
    """The anchors of a page, and what it links to."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.targets, self.twice = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        facts = dict(attrs)
        if name := facts.get("id"):
            if name in self.anchors:
                self.twice.append(name)
            self.anchors.add(name)
        for key in ("href", "src"):
            if facts.get(key):
                self.targets.append(facts[key])


def check_links(site):
    """Yields what is wrong with links and anchors."""
    pages = {f: Page(f.read_text(encoding="utf-8")) for f in sorted(site.rglob("*.html"))}
    for file, page in pages.items():
        shown = file.relative_to(site)
        for name in page.twice:
            yield f"{shown}: two elements have the id {name}"
        for target in page.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme in ("https", "http", "mailto", "data"):
                if parts.scheme.startswith("http") and target in page.targets and target.endswith((".css", ".js")):
                    yield f"{shown}: needs the network: {target}"
                continue
            to = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if not to.is_file():
                yield f"{shown}: there is no {target}"
            elif parts.fragment and urllib.parse.unquote(parts.fragment) not in pages.get(to, page).anchors:
                yield f"{shown}: {to.name} has no #{parts.fragment}"


def faults(state, scheme):
    """What is wrong with one page in one view."""
    if state["over"]:
        yield f"scrolls sideways: {state['scroll']} px of {state['width']}; {' '.join(state['widest'])}"
    dark = state["paper"] < state["ink"]
    if dark != (scheme == "dark"):
        yield f"is {'dark' if dark else 'light'}, not {scheme}"
    if abs(state["paper"] - state["ink"]) < 120:
        yield f"has little contrast: {state['paper']:.0f} and {state['ink']:.0f}"
    if state["empty"]:
        yield f"does not show {state['empty']}"
    if state["heads"] != 1 or state["text"] < 20:
        yield f"has {state['heads']} titles and {state['text']} characters"


def check_search(browser, site):
    """Typing a name shows its page, and the sidebar opens on a phone."""
    browser.set_view(390, "light")
    browser.open((site / "index.html").as_uri())
    hits = browser.run("""(() => { const i = document.getElementById('search'); i.value = 'gaussseidel';
      i.dispatchEvent(new Event('input')); return [...document.querySelectorAll('#found a')].map((a) => a.href); })()""")
    if not hits or "smoother" not in hits[0] and "GaussSeidel" not in hits[0]:
        yield f"index.html: the search for GaussSeidel shows {hits[:2]}"
    shown = """getComputedStyle(document.getElementById('sidebar')).display"""
    before = browser.run(shown)
    browser.run("document.getElementById('menu').click()")
    if (before, browser.run(shown)) != ("none", "block"):
        yield "index.html: the sidebar does not fold on a phone"
    paper = "getComputedStyle(document.body).backgroundColor"
    first = browser.run(paper)
    browser.run("document.getElementById('theme').click()")
    if browser.run(paper) == first:
        yield "index.html: the button for light and dark changes nothing"
    browser.run("localStorage.clear()")


def check_pages(site, browser, screenshots=None):
    """Yields what is wrong with pages in the browser."""
    for file in sorted(site.rglob("*.html")):
        browser.open(file.as_uri())
        inside = file.relative_to(site)
        views = ALL_VIEWS if inside.name == "index.html" else VIEWS
        for width, scheme in VIEWS[:1] if inside.parts[0] == "source" else views:
            browser.set_view(width, scheme)
            shown = f"{inside} at {width} px"
            found = list(faults(browser.run(STATE), scheme)) + browser.failures()
            yield from (f"{shown} {fault}" for fault in found)
            if screenshots:
                name = "_".join(inside.with_suffix("").parts)
                browser.screenshot(screenshots / f"{name}-{width}-{scheme}.png")


def self_test(program):
    """Each of these pages has one fault, and it is found."""
    frame = ("<!doctype html><meta name=viewport content='width=device-width'><body style='color:{ink};"
             "background:{paper}'><main><h1>Title</h1>{body}<p>Twenty characters of text.</p></main>")
    cases = {
        "wide": (frame.format(ink="#000", paper="#fff", body="<div style='width:700px'>x</div>"), "scrolls sideways"),
        "dark": (frame.format(ink="#fff", paper="#000", body=""), "is dark"),
        "pale": (frame.format(ink="#aaa", paper="#fff", body=""), "little contrast"),
        "none": (frame.format(ink="#000", paper="#fff", body="<img src='none.png'>"), "does not show"),
        "fine": (frame.format(ink="#000", paper="#fff", body="<a href='wide.html'>a</a>"), None),
        "link": (frame.format(ink="#000", paper="#fff", body="<a href='lost.html'>a</a>"), None),
    }
    with tempfile.TemporaryDirectory() as name:
        site = pathlib.Path(name)
        for stem, (text, _) in cases.items():
            (site / f"{stem}.html").write_text(text, encoding="utf-8")
        assert any("lost.html" in fault for fault in check_links(site))
        assert not any("wide.html: there" in fault for fault in check_links(site))
        if program is None:
            return
        with Browser(program) as browser:
            browser.set_view(390, "light")
            for stem, (_, expected) in cases.items():
                browser.open((site / f"{stem}.html").as_uri())
                found = " ".join(faults(browser.run(STATE), "light"))
                assert (expected in found) if expected else not found, (stem, found)


def main(arguments):
    program = find_chromium()
    if arguments == ["--self-test"]:
        self_test(program)
        return 0
    if len(arguments) not in (2, 4) or arguments[1] not in ("links", "browser"):
        sys.exit(__doc__)
    site = pathlib.Path(arguments[0]).resolve()
    if not (site / "index.html").is_file():
        print(f"skipped: there is no {site / 'index.html'}; build the site first (./dev docs)")
        return SKIPPED
    if arguments[1] == "links":
        found = list(check_links(site))
    elif program is None:
        print("skipped: there is no Chromium (Debian: chromium)")
        return SKIPPED
    else:
        screenshots = pathlib.Path(arguments[3]) if len(arguments) == 4 else None
        self_test(program)
        with Browser(program) as browser:
            found = list(check_search(browser, site)) + list(check_pages(site, browser, screenshots))
    print("\n".join(found) or f"{len(list(site.rglob('*.html')))} pages, nothing wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
