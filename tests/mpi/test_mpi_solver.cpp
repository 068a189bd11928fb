// tests/mpi/test_mpi_solver.cpp -- the solver of MPI ranks: all that must hold, by all engines.
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/rank_solver_cases.hpp"

namespace echelon::test {
namespace {

template <class T>
struct OnCpus {
  using Number = T;
  using Solver = MpiSolver<T>;
  using Options = MpiOptions;
  static constexpr bool same_bits = true;

  static std::string missing() { return ""; }
  static std::vector<Options> variants() {
    return {{.engine = Engine::payload, .timeout_s = 120},
            {.engine = Engine::counter, .timeout_s = 120},
            {.engine = Engine::two_sided, .timeout_s = 120}};
  }
  static std::vector<std::pair<Options, int>> restless() {
    std::vector<std::pair<Options, int>> all;
    for (Options o : variants()) {
      all.emplace_back(o, 200);
      o.shake_us = 60;
      all.emplace_back(o, 30);
    }
    return all;
  }
  static std::string text(const Options& o) { return name(o.engine); }
  static MpiReport ranks_of(const Solver& solver) { return solver.report(); }
};

using Scalars = testing::Types<OnCpus<float>, OnCpus<double>, OnCpus<std::complex<double>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, RankSolvers, Scalars);
using Doubles = testing::Types<OnCpus<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, RankSolversOfDoubles, Doubles);
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, RankRefusals, Doubles);

}  // namespace
}  // namespace echelon::test
