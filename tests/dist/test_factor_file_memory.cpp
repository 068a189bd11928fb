// tests/dist/test_factor_file_memory.cpp -- out of memory at every allocation in turn.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_file_cases.hpp"
#include "support/failing_new.hpp"

namespace echelon::test {
namespace {

// Fails the k-th allocation of the work for every k, until it succeeds.
template <class Work>
void fail_each_allocation(const Work& work) {
  Refusal r(ErrorCode::out_of_memory, "");
  for (long k = 0; r.code == ErrorCode::out_of_memory; ++k) {
    ASSERT_LT(k, 10000);
    allocations_left = k;
    r = refusal(work);
    allocations_left = -1;
  }
  EXPECT_EQ(r, Refusal());
}

TEST(FactorFileMemory, EveryAllocationMayFail) {
  const TempFolder folder;
  const std::string path = (folder.path() / "a.factors").string();
  const WrittenFactors<double> w(small_factors<double>(20));
  fail_each_allocation([&] { write_factors(path, w.f, w.lower, w.upper); });
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));

  fail_each_allocation([&] { open_factors<double>(path); });
  const FactorFile file(path);
  fail_each_allocation([&] { file.supernodes(Uplo::upper); });
  fail_each_allocation([&] { file.row_order(); });
  fail_each_allocation([&] { file.diagonal<double>(); });
  std::vector<double> x(400);
  fail_each_allocation(
      [&] { file.read_rows(Uplo::lower, 1, w.lower.rows(1), x.data(), w.lower.height(1)); });
}

}  // namespace
}  // namespace echelon::test
