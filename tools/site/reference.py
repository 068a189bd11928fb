# tools/site/reference.py -- the API reference: each public header in its own order.
# SPDX-License-Identifier: BSD-3-Clause
import collections
import html
import pathlib
import re
import textwrap

from headers import read_header
from markdown import code_block, highlighted

NAME_SPAN = re.compile(r'<span class="(n|nc|nf|nn|kt|k)">(\w+)</span>')
WORD = re.compile(r"(?<![\w/.])(\w+)(\(\))?(?![\w/]|\.\w)")


class Reference:
    """All public headers; `places` maps a name to its page and anchor."""

    def __init__(self, root):
        self.headers = {}
        files = [*sorted((root / "include").rglob("*.h*")), *sorted(root.glob("adapters/*/include/**/*.h*"))]
        for path in (file.relative_to(root) for file in files):
            file = root / path
            self.headers[path] = read_header(file.read_text(encoding="utf-8"))
        self.places, self.seen = {}, {}
        for path, (_, _, entries) in self.headers.items():
            self.place(path, entries, "")

    @staticmethod
    def page_of(path):
        """include/echelon/solver.hpp is reference/solver.hpp.html, echelon.h is reference/echelon.h.html."""
        inside = pathlib.Path(*path.parts[path.parts.index("include") + 1:])
        inside = inside.relative_to("echelon") if inside.parts[0] == "echelon" else inside
        return pathlib.Path("reference") / ("_".join(inside.parts) + ".html")

    @staticmethod
    def shown(path):
        return "/".join(path.parts[path.parts.index("include") + 1:])

    def place(self, path, entries, owner):
        """Gives each entry of a header its anchors."""
        for entry in entries:
            entry.anchors = []
            for name in entry.names:
                anchor = owner + re.sub(r"[^\w~]", "_", name)
                count = self.seen.setdefault((path, anchor), 0)
                self.seen[path, anchor] += 1
                anchor += f"-{count + 1}" if count else ""
                entry.anchors.append(anchor)
                if not owner and count == 0 and re.match(r"[A-Za-z]\w{2,}$", name):
                    self.places.setdefault(name, (self.page_of(path), anchor))
            if entry.children:
                self.place(path, entry.children, entry.names[0] + ".")

    def linked_code(self, page, entry):
        """Code whose names of ours are links."""
        def link(match):
            name = match.group(2)
            to, anchor = self.places.get(name, (None, None))
            if to is None or name in entry.names:
                return match.group()
            href = f"#{anchor}" if to == page else f"{to.name}#{anchor}"
            return f'<a href="{href}">{match.group()}</a>'
        code = re.sub(NAME_SPAN, link, highlighted(entry.code, "c" if "echelon_" in entry.code else "cpp"))
        return f'<div class="code"><pre tabindex="0"><code>{code}</code></pre></div>\n'

    def prose(self, page, lines):
        """A comment as paragraphs; what is indented by two or more is code."""
        out, block, is_code = [], [], False

        def flush():
            text = "\n".join(block)
            if block and is_code:
                out.append(code_block(textwrap.dedent(text), "cpp"))
            elif text.strip():
                out.append(f"<p>{self.linked_words(page, text)}</p>")
            block.clear()

        for line in lines + [""]:
            if re.match(r"-{3}", line):
                continue
            code = line.startswith("  ")
            if not line.strip() and not is_code or code != is_code and line.strip():
                flush()
                is_code = code
            if line.strip() or is_code:
                block.append(line)
        flush()
        return "\n".join(out)

    def linked_words(self, page, text):
        def link(match):
            name = match.group(1)
            to, anchor = self.places.get(name, (None, None))
            is_type = re.match(r"[A-Z]\w*[a-z]", name) and name not in {"Index", "Offset", "Error", "Step"}
            if to is None or not (is_type or match.group(2) or "_" in name) or name[0] == "_":
                return match.group()
            href = f"#{anchor}" if to == page else f"{to.name}#{anchor}"
            return f'<a href="{href}"><code>{match.group()}</code></a>'
        text = html.escape(re.sub(r"  +", " ", text), quote=False)
        parts = re.split(r"(`[^`]*`)", text)
        return "".join(f"<code>{part[1:-1]}</code>" if part.startswith("`") and len(part) > 1
                       else WORD.sub(link, part) for part in parts)

    def entry_html(self, page, entry, level, headings):
        if not entry.code:
            title = next((m.group(1) for line in entry.comment
                          if (m := re.match(r"-{3,} (.*?) -{3,}$", line))), None)
            if title:
                anchor = "section-" + re.sub(r"\W+", "-", title)
                headings.append((2, title, anchor))
                return f'<h2 id="{anchor}" class="part">{html.escape(title)}</h2>'
            return self.prose(page, entry.comment)
        targets = "".join(f'<a id="{html.escape(anchor)}"></a>' for anchor in entry.anchors[1:])
        title = ", ".join(dict.fromkeys(entry.names)) or "deduction guides"
        anchor = entry.anchors[0] if entry.anchors else f"guides-{len(headings)}"
        headings.append((level, title, anchor))
        parts = [f'<section class="entry level{level}">{targets}<h{level} id="{html.escape(anchor)}">'
                 f"<code>{html.escape(title)}</code></h{level}>", self.prose(page, entry.comment),
                 self.linked_code(page, entry)]
        parts += [self.entry_html(page, child, level + 1, headings) for child in entry.children]
        return "\n".join(parts) + "</section>"

    def page(self, path):
        """(page, title, HTML, headings) of one header."""
        sentence, comment, entries = self.headers[path]
        page, headings = self.page_of(path), []
        shown = self.shown(path)
        body = [f"<h1><code>{shown}</code></h1>",
                f'<p class="lead">{self.linked_words(page, sentence[:1].upper() + sentence[1:])}</p>',
                code_block(f"#include <{shown}>", "cpp"), self.prose(page, comment)]
        body += [self.entry_html(page, entry, 2, headings) for entry in entries]
        return page, shown, "\n".join(body), headings

    def index(self):
        """HTML of the list of headers, then of all names."""
        page = pathlib.Path("reference/index.html")
        rows = {"Use": [], "Adapters": [], "Steer": [], "Extend": [], "Tools": [], "C": []}
        for path, (sentence, comment, _) in self.headers.items():
            first = next((line for line in comment if line.strip()), "")
            word = first.partition(" ")[0] if first.partition(" ")[0] in rows else "Use"
            kind = "Adapters" if path.parts[0] == "adapters" else "C" if path.suffix == ".h" else "Tools" if "tools" in path.parts else word
            rows[kind].append(f'<tr><td><a href="{self.page_of(path).name}"><code>{self.shown(path)}</code></a>'
                              f"</td><td>{self.linked_words(page, sentence[:1].upper() + sentence[1:])}</td></tr>")
        titles = {"Use": "C++: what programs use", "Adapters": "Other libraries", "Steer": "C++: what steers an analysis",
                  "Extend": "C++: what extends it", "Tools": "C++: models, machines, pictures", "C": "C"}
        parts = []
        for kind, lines in rows.items():
            parts.append(f'<h2 id="{kind.lower()}">{titles[kind]}</h2>\n<div class="table"><table>'
                         + "\n".join(lines) + "</table></div>")
        letters = collections.defaultdict(list)
        for name, (to, anchor) in sorted(self.places.items(), key=lambda item: item[0].lower()):
            letters[name[0].upper()].append(f'<a href="{to.name}#{anchor}"><code>{name}</code></a>')
        parts.append('<h2 id="all-names">All names</h2>')
        parts += [f'<p class="names"><b>{letter}</b> ' + " ".join(names) + "</p>"
                  for letter, names in letters.items()]
        return "\n".join(parts)
