# tools/site/markdown.py -- our pages as HTML: links to files become links to pages of the site.
# SPDX-License-Identifier: BSD-3-Clause
"""python3-markdown-it reads CommonMark with tables, as GitHub does."""
import html
import os
import pathlib
import re

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LEXERS = {"sh": "bash", "cpp": "cpp", "c": "c", "f90": "fortran", "fortran": "fortran", "py": "python",
          "python": "python", "cmake": "cmake", "cu": "cuda", "json": "json", "yaml": "yaml",
          "dockerfile": "docker", "toml": "toml", "makefile": "make", "mtx": "text"}
COMMENT = re.compile(r"<!--.*?-->", re.S)


def slug(title):
    """The anchor of a heading, as GitHub makes it and tools/check_links.py checks it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def highlighted(code, language):
    """HTML of code; plain text where the language is not known."""
    name = LEXERS.get(language)
    if name is None and language in ("", "text"):
        return html.escape(code)
    try:
        lexer = get_lexer_by_name(name or language, stripnl=False)
    except ClassNotFound:
        return html.escape(code)
    return highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")


def code_block(code, language="", note=""):
    """A block that scrolls in its own box; `note` says whose code it is."""
    label = f'<span class="note">{html.escape(note)}</span>' if note else ""
    return (f'<div class="code">{label}<pre tabindex="0"><code>{highlighted(code.rstrip(chr(10)), language)}'
            "</code></pre></div>\n")


class Renderer:
    """Renders pages; `page_of` maps a file of the repository to its page, or None."""

    def __init__(self, root, page_of):
        self.root, self.page_of = root, page_of
        self.reader = MarkdownIt("commonmark", {"html": True}).enable("table")
        rules = self.reader.renderer.rules
        rules["fence"] = lambda tokens, k, options, env: self.fence(tokens[k])
        rules["table_open"] = lambda *_: '<div class="table" tabindex="0"><table>\n'
        rules["table_close"] = lambda *_: "</table></div>\n"

    @staticmethod
    def fence(token):
        language, *words = token.info.split() or [""]
        if re.search(r"^\$ ", token.content, re.M):
            language = "console"
        elif language == "python" and token.content.startswith(">>> "):
            language = "pycon"
        return code_block(token.content, language, "their code" if "theirs" in words else "")

    def target(self, source, page, href):
        """A link of file `source`, for the page made of it."""
        name, _, anchor = href.partition("#")
        if re.match(r"[a-z]+:", href) or not name:
            return href
        path = os.path.normpath(source.parent / name)
        to = self.page_of(pathlib.Path(path))
        if to is None:
            raise SystemExit(f"{source}: there is no page for {href}")
        relative = os.path.relpath(to, page.parent)
        return relative + ("#" + anchor if anchor else "")

    def headings(self, tokens):
        """Gives headings their anchors; returns (level, title, anchor) of each."""
        found = []
        for opening, inline in zip(tokens, tokens[1:]):
            if opening.type == "heading_open":
                raw = inline.content
                anchor = slug(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", raw))
                opening.attrSet("id", anchor)
                found.append((int(opening.tag[1]), re.sub(r"[`*]", "", raw), anchor))
        return found

    def render(self, source, page, text):
        """(HTML, headings) of a Markdown file; source and page are relative to their roots."""
        tokens = self.reader.parse(COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text))
        headings = self.headings(tokens)
        for token in tokens:
            for child in token.children or []:
                if child.type == "link_open":
                    child.attrSet("href", self.target(source, page, child.attrGet("href")))
                elif child.type == "image":
                    child.attrSet("src", self.target(source, page, child.attrGet("src")))
        return self.reader.renderer.render(tokens, self.reader.options, {}), headings
