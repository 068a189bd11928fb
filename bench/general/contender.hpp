// bench/general/contender.hpp -- contenders for solves with a triangle: Echelon's methods, Eigen,
// MKL, SciPy and cuSPARSE.
// SPDX-License-Identifier: BSD-3-Clause
//
// Fairness.  All get the same triangle, extracted, sorted, in compressed rows on the same kind of
// pages.  Preparation is not limited in time; the clock measures only the solve.  Echelon, MKL and
// SciPy solve M x = b from b to x; Eigen solves in place, its fastest form, and copying b is not
// timed.  On a device the vectors are in device memory, and the device's clock is used.
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
  Csr<T> triangle;      // rows sorted, full diagonal, other triangle empty
  Buffer<Index> start;  // the row starts in 32 bits; empty if they do not fit
  Index nrhs = 1;
  Buffer<T> b;  // size n*nrhs, by columns

  Vectors<const T> right_sides() const { return {b.data(), triangle.rows, nrhs}; }
  Vectors<T> answers(std::span<T> x) const { return {x.data(), triangle.rows, nrhs}; }
};

struct Settings {
  Options options = {};            // for Echelon; method and threads are set separately
  bool in_place = false;           // also for Echelon and MKL
  Index setups = 0;                // timed analyses, setups and updates; 0: 3, of updates up to 5
  std::string mkl_library = {};    // path of libmkl_rt; empty: the loader's search path
  std::string cudss_library = {};  // path of libcudss, likewise
  std::string python = "python3";
};

// The properties of a contender, known before it is timed.
struct Facts {
  std::string contender;  // "echelon:superstep", "eigen", ...
  std::string method;     // the method it uses
  std::string reason = {};
  Backend backend = Backend::cpu;
  Index threads = 1;
  Index supersteps = 0;
  Index launches = 0;  // Echelon: kernels per solve on a device
  double analysis_s = 0;
  double setup_s = 0;
  Index setups = 1;         // number of times both were measured
  double update_s = 0;      // new values for the same pattern; 0: not measured
  Offset matrix_bytes = 0;  // bytes of the matrix that a solve reads
};

// One contender with its number of threads, ready to solve.
template <Scalar T>
struct Entrant {
  Facts facts;
  std::function<double(std::span<T>)> solve;  // x = M \ b; returns seconds
  std::function<double()> again = {};         // the same, but x stays on the device; may be empty
};

// Each makes an entrant; the task must outlive it.  They throw the library's errors, or
// backend_failed with the contender's message.
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

// The reason why a contender cannot run here; empty if it can.  For cuSPARSE see
// support/cusparse.hpp.
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
