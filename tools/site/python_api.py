# tools/site/python_api.py -- the reference of the Python package, from its source and docstrings.
# SPDX-License-Identifier: BSD-3-Clause
"""The source is parsed, not imported, so nothing has to be built."""
import ast
import html
import inspect
import re

from markdown import code_block

PACKAGE = "bindings/python/echelon"


class Package:
    """Names of the package and the nodes that define them."""

    def __init__(self, folder):
        self.modules = {f.stem: ast.parse(f.read_text(encoding="utf-8")) for f in sorted(folder.glob("*.py"))}
        self.modules |= {f.stem: ast.parse(f.read_text(encoding="utf-8")) for f in sorted(folder.glob("*.pyi"))
                         if f.stem not in self.modules}
        self.defined = {}
        for tree in self.modules.values():
            for node in tree.body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                    self.defined.setdefault(node.name, node)
        self.doc = ast.get_docstring(self.modules["__init__"]) or ""
        self.names = sorted(self.public(), key=lambda name: (not name[0].isupper(), name.lower()))

    def public(self):
        for node in self.modules["__init__"].body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
                return [name for name in ast.literal_eval(node.value) if name in self.defined]
        return []

    def members(self, node):
        """Public methods and properties, those of its bases in this package last."""
        found = {n.name: n for n in node.body if isinstance(n, ast.FunctionDef) and n.name[0] != "_"}
        for base in node.bases:
            parent = self.defined.get(getattr(base, "id", ""))
            if parent is not None:
                found = self.members(parent) | found
        return found


def is_property(node):
    return any("property" in ast.dump(d) for d in node.decorator_list)


def signature(node, name):
    arguments = re.sub(r"^(self|cls)(, |$)", "", ast.unparse(node.args))
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({arguments}){result}"


def docstring_html(text):
    """A NumPy docstring: sections, definitions, doctests, paragraphs."""
    out = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        lines = block.splitlines()
        if len(lines) > 1 and set(lines[1]) == {"-"}:
            out.append(f"<h4>{html.escape(lines[0])}</h4>")
            lines = lines[2:]
        if not lines:
            continue
        if any(line.lstrip().startswith(">>> ") for line in lines):
            out.append(code_block("\n".join(lines), "pycon"))
        elif any(line.startswith("    ") for line in lines):
            out.append(definitions("\n".join(lines)))
        else:
            out.append(f"<p>{words(' '.join(lines))}</p>")
    return "\n".join(out)


def definitions(text):
    parts = []
    for line in text.splitlines():
        tag = "dd" if line.startswith("    ") else "dt"
        name, colon, kind = line.partition(" : ")
        if parts and tag == "dd" and parts[-1][0] == "dd":
            parts[-1][1] += " " + line.strip()
        else:
            parts.append([tag, f"``{name}`` {kind}" if tag == "dt" and colon else line.strip()])
    return "<dl>" + "\n".join(f"<{t}>{words(s)}</{t}>" for t, s in parts) + "</dl>"


def words(text):
    return re.sub(r"``?([^`]+)``?", r"<code>\1</code>", html.escape(text, quote=False))


def entry(name, node, package, headings):
    headings.append((2, name, name))
    parts = [f'<section class="entry level2"><h2 id="{name}"><code>{name}</code></h2>']
    if isinstance(node, ast.FunctionDef):
        parts += [code_block("echelon." + signature(node, name), "python"), docstring_html(ast.get_docstring(node) or "")]
        return "\n".join(parts) + "</section>"
    init = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    if init is not None:
        parts.append(code_block("echelon." + signature(init, name), "python"))
    parts.append(docstring_html(ast.get_docstring(node) or ""))
    for member, method in package.members(node).items():
        shown = member if is_property(method) else signature(method, member)
        parts.append(f'<section class="entry level3"><h3 id="{name}.{member}"><code>{member}</code></h3>'
                     + code_block(f"{name}.{shown}", "python")
                     + docstring_html(ast.get_docstring(method) or "") + "</section>")
    return "\n".join(parts) + "</section>"


def page(root):
    """(HTML, headings), or None where there is no Python package."""
    folder = root / PACKAGE
    if not (folder / "__init__.py").is_file():
        return None
    package, headings = Package(folder), []
    parts = ["<h1>Python package <code>echelon</code></h1>", docstring_html(package.doc)]
    parts += [entry(name, package.defined[name], package, headings) for name in package.names]
    return "\n".join(parts), headings
