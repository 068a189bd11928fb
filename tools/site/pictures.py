#!/usr/bin/env python3
# tools/site/pictures.py -- the pictures of docs/gallery.md, made by the commands that the page shows.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: tools/site/pictures.py BUILD    makes docs/pictures/ anew with BUILD/bin/echelon

The commands run in an empty folder; what they write to pictures/ are the files that the page shows.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path("docs/gallery.md")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)
PICTURE = re.compile(r"!\[[^\]]*\]\((pictures/[^)]+)\)")


def shown(text):
    """The pictures of ours that the page shows, relative to docs/."""
    return [pathlib.Path(name) for name in PICTURE.findall(text)]


def make(build, folder):
    """Makes the pictures of the gallery in folder/pictures.  Raises where a command fails."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    environment = os.environ | {"PATH": f"{build / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as name:
        for block in BLOCK.findall(text):
            subprocess.run(["bash", "-ec", block], cwd=name, env=environment, check=True, timeout=300,
                           stdout=subprocess.DEVNULL)
        for picture in shown(text):
            (folder / picture).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(pathlib.Path(name) / picture, folder / picture)


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.exit(__doc__)
    make(pathlib.Path(arguments[0]).resolve(), ROOT / "docs")


if __name__ == "__main__":
    main(sys.argv[1:])
