# tools/site/headers.py -- public headers read as text: comments, declarations and their names.
# SPDX-License-Identifier: BSD-3-Clause
"""A header is a list of entries in its own order.  An entry is a comment and the declarations right
below it, up to the next blank line or comment.  Bodies of functions, private parts and the tables of
names of enums are left out.  No compiler is needed; braces are matched, no more.
"""
import dataclasses
import re
import textwrap

NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)
ACCESS = re.compile(r"(public|private|protected)\s*:")
OPENING = re.compile(r'(?:namespace [\w:]+|extern "C"|extern\s*)\s*\{')
TYPE = re.compile(r"(?:typedef )?(?:class|struct|enum(?: class)?)\s+(\w+)?[^;{}()]*\{")
FORWARD = re.compile(r"(?:template\s*<[^;{}]*>\s*)?(?:friend )?(?:class|struct) \w+;$")
TEMPLATE = re.compile(r"template\s*<")
MACRO = re.compile(r"#define (ECHELON_VERSION\w*)")
HIDDEN = {"names", "visit"}  # plumbing of options: one list of names per enum and struct


@dataclasses.dataclass
class Entry:
    """A comment, the declarations below it, and for a class the entries of its public part."""
    comment: list = dataclasses.field(default_factory=list)
    code: str = ""
    names: list = dataclasses.field(default_factory=list)
    kind: str = "text"  # text, type, function, value
    children: list = dataclasses.field(default_factory=list)


def blanked(text):
    """The text with comments and literals blank; every character keeps its place."""
    return NO_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def matching(code, k):
    """The place of the bracket that closes the one at k."""
    depth = 0
    for end in range(k, len(code)):
        if code[end] in "({[":
            depth += 1
        elif code[end] in ")}]":
            depth -= 1
            if depth == 0:
                return end
    raise ValueError(f"no bracket closes {code[k:k + 40]!r}")


def after_template(code, k):
    """The place behind `template <...>`, nested ones and their `requires` left in."""
    while match := TEMPLATE.match(code, k):
        depth, k = 1, match.end()
        while depth:
            depth += {"<": 1, ">": -1}.get(code[k], 0)
            k += 1
        k += len(code[k:]) - len(code[k:].lstrip())
    return k


def end_of(code, begin):
    """(end of the declaration, start of a function's body or None)."""
    k = begin
    while True:
        sign = code[k]
        if sign == ";":
            return k + 1, None
        if sign in "([":
            k = matching(code, k)
        elif sign == "{":
            close = matching(code, k)
            rest = code[close + 1:].lstrip()
            head = code[begin:k]
            if rest.startswith(";"):
                return code.index(";", close) + 1, None
            is_init = rest.startswith((",", "{")) or re.match(r"\w+\s*;", rest) and "typedef" in head
            if not is_init:
                return close + 1, k
            k = close
        k += 1


def names_in(code):
    """The name that a declaration (blanked) declares, and its kind."""
    code = code[after_template(code, 0):].strip()
    if match := re.match(r"typedef (?:enum|struct)\b.*?(\w+)\s*;$", code, re.S):
        return match.group(1), "type"
    if match := TYPE.match(code):
        return match.group(1), "type"
    if match := re.match(r"(?:using|concept) (\w+)", code):
        return match.group(1), "type"
    if re.search(r"\)\s*->\s*\w+<[^()]*>;$", code):
        return None, "value"  # a deduction guide
    if match := re.match(r"[^=]*?\boperator\s*(\(\)|[^\s(\w]+)", code):
        return "operator" + match.group(1), "function"
    if match := re.match(r"[^=(]*?(~?\w+)\s*\(", code):
        return match.group(1), "function"
    match = re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)?;$", re.sub(r"=.*", ";", code, flags=re.S))
    return (match.group(1) if match else None), "value"


def comment_lines(text):
    return [re.sub(r"^\s*// ?", "", line).rstrip() for line in text.splitlines()]


class Reader:
    """Reads entries of text[begin:end]."""

    def __init__(self, text):
        self.text, self.code = text, blanked(text)

    def entries(self, begin, end, owner=None):
        found, k, comment, hidden = [], begin, [], False
        while k < end:
            line_end = self.text.find("\n", k)
            line_end = end if line_end < 0 else min(line_end, end)
            line = self.text[k:line_end].strip()
            access = ACCESS.match(line)
            if not line:
                if comment and not hidden:
                    found.append(Entry(comment))
                comment, k = [], line_end + 1
                found += [None] if found and found[-1] else []
            elif line.startswith("//"):
                comment, k = comment + comment_lines(line), line_end + 1
            elif line.startswith("#"):
                if macro := MACRO.match(line):
                    self.add(found, Entry(comment, line, [macro.group(1)], "value"), bool(comment))
                comment, k = [], self.after_directive(k)
            elif access:
                hidden, comment, k = access.group(1) != "public", [], line_end + 1
            elif line.startswith("}"):
                k = line_end + 1
            elif opening := OPENING.match(self.text, k + len(self.text[k:]) - len(self.text[k:].lstrip())):
                k = opening.end()
            else:
                k = self.declaration(k, found, comment, hidden, owner)
                comment = []
        return [entry for entry in found if entry]

    def after_directive(self, k):
        while True:
            end = self.text.find("\n", k)
            if end < 0:
                return len(self.text)
            if self.text[end - 1] != "\\":
                return end + 1
            k = end + 1

    def declaration(self, k, found, comment, hidden, owner):
        """Reads one declaration at k into `found`; the place behind it."""
        start = k + len(self.text[k:]) - len(self.text[k:].lstrip())
        if TYPE.match(self.code, after_template(self.code, start)):
            first = self.code.index("{", start)
            end = self.code.index(";", matching(self.code, first)) + 1
            body = None
        else:
            end, body = end_of(self.code, start)
        line_end = self.text.find("\n", end)
        line_end = len(self.text) if line_end < 0 else line_end
        trailing = self.text[end:line_end].strip()
        after = line_end + 1 if not trailing or trailing.startswith("//") else end
        name, kind = names_in(self.code[start:end] if body is None else self.code[start:body] + ";")
        plain = " ".join(self.code[start:end].split())
        if hidden or name in HIDDEN or FORWARD.match(plain) or plain.startswith("friend"):
            return after
        margin = self.text[self.text.rfind("\n", 0, start) + 1:start]
        code = margin + (self.text[start:end] if body is None else self.cut(start, body))
        if trailing.startswith("//"):
            code += self.text[end:line_end].rstrip() if body is None else "  " + trailing
        is_class = kind == "type" and "{" in plain and re.match(
            r"class\b", plain[after_template(plain, 0):])
        entry = Entry(comment, code, [name] if name else [], kind)
        if is_class:
            first = self.code.index("{", start)
            entry.code = self.text[start:first].rstrip() + ";"
            inside = matching(self.code, first)
            text = self.text[first + 1:inside]
            reader = Reader("\n private:" + text)
            entry.children = reader.entries(0, len(reader.text), name)
        elif kind == "type" and re.match(r"struct\b", plain[after_template(plain, 0):]):
            entry.code = self.struct_text(start, end, trailing)
        self.add(found, entry, bool(comment) or is_class)
        return after

    @staticmethod
    def add(found, entry, own):
        """Appends, or joins the entry before if no blank line or comment parts them."""
        last = found[-1] if found else None
        if own or last is None or not last.code or last.children or entry.children:
            found.append(entry)
        else:
            last.code += "\n" + entry.code
            last.names += [name for name in entry.names if name not in last.names]

    def cut(self, start, body):
        """A function without its body and without the initializers of a constructor."""
        head = self.text[start:body].rstrip()
        plain = blanked(head)
        first = plain.find("(", after_template(plain, 0))
        if first >= 0:
            close = matching(plain, first)
            colon = re.match(r"\s*(?:noexcept\s*)?:(?!:)", plain[close + 1:])
            if colon:
                head = head[:close + 1]
        return head + ";"

    def struct_text(self, start, end, trailing):
        """A struct as it stands, its functions without bodies, private parts and visit() left out."""
        text, code = self.text[start:end], self.code[start:end]
        k = code.index("{") + 1
        last, out = matching(code, k - 1), [text[:k]]
        hidden = False
        while k < last:
            rest = code[k:last]
            if not rest.strip():
                break
            begin = k + len(rest) - len(rest.lstrip())
            if access := ACCESS.match(code, begin):
                hidden, k = access.group(1) != "public", access.end()
                continue
            stop, body = end_of(code, begin)
            name, _ = names_in(code[begin:stop] if body is None else code[begin:body] + ";")
            if not hidden and name not in HIDDEN and not FORWARD.match(code[begin:stop].strip()):
                inner = Reader(text)
                out.append(text[k:begin] + (text[begin:stop] if body is None else inner.cut(begin, body)))
            k = stop
        tail = text[k:last].rstrip()
        result = "".join(out).rstrip() + tail + "\n" + text[last:] + ("  " + trailing if trailing else "")
        result = re.sub(r"\n[ \t]*// The one list of these options[^\n]*", "", result)
        return re.sub(r"\n\s*\n(\s*\})", r"\n\1", result)


def read_header(text):
    """(sentence of the first line, comment of the file, entries)."""
    lines = text.splitlines()
    end = next(k for k, line in enumerate(lines) if not line.startswith("//"))
    head = comment_lines("\n".join(lines[:end]))
    spdx = next(k for k, line in enumerate(head) if line.startswith("SPDX"))
    sentence = " ".join(head[:spdx]).partition(" -- ")[2]
    reader = Reader(text)
    begin = sum(len(line) + 1 for line in lines[:end])
    entries = reader.entries(begin, len(text))
    for entry in entries:
        entry.code = textwrap.dedent(entry.code)
        for child in entry.children:
            child.code = textwrap.dedent(child.code)
    return sentence, head[spdx + 1:], entries
