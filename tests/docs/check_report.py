#!/usr/bin/env python3
# tests/docs/check_report.py -- the report page of `echelon inspect` as a reader meets it, in Chromium.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tests/docs/check_report.py ECHELON [--screenshots DIR]

At 390 and 1200 px, light and dark: nothing scrolls sideways but pictures and tables in their frames, the
text has contrast, each picture is shown and says what it shows.  Pages with a fault are found.
Exits with 77, which ctest counts as skipped, where there is no Chromium.
"""
import pathlib
import subprocess
import sys
import tempfile

from browser import Browser, find_chromium
from check_site import ALL_VIEWS, SKIPPED, STATE, faults

MATRICES = {
    "factor": ["elasticity3d:5", "--part", "full"],    # blocks, paths, scaling and timeline
    "cells": ["laplace2d:40x40:5", "--threads", "1"],  # more blocks than are drawn one by one
    "ranks": ["dense:64", "--part", "lower", "--supernodes"],
}
PICTURES = """[...document.querySelectorAll('figure')].map((f) => {
  const svg = f.querySelector('svg'), box = svg && svg.getBoundingClientRect();
  const caption = f.querySelector('figcaption').getBoundingClientRect();
  return {
    width: box ? box.width : 0, height: box ? box.height : 0,
    drawn: svg ? [...svg.querySelectorAll('path, polyline, circle')].filter((e) => e.getBBox().width > 0).length : 0,
    colors: svg ? new Set([...svg.querySelectorAll('[fill]')].map((e) => e.getAttribute('fill'))).size : 0,
    notes: svg ? [...svg.querySelectorAll('title')].map((t) => t.textContent) : [],
    caption: caption.right, name: f.querySelector('figcaption').innerText.slice(0, 40),
  };
})"""


def picture_faults(pictures, width):
    """What is wrong with the pictures of one page in one view."""
    if not pictures:
        yield "has no pictures"
    for p in pictures:
        if p["width"] < min(width, 600) - 40 or p["height"] < 100:
            yield f"shows '{p['name']}' at {p['width']:.0f} x {p['height']:.0f} px"
        if p["drawn"] < 3 or p["colors"] < 3:
            yield f"shows '{p['name']}' with {p['drawn']} shapes of {p['colors']} colours"
        if p["caption"] > width:
            yield f"has the words of '{p['name']}' up to {p['caption']:.0f} px"
    if not any("rows" in note and "level" in note for p in pictures for note in p["notes"]):
        yield "has no hover values of blocks"


def page_faults(browser, file, screenshots=None):
    """Yields what is wrong with a page in all views."""
    browser.open(file.as_uri())
    for width, scheme in ALL_VIEWS:
        browser.set_view(width, scheme)
        found = list(faults(browser.run(STATE), scheme)) + browser.failures()
        found += picture_faults(browser.run(PICTURES), width)
        yield from (f"{file.stem} at {width} px, {scheme}: {fault}" for fault in found)
        if screenshots:
            browser.screenshot(screenshots / f"report-{file.stem}-{width}-{scheme}.png")


def check_that_faults_are_found(browser, good):
    """The page with one part of its style or its pictures taken away."""
    text = good.read_text(encoding="utf-8")
    cases = {"scroll": ("overflow-x: auto", "", "scrolls sideways"),
             "hidden": ("figure svg { max-width: 100%;", "figure svg { display: none;", "x 0 px"),
             "silent": (", level ", " ", "hover values"),
             "lost": ("<figure>", "<div>", "no pictures")}
    for stem, (part, instead, expected) in cases.items():
        assert part in text, part
        bad = good.with_name(f"{stem}.html")
        bad.write_text(text.replace(part, instead), encoding="utf-8")
        found = " ".join(page_faults(browser, bad))
        assert expected in found, (stem, found[:500])


def main(arguments):
    if len(arguments) not in (1, 3) or arguments[0].startswith("-"):
        sys.exit(__doc__)
    chromium = find_chromium()
    if chromium is None:
        print("skipped: there is no Chromium (Debian: chromium)")
        return SKIPPED
    screenshots = pathlib.Path(arguments[2]) if len(arguments) == 3 else None
    found = []
    with tempfile.TemporaryDirectory() as name, Browser(chromium) as browser:
        for stem, flags in MATRICES.items():
            file = pathlib.Path(name) / f"{stem}.html"
            subprocess.run([arguments[0], "inspect", *flags, "--report", str(file)], check=True, timeout=120,
                           stdout=subprocess.DEVNULL)
            found += page_faults(browser, file, screenshots)
        if not found:
            check_that_faults_are_found(browser, pathlib.Path(name) / "ranks.html")
    print("\n".join(found) or f"{len(MATRICES)} pages in {len(ALL_VIEWS)} views, nothing wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
