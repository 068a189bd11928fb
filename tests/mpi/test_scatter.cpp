// tests/mpi/test_scatter.cpp -- each rank receives the rows of rank 0 that it requested.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "distributed/scatter.hpp"
#include "mpi/rank_problem.hpp"

namespace echelon::test {
namespace {

TEST(Scatters, BringTheRowsARankAsksFor) {
  const Factors<double> all =
      factor_by_name<double>(factor_packages().front(), generate<double>("laplace2d:14x15:5"));
  const RankFactors<double> whole = distribute_factors(all, 12);
  const BlockMap map = map_blocks(whole.lower, square_grid(size()), Mapping::cyclic);
  const LocalPlan plan = make_local_plan(whole.lower, map, rank(), TreeShape::binary);
  Communicator comm(MPI_COMM_WORLD, 30);
  for (const bool with_diagonals : {false, true}) {
    std::size_t numbers = 0;
    scatter_rows<double>(
        comm, {whole.lower, map, TreeShape::binary, plan, with_diagonals}, whole.lower_rows,
        [&](const FillRows<double>& fill) {
          std::vector<Index> rows;
          for (Index c = 0; c < plan.nodes(); ++c) {
            list_positions(plan, c, rows, with_diagonals);
            if (rows.empty()) continue;
            const auto ld = static_cast<Offset>(rows.size());
            std::vector<double> got(rows.size() * static_cast<std::size_t>(plan.width(c)));
            std::vector<double> expected(got.size());
            fill(plan.node[c], rows, got.data(), ld);
            whole.lower_rows(plan.node[c], rows, expected.data(), ld);
            ASSERT_EQ(got, expected) << "column " << c;
            numbers += got.size();
          }
        });
    EXPECT_GT(numbers, 0u);
  }
}

}  // namespace
}  // namespace echelon::test
