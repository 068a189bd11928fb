// tests/batch/test_batch_on_device.cpp -- batches on a GPU; skipped without one.
// SPDX-License-Identifier: BSD-3-Clause
#include "batch/batch_cases.hpp"
#include "support/device.hpp"

namespace echelon {
namespace {

using test::BatchCase;
using test::RandomBatch;

BatchOptions on_device(Index width = 0) {
  return {.width = width, .solver = {.backend = Backend::cuda, .cuda = test::cuda_options()}};
}

class BatchOnDevice : public test::OnDevice {};

template <class T>
void expect_all_cases() {
  for (const BatchCase& c : test::batch_cases()) test::expect_batch<T>(c, on_device());
}

TEST_F(BatchOnDevice, EverySystemIsSolved) {
  expect_all_cases<float>();
  expect_all_cases<double>();
  expect_all_cases<std::complex<float>>();
  expect_all_cases<std::complex<double>>();
}

TEST_F(BatchOnDevice, EveryWidthSolves) {
  for (const Index width : {1, 2, 4, 8, 16, 32})
    for (const Op op : {Op::none, Op::transpose}) {
      const BatchCase c{.n = 90, .count = 75, .nrhs = 2, .op = op};
      test::expect_batch<float>(c, on_device(width));
      test::expect_batch<double>(c, on_device(width));
      test::expect_batch<std::complex<float>>(c, on_device(width));
      test::expect_batch<std::complex<double>>(c, on_device(width));
    }
}

TEST_F(BatchOnDevice, LongRowsGoThroughTheRingInPieces) {
  for (const Index width : {1, 8, 32})
    for (const Op op : {Op::none, Op::transpose})
      test::expect_batch<double>({.n = 700, .count = 5, .op = op, .per_row = 500},
                                 on_device(width == 32 ? 8 : width));
}

TEST_F(BatchOnDevice, SystemsLargerThanSharedMemoryStayWhereTheyAre) {
  for (const Op op : {Op::none, Op::transpose})
    for (const Layout layout : {Layout::column_major, Layout::row_major}) {
      test::expect_batch<double>({.n = 40000, .count = 3, .nrhs = 2, .op = op, .layout = layout},
                                 on_device());
      test::expect_batch<std::complex<float>>({.n = 40000, .count = 2, .op = op, .layout = layout},
                                              on_device());
    }
}

TEST_F(BatchOnDevice, FailuresAreReportedByNumberAndStopNoOther) {
  test::expect_failures<float>(on_device());
  test::expect_failures<double>(on_device());
  test::expect_failures<std::complex<float>>(on_device(4));
  test::expect_failures<std::complex<double>>(on_device(1));
}

TEST_F(BatchOnDevice, ValuesAndVectorsOnTheDeviceStayThere) {
  for (const Op op : {Op::none, Op::transpose}) {
    const BatchCase c{.n = 100, .count = 77, .nrhs = 3, .op = op};
    RandomBatch<double> batch(c);
    BatchSolver<double> many(batch.triangle(c, 0), batch.view(), on_device());
    for (Index k = 0; k < c.count; ++k) batch.set(k, 3);
    const DeviceVector<double> values{std::span<const double>(batch.values)};
    many.update(BatchValues<double>{values.data(), c.count, batch.stride});
    const auto b = test::random_vector<double>(test::batch_vectors_size(c));
    const DeviceVector<double> there{std::span<const double>(b)};
    DeviceVector<double> x(b.size());
    many.solve(test::batch_vectors<const double>(c, there.data()), test::batch_vectors(c, x.data()),
               {.op = op});
    test::expect_answers<double>(c, batch, b, x.to_host(), 1.0);
    EXPECT_TRUE(many.failed().empty());
  }
}

TEST_F(BatchOnDevice, DiagonalsWithoutAGoodReciprocalAreDividedBy) {
  const BatchCase c{.per_row = 0};
  RandomBatch<double> batch(c);
  const double tiny = std::numeric_limits<double>::min();
  for (Offset p = 0; p < batch.nnz; ++p) batch.values[3 * batch.stride + p] *= tiny;
  const BatchSolver<double> many(batch.triangle(c, 0), batch.view(), on_device());
  auto b = test::random_vector<double>(test::batch_vectors_size(c));
  for (Index i = 0; i < c.n; ++i) test::batch_vectors(c, b.data()).slice(3, 1).data[i] *= tiny;
  std::vector<double> x(b.size());
  many.solve(test::batch_vectors<const double>(c, b.data()), test::batch_vectors(c, x.data()));
  test::expect_answers<double>(c, batch, b, x, 1.0, {3});
  EXPECT_TRUE(many.failed().empty());
}

}  // namespace
}  // namespace echelon
