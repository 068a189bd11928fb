// bench/general/contender.hpp -- who solves the same triangle: every method of Echelon, Eigen,
// MKL, SciPy and cuSPARSE, each made ready to be called again and again.
// SPDX-License-Identifier: BSD-3-Clause
//
// Fairness.  All get the same triangle, extracted, sorted, in compressed rows on the same kind
// of pages; all may prepare as long as they like; the clock runs for the solve alone.  Echelon,
// MKL and SciPy solve M x = b from b to x; Eigen solves in place, its fastest form, and the copy
// of b is not on its clock.  On a device vectors lie there too, and its clock is used.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "echelon/matrix.hpp"
#include "echelon/solver.hpp"

namespace echelon::bench {

// The system.
template <Scalar T>
struct Task {
  Uplo part = Uplo::lower;
  Csr<T> triangle;      // rows sorted, the diagonal full, nothing in the other triangle
  Buffer<Index> start;  // the row starts in 32 bits; empty if they do not fit
  Index nrhs = 1;
  Buffer<T> b;  // size n*nrhs, by columns

  Vectors<const T> right_sides() const { return {b.data(), triangle.rows, nrhs}; }
  Vectors<T> answers(std::span<T> x) const { return {x.data(), triangle.rows, nrhs}; }
};

struct Settings {
  Options options = {};          // for Echelon; method and threads are set apart
  bool in_place = false;         // Echelon and MKL solve in place too
  Index setups = 0;              // timed analyses, setups and updates; 0: 3, of updates up to 5
  std::string mkl_library = {};  // path of libmkl_rt; empty: the loader looks for it
  std::string python = "python3";
};

// What is known of a contender before it is timed.
struct Facts {
  std::string contender;  // "echelon:superstep", "eigen", ...
  std::string method;     // what it runs
  std::string reason = {};
  Backend backend = Backend::cpu;
  Index threads = 1;
  Index supersteps = 0;
  Index launches = 0;  // of Echelon: kernels of a solve on a device
  double analysis_s = 0;
  double setup_s = 0;
  Index setups = 1;         // how often both were timed
  double update_s = 0;      // new values for the same pattern; 0: not measured
  Offset matrix_bytes = 0;  // what a solve reads of the matrix
};

// One contender with its number of threads, ready.
template <Scalar T>
struct Entrant {
  Facts facts;
  std::function<double(std::span<T>)> solve;  // x = M \ b; the seconds it took
  std::function<double()> again = {};         // likewise, but x stays on the device; or none
};

// Each makes an entrant; the task outlives it.  They throw Error: what the library throws, or
// backend_failed with the contender's own words.
template <Scalar T>
Entrant<T> make_echelon(const Task<T>& task, Method method, Index threads, const Settings& s);
template <Scalar T>
Entrant<T> make_eigen(const Task<T>& task);
template <Scalar T>
Entrant<T> make_mkl(const Task<T>& task, Index threads, const Settings& s);
template <Scalar T>
Entrant<T> make_scipy(const Task<T>& task, const Settings& s);
template <Scalar T>
Entrant<T> make_cusparse(const Task<T>& task);

// Why a contender cannot run here; empty if it can.  Of cuSPARSE: support/cusparse.hpp.
std::string why_no_eigen();
std::string why_no_mkl(const Settings& s);
std::string why_no_scipy(const Settings& s);

// Bytes of compressed rows with 32-bit starts.
template <Scalar T>
Offset row_bytes(const Task<T>& task) {
  const auto n = static_cast<std::size_t>(task.triangle.rows);
  return static_cast<Offset>(task.triangle.index.size() * (sizeof(Index) + sizeof(T)) +
                             (n + 1) * sizeof(Index));
}

}  // namespace echelon::bench
