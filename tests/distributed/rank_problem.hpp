// tests/distributed/rank_problem.hpp -- a matrix, its factors on rank 0, and distributed vectors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "echelon/direct.hpp"
#include "echelon/generate.hpp"
#include "echelon/mpi.hpp"
#include "support/random_matrix.hpp"

namespace echelon::test {

constexpr double accepted = 200;  // in eps: a componentwise error without refinement

inline int rank() {
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}
inline int size() {
  int s = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &s);
  return s;
}

template <class T>
Csr<T> converted(const Csr<double>& a) {
  Csr<T> out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.start = a.start;
  out.index = a.index;
  for (const double v : a.value) out.value.push_back(static_cast<T>(v));
  return out;
}

// A matrix, its factors on rank 0, and the solution of A x = b.
template <class T>
struct Problem {
  Csr<T> a;
  Factors<T> factors;

  Problem(const char* spec, const char* package) : a(converted<T>(generate<double>(spec))) {
    if (std::string(package) == "superlu") make_unsymmetric();
    const bool complete = std::string(package) != "ilu0";
    if (rank() == 0)
      factors =
          factor_by_name<T>(package, a, {.order = complete ? Ordering::metis : Ordering::natural});
  }
  const Factors<T>* mine() const { return rank() == 0 ? &factors : nullptr; }

  void make_unsymmetric() {
    for (std::size_t p = 0; p < a.value.size(); ++p)
      a.value[p] *= number<T>(1 + 0.1 * static_cast<double>(p % 7), 0.05);
  }
  double error(const std::vector<T>& b, const std::vector<T>& x, Index count) const {
    return find_backward_errors<T>(a, Vectors<const T>(b.data(), a.rows, count),
                                   Vectors<const T>(x.data(), a.rows, count))
               .componentwise /
           std::numeric_limits<Real<T>>::epsilon();
  }
};

// A rank's rows of global vectors, and the reverse.
template <class T>
std::vector<T> rows_of(const std::vector<T>& whole, Index n, Index count, const RowRange& r) {
  std::vector<T> part;
  for (Index v = 0; v < count; ++v)
    part.insert(part.end(), whole.begin() + v * n + r.begin, whole.begin() + v * n + r.end);
  return part;
}
template <class T>
std::vector<T> collect(const std::vector<T>& part, Index n, Index count, Placement placement) {
  std::vector<T> whole(static_cast<std::size_t>(n) * count);
  const RowRange mine = row_range(n, rank(), size(), placement);
  const Index rows = mine.end - mine.begin;
  for (Index v = 0; v < count; ++v)
    std::copy_n(part.begin() + v * rows, rows, whole.begin() + v * n + mine.begin);
  std::vector<T> sum(whole.size());
  const auto numbers = static_cast<int>(whole.size() * (sizeof(T) / sizeof(Real<T>)));
  MPI_Allreduce(whole.data(), sum.data(), numbers, sizeof(Real<T>) == 8 ? MPI_DOUBLE : MPI_FLOAT,
                MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

}  // namespace echelon::test
