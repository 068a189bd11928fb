#!/usr/bin/env python3
# bench/cusparse_dropin/torch_solve.py -- times PyTorch's sparse triangular solve; knows nothing of Echelon.
# SPDX-License-Identifier: BSD-3-Clause
"""usage: bench/cusparse_dropin/torch_solve.py [WIDTH HEIGHT [REPEAT]]     (2048 2048 20)

Each call of torch.triangular_solve on a CSR matrix analyzes and solves by cuSPARSE's SpSV.  Prints one
line of JSON.
"""
import json
import statistics
import sys
import time
import warnings

import torch

warnings.filterwarnings("ignore")  # of the beta state of sparse CSR


def grid_lower(width, height):
    """The lower triangle of the 5-point grid in CSR."""
    i = torch.arange(width * height, device="cuda")
    below, left = i[i >= width], i[i % width > 0]
    rows = torch.cat([i, below, left])
    columns = torch.cat([i, below - width, left - 1])
    values = torch.cat([torch.full((len(i),), 4.0, dtype=torch.float64),
                        torch.full((len(below) + len(left),), -1.0, dtype=torch.float64)]).cuda()
    return torch.sparse_coo_tensor(torch.stack([rows, columns]), values).coalesce().to_sparse_csr()


def milliseconds(call):
    torch.cuda.synchronize()
    began = time.perf_counter()
    result = call()
    torch.cuda.synchronize()
    return 1e3 * (time.perf_counter() - began), result


def main():
    numbers = [int(word) for word in sys.argv[1:]]
    width, height = numbers[:2] or (2048, 2048)
    repeat = numbers[2] if len(numbers) > 2 else 20
    a = grid_lower(width, height)
    n = a.shape[0]
    b = (1 + torch.arange(n, device="cuda", dtype=torch.float64) % 7).reshape(n, 1)

    def solve():
        return torch.triangular_solve(b, a, upper=False).solution

    first, x = milliseconds(solve)
    times = [milliseconds(solve)[0] for _ in range(repeat)]
    size = torch.sparse_csr_tensor(a.crow_indices(), a.col_indices(), a.values().abs(), a.shape)
    error = float(((b - a @ x).abs() / (size @ x.abs() + b.abs())).max())
    print(json.dumps({"program": "torch_solve", "torch": torch.__version__,
                      "machine": torch.cuda.get_device_name(0), "n": n, "nnz": a.values().numel(),
                      "repeats": repeat, "first_call_ms": round(first, 3),
                      "call_ms": round(statistics.median(times), 4),
                      "call_min_ms": round(min(times), 4), "backward_error": error}))


if __name__ == "__main__":
    main()
