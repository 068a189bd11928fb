# tools/site/fortran_api.py -- the reference of the Fortran modules, from their sources.
# SPDX-License-Identifier: BSD-3-Clause
"""Public types as they are declared, then the procedures bound to them or listed as public, each with the
comment above it and its arguments.  The interfaces to C stand in the page of echelon.h.
"""
import re

from markdown import code_block
from python_api import words

INSIDE = {"echelon_c", "echelon_text"}  # modules that others stand on
PROCEDURE = re.compile(r"\s*(?:(?:pure|recursive)\s+)*(?:subroutine|(?:[\w()=]+ )?function)\s+(\w+)", re.I)
TYPE = re.compile(r"\s*type\b(?!\s*\()[^:]*::\s*(\w+)", re.I)
BOUND = re.compile(r"\s*(?:procedure|generic)\s*::\s*(\w+)(?:\s*=>\s*(.+))?", re.I)


def comment_above(lines, k):
    begin = k
    while begin > 0 and lines[begin - 1].lstrip().startswith("!"):
        begin -= 1
    return [line.strip().lstrip("!").strip() for line in lines[begin:k]]


def joined(lines, k):
    """The place behind the statement that begins at line k."""
    while lines[k].split("!")[0].rstrip().endswith("&"):
        k += 1
    return k + 1


def types_of(lines):
    """Yields (name, comment, lines) without private parts; generated lists of names are cut."""
    for k, line in enumerate(lines):
        match = TYPE.match(line)
        if match and not line.strip().lower().startswith("end"):
            end = next(e for e in range(k, len(lines)) if re.match(r"\s*end type", lines[e], re.I))
            shown = [re.sub(r"\s*=>.*", "", row) for row in lines[k:end + 1]
                     if not re.search(r", private|\bfinal ::|assignment\(=\)", row)]
            yield match.group(1), comment_above(lines, k), shown


def bound_names(lines):
    """Names that callers reach: bound to a type, or public."""
    names = set()
    for k, line in enumerate(lines):
        if (match := BOUND.match(line)) and "private" not in line:
            names |= set(re.findall(r"\w+", f"{match.group(1)} {match.group(2) or ''}".lower()))
        elif re.match(r"\s*public\s*::", line, re.I):
            names |= set(re.findall(r"\w+", " ".join(lines[k:joined(lines, k)]).lower()))
    return names


def interfaces_of(lines, names):
    """The public names of procedures that an interface block renames: procedure -> name."""
    found, outer = {}, None
    for line in lines:
        if match := re.match(r"\s*interface (\w+)", line, re.I):
            outer = match.group(1).lower()
        elif outer in names and (match := re.match(r"\s*module procedure (?:::)?(.+)", line, re.I)):
            found |= dict.fromkeys(re.findall(r"\w+", match.group(1).lower()), outer)
    return found


def procedures_of(lines, names, renamed):
    """Yields (name, comment, lines): the statement and the declarations of its arguments."""
    for k, line in enumerate(lines):
        match = PROCEDURE.match(line)
        name = match.group(1).lower() if match else ""
        if not match or line.strip().lower().startswith("end") or name not in names | renamed.keys():
            continue
        end = joined(lines, k)
        while "::" in lines[end] and re.search(r"intent|value", lines[end], re.I):
            end = joined(lines, end)
        shown = [re.sub(rf"\b{name}\b", renamed.get(name, name), row, flags=re.I) for row in lines[k:end]]
        yield renamed.get(name, match.group(1)), comment_above(lines, k), shown


def section(name, comment, lines):
    margin = len(lines[0]) - len(lines[0].lstrip())
    code = "\n".join(line[margin:] if not line[:margin].strip() else line for line in lines)
    return (f'<section class="entry level2"><h2 id="{name}"><code>{name}</code></h2><p>{words(" ".join(comment))}</p>'
            + code_block(code, "f90") + "</section>")


def head_html(lines):
    """The comment that opens a module: paragraphs, and indented code."""
    end = next(k for k, line in enumerate(lines) if not line.startswith("!"))
    text = "\n".join(re.sub(r"^! ?", "", line) for line in lines[2:end])
    parts = [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]
    return "\n".join(code_block(re.sub(r"^  ", "", part, flags=re.M), "f90") if part.startswith("  ")
                     else f"<p>{words(' '.join(part.split()))}</p>" for part in parts)


def fortran_page(root):
    """(HTML, headings, source), or None where there is no module."""
    folder = root / "bindings/fortran"
    texts = {f: f.read_text(encoding="utf-8").splitlines() for f in sorted(folder.glob("*"))
             if re.search(r"\.(f90|F90|f90\.in|inc)$", f.name) and f.name.partition(".")[0] not in INSIDE}
    modules = {f: lines for f, lines in texts.items() if ".f90" in f.name.lower()}
    if not modules:
        return None
    parts, headings, seen = ["<h1>Fortran modules</h1>"], [], set()
    names = set().union(*map(bound_names, texts.values()))
    parts += [head_html(lines) for lines in modules.values()]
    found = [e for lines in texts.values() for e in types_of(lines)]
    renamed = {}
    for lines in texts.values():
        renamed |= interfaces_of(lines, names)
    found += [e for lines in texts.values() for e in procedures_of(lines, names, renamed)]
    for name, comment, lines in found:
        if name not in seen:
            seen.add(name)
            headings.append((2, name, name))
            parts.append(section(name, comment, lines))
    return "\n".join(parts), headings, "bindings/fortran"
