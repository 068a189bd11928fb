# bindings/python/echelon/_recipe.py -- test matrices from a one-line recipe.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from . import _core


def generate(spec: str) -> Any:
    """The matrix of a recipe, as ``echelon generate`` makes it.

    Examples
    --------
    >>> import echelon
    >>> echelon.generate("laplace2d:3").shape
    (9, 9)
    """
    rows, cols, start, index, value = _core.generate(spec)
    if start[-1] < 2**31:  # else SciPy would widen the indices
        start = start.astype(np.int32)
    return sparse.csr_array((value, index, start), shape=(rows, cols))
