#!/usr/bin/env python3
# tools/wheel_licences.py -- puts the licences of the libraries that a wheel contains into it.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: wheel_licences.py WHEEL    the wheel that auditwheel has repaired, changed in place

The texts are those of the Debian packages that the libraries come from, with the common licences
these refer to, and nanobind's, which is linked statically.  They go where the wheel has its own
licence, into the folder bundled; libraries.txt there names package and text of each library."""
import base64
import csv
import hashlib
import importlib.metadata
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

COMMON = pathlib.Path("/usr/share/common-licenses")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def installed_libraries():
    """File by name, for all libraries that the loader finds."""
    ldconfig = shutil.which("ldconfig", path=os.environ["PATH"] + ":/sbin:/usr/sbin")
    found = {}
    for line in output_of(ldconfig, "-p").splitlines():
        if " => " in line:
            path = pathlib.Path(line.split(" => ")[1])
            for name in (path.name, path.resolve().name):
                found.setdefault(name, path.resolve())
    return found


def package_of(path):
    # Packages may name a file by /lib what the system has in /usr/lib.
    for name in (str(path), str(path).removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    sys.exit(f"wheel_licences.py: no Debian package has {path}: its licence is not known")


def name_before_repair(name):
    """auditwheel puts eight digits of a hash before the first dot: libmetis-1a2b3c4d.so.5.1.0"""
    stem, _, rest = name.partition(".")
    return re.sub(r"-[0-9a-f]{8}$", "", stem) + "." + rest


def nanobind_texts():
    """Of nanobind, and of the hash table inside it, which has its licence on top of its header."""
    texts = {}
    for file in importlib.metadata.distribution("nanobind").files:
        if file.name == "LICENSE" and "robin_map" not in file.parts:
            texts["nanobind.txt"] = file.locate().read_bytes()
        elif file.name == "robin_map.h":
            texts["robin_map.txt"] = file.locate().read_bytes().partition(b"*/")[0] + b"*/\n"
    if len(texts) != 2:
        sys.exit("wheel_licences.py: the licences of nanobind are not beside it")
    return texts


def bundled_texts(libraries):
    installed, texts, lines = installed_libraries(), nanobind_texts(), []
    for library in sorted(libraries):
        name = name_before_repair(library)
        if name not in installed:
            sys.exit(f"wheel_licences.py: the loader does not find {name}: its licence is not known")
        package = package_of(installed[name])
        texts[f"{package}.txt"] = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_bytes()
        lines.append(f"{library}: package {package}, {package}.txt\n")
    for text in list(texts.values()):
        for name in re.findall(rf"{COMMON}/([\w.-]*\w)", text.decode(errors="replace")):
            texts[f"{name}.txt"] = (COMMON / name).read_bytes()
    texts["libraries.txt"] = "".join(lines).encode()
    return texts


def with_licence_files(metadata, names):
    lines = metadata.decode().split("\n")
    last = max(k for k, line in enumerate(lines) if line.startswith("License-File: "))
    lines[last + 1:last + 1] = [f"License-File: bundled/{name}" for name in names]
    return "\n".join(lines).encode()


def record_row(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return [name, f"sha256={digest}", len(content)]


def add_licences(wheel):
    with zipfile.ZipFile(wheel) as old:
        content = {info: old.read(info) for info in old.infolist()}
    names = [info.filename for info in content]
    info_folder = next(n for n in names if n.endswith(".dist-info/RECORD")).removesuffix("/RECORD")
    texts = bundled_texts([n.split("/")[1] for n in names if re.match(r"[^/]*\.libs/.", n)])
    changed = wheel.with_suffix(".part")
    rows = []
    with zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        def put(info, data):
            new.writestr(info, data)
            rows.append(record_row(info if isinstance(info, str) else info.filename, data))

        for info, data in content.items():
            if info.filename == f"{info_folder}/METADATA":
                data = with_licence_files(data, sorted(texts))
            if info.filename != f"{info_folder}/RECORD" and not info.is_dir():
                put(info, data)
        for name, data in sorted(texts.items()):
            put(f"{info_folder}/licenses/bundled/{name}", data)
        record = io.StringIO()
        csv.writer(record, lineterminator="\n").writerows(
            [*rows, [f"{info_folder}/RECORD", "", ""]])
        new.writestr(f"{info_folder}/RECORD", record.getvalue())
    changed.replace(wheel)
    print(f"{wheel.name}: licences of {texts['libraries.txt'].count(b': package ')} libraries")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which("dpkg-query"):
        sys.exit("wheel_licences.py: it takes the texts from Debian packages; there are none here")
    add_licences(pathlib.Path(sys.argv[1]))
