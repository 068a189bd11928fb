# bindings/python/echelon/_error.py -- the one exception of the library.
# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations


class Error(RuntimeError):
    """What is wrong and where.

    Attributes
    ----------
    code : str
        Name of the C++ error code: ``"bad_argument"``, ``"zero_diagonal"``, ...
    row : int or None
        The first row or column that the text names, counted from 0.

    Examples
    --------
    >>> import scipy.sparse as sp, echelon
    >>> try:
    ...     echelon.Solver(sp.csr_array([[1.0, 0.0], [1.0, 0.0]]))
    ... except echelon.Error as error:
    ...     print(error.code, error.row)
    zero_diagonal 1
    """

    code: str
    row: int | None

    def __init__(self, text: str, code: str = "bad_argument", row: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.row = row

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, int | None]]:
        return Error, (self.args[0], self.code, self.row)
