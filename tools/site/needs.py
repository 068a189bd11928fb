# tools/site/needs.py -- finds a Python that has the packages of the site.
# SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import os
import sys

DEBIAN = "/usr/bin/python3"  # packages of Debian are for this one; another may come first in PATH
SKIPPED = 77  # as ctest reads it
PACKAGES = {"markdown_it": "python3-markdown-it", "pygments": "python3-pygments"}


def require_packages():
    """Returns, starts this program again with Debian's Python, or exits with what is missing."""
    missing = [package for module, package in PACKAGES.items() if importlib.util.find_spec(module) is None]
    if not missing:
        return
    if os.path.exists(DEBIAN) and os.path.realpath(DEBIAN) != os.path.realpath(sys.executable):
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    print(f"skipped: this Python misses {' and '.join(missing)}; run   apt-get install {' '.join(missing)}")
    sys.exit(SKIPPED)
