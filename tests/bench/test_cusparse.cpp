// tests/bench/test_cusparse.cpp -- the contender cuSPARSE against the oracle; skipped without a GPU
// or cuSPARSE.
// SPDX-License-Identifier: BSD-3-Clause
#include <support/cusparse.hpp>

#include "exec/block_cases.hpp"
#include "support/device.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

using bench::CusparseTriangle;
using bench::RowTriangle;

template <class T>
class CusparseOn : public test::OnDevice {
 protected:
  void SetUp() override {
    test::OnDevice::SetUp();
    if (this->IsSkipped()) return;
    if (const std::string reason = bench::why_no_cusparse(); !reason.empty())
      GTEST_SKIP() << "no cuSPARSE: " << reason;
  }
};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CusparseOn, Scalars);

template <class T>
void expect_solved(const RowTriangle<T>& t, Index count) {
  const Index n = t.rows.rows;
  const auto size = static_cast<std::size_t>(n);
  const auto b = test::random_vector<T>(size * static_cast<std::size_t>(count));
  const CusparseTriangle<T> triangle_there(t, count);
  EXPECT_GT(triangle_there.facts().analysis_s, 0);
  EXPECT_GT(triangle_there.facts().matrix_bytes, 0);
  for (int time = 0; time < 2; ++time) {  // different vectors the second time
    const DeviceVector<T> given{std::span<const T>(b)}, found(b.size());
    time_on_device(1, 1, [&](void* stream) {
      triangle_there.solve({given.data(), n, count}, {found.data(), n, count}, stream);
    });
    const std::vector<T> x = found.to_host();
    const auto seen = triangle(CsrView<T>(t.rows), t.part, {.diagonal = t.diagonal});
    for (Index k = 0; k < count; ++k) {
      const auto begin = static_cast<std::ptrdiff_t>(size) * k;
      const auto end = begin + static_cast<std::ptrdiff_t>(size);
      EXPECT_LE(test::backward_error(seen, std::vector<T>(b.begin() + begin, b.begin() + end),
                                     std::vector<T>(x.begin() + begin, x.begin() + end)),
                8);
    }
  }
}

TYPED_TEST(CusparseOn, SolvesBothTriangles) {
  using T = TypeParam;
  for (const test::BlockCase& c : test::block_cases()) {
    const Csr<T> a = test::case_matrix<T>(c.columns);
    if (a.rows == 0) continue;
    for (const Uplo part : {Uplo::lower, Uplo::upper})
      for (const Index count : {1, 3}) {
        SCOPED_TRACE(c.name);
        expect_solved<T>({extract_triangle(CsrView<T>(a), part), part}, count);
      }
  }
}

TEST(Cusparse, IsThereOrSaysWhyNot) {
  const std::string reason = bench::why_no_cusparse();
  if (!reason.empty()) {
    EXPECT_NE(reason.find("cusparse"), std::string::npos) << reason;
  }
  if (test::has_device()) GTEST_SKIP() << "there is a CUDA device";
  const Csr<double> one{1, 1, {0, 1}, {0}, {2.0}};
  EXPECT_EQ(test::refusal([&] {
              CusparseTriangle<double>({one, Uplo::lower}, 1);
            }).code,
            ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon
