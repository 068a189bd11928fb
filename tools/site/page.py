# tools/site/page.py -- the frame of every page: head, sidebar, foot.
# SPDX-License-Identifier: BSD-3-Clause
import html
import os
import string

FRAME = string.Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<meta name="description" content="$description">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Cpath d='M1 1v6h6z' fill='%23208078'/%3E%3C/svg%3E">
<link rel="stylesheet" href="${up}style.css">
<script>try { document.documentElement.dataset.theme = localStorage.theme || ""; } catch (e) {}</script>
</head>
<body data-up="$up">
<a class="skip" href="#content">To the text</a>
<header>
<a class="brand" href="${up}index.html"><svg viewBox="0 0 8 8" aria-hidden="true"><path d="M1 1v6h6z"/></svg>Echelon</a>
<span class="version">$version</span>
<form role="search"><input id="search" type="search" placeholder="Search" aria-label="Search titles and names" autocomplete="off"><ul id="found" hidden></ul></form>
<button id="theme" type="button" aria-label="Light or dark">&#9680;</button>
<button id="menu" type="button" aria-expanded="false" aria-controls="sidebar">Menu</button>
</header>
<div class="frame">
<nav id="sidebar" aria-label="Pages">
$sidebar
</nav>
<main id="content">
$body
<footer>Echelon $version, BSD-3-Clause$source</footer>
</main>
$contents
</div>
<script src="${up}search.js" defer></script>
<script src="${up}site.js" defer></script>
</body>
</html>
""")


def link(page, to, text, **attributes):
    """An <a> from page to another page of the site."""
    extra = "".join(f' {key.rstrip("_")}="{html.escape(value)}"' for key, value in attributes.items())
    return f'<a href="{html.escape(os.path.relpath(to.split("#")[0], page.parent) + to[len(to.split("#")[0]):])}"{extra}>{text}</a>'


def sidebar_html(page, groups):
    """Groups of (title, [(text, page)]); the current page is marked."""
    parts = []
    for title, entries in groups:
        rows = []
        for text, to in entries:
            here = {"aria_current": "page"} if str(page) == str(to) else {}
            row = link(page, str(to), html.escape(text), **here).replace("aria_current", "aria-current")
            rows.append(f"<li>{row}</li>")
        parts.append(f"<h2>{html.escape(title)}</h2>\n<ul>\n" + "\n".join(rows) + "\n</ul>")
    return "\n".join(parts)


def contents_html(headings):
    """What is on this page: headings of the second and third level, if there are several."""
    wanted = [h for h in headings if h[0] == 2]
    if len(wanted) < 3:
        return ""
    rows = "\n".join(f'<li><a href="#{anchor}">{html.escape(title)}</a></li>' for _, title, anchor in wanted)
    return f'<aside class="contents" aria-label="On this page"><h2>On this page</h2>\n<ul>\n{rows}\n</ul></aside>'


def frame(page, title, body, groups, headings=(), version="", source="", description=""):
    """A whole page."""
    depth = len(page.parts) - 1
    return FRAME.substitute(
        title=html.escape(title if title == "Echelon" else f"{title} · Echelon"), up="../" * depth,
        description=html.escape(description or title, quote=True), sidebar=sidebar_html(page, groups),
        body=body, contents=contents_html(headings), version=html.escape(version),
        source=f" · made from <code>{html.escape(source)}</code>" if source else "")
