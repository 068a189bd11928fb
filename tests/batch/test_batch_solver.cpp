// tests/batch/test_batch_solver.cpp -- batches on the CPU against the oracle; failures by number.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <sstream>

#include "base/vector_unit.hpp"
#include "batch/batch_cases.hpp"
#include "echelon/solver.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::BatchCase;
using test::RandomBatch;
using test::refusal;
using test::Refusal;

template <class T>
struct BatchOf : testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BatchOf, Scalars);

BatchOptions on_cpu(BatchForm form, Index threads = 2) {
  return {.form = form, .solver = {.cpu = {.threads = threads}}};
}

TYPED_TEST(BatchOf, EverySystemIsSolved) {
  for (const BatchForm form : {BatchForm::interleaved, BatchForm::separate})
    for (const BatchCase& c : test::batch_cases()) test::expect_batch<TypeParam>(c, on_cpu(form));
}

TYPED_TEST(BatchOf, EveryVectorUnitSolves) {
  for (const VectorUnit unit : vector_units()) {
    BatchOptions o = on_cpu(BatchForm::interleaved);
    o.solver.cpu.vector_unit = unit;
    for (const Op op : {Op::none, Op::transpose})
      test::expect_batch<TypeParam>({.n = 70, .count = 37, .nrhs = 7, .op = op}, o);
  }
}

TYPED_TEST(BatchOf, FailuresAreReportedByNumberAndStopNoOther) {
  test::expect_failures<TypeParam>(on_cpu(BatchForm::interleaved));
  test::expect_failures<TypeParam>(on_cpu(BatchForm::separate));
}

TYPED_TEST(BatchOf, AnswersDependNeitherOnThreadsNorOnNeighbours) {
  using T = TypeParam;
  const BatchCase c{.n = 60, .count = 61, .gap = 0};
  const RandomBatch<T> batch(c);
  const auto b = test::random_vector<T>(60 * 61);
  const BatchSolver<T> one(batch.triangle(c, 0), batch.view(), on_cpu(BatchForm::interleaved, 1));
  const std::vector<T> x = one.solve(b);
  for (const Index threads : {2, 5}) {
    const BatchSolver<T> many(batch.triangle(c, 0), batch.view(),
                              on_cpu(BatchForm::interleaved, threads));
    EXPECT_EQ(many.solve(b), x);
    EXPECT_EQ(many.solve(b, {.threads = 1}), x);
  }
  const BatchSolver<T> last(batch.triangle(c, 0), 1,
                            std::span<const T>(batch.values).subspan(60 * batch.nnz),
                            on_cpu(BatchForm::interleaved));
  EXPECT_EQ(last.solve(std::span<const T>(b).subspan(60 * 60)),
            std::vector<T>(x.end() - 60, x.end()));
}

TYPED_TEST(BatchOf, DiagonalsWithoutAGoodReciprocalAreDividedBy) {
  using T = TypeParam;
  const BatchCase c;
  RandomBatch<T> batch(c);
  for (Offset p = 0; p < batch.nnz; ++p)
    batch.values[3 * batch.stride + p] *= 2 * std::numeric_limits<Real<T>>::min();
  const BatchSolver<T> many(batch.triangle(c, 0), batch.view(), on_cpu(BatchForm::interleaved));
  auto b = test::random_vector<T>(test::batch_vectors_size(c));
  for (Index i = 0; i < c.n; ++i)
    test::batch_vectors(c, b.data()).slice(3, 1).data[i] *=
        std::numeric_limits<Real<T>>::min() * 64;
  std::vector<T> x(b.size());
  many.solve(test::batch_vectors<const T>(c, b.data()), test::batch_vectors(c, x.data()));
  test::expect_answers<T>(c, batch, b, x, T(1), {3});  // whose products lose digits by underflow
  EXPECT_TRUE(many.failed().empty());
}

TEST(Batch, DuplicatesAreAdded) {
  // Rows (2), (1+2 -> 3, 1+3 -> 4), with the same column given twice.
  const std::vector<Offset> start{0, 1, 5};
  const std::vector<Index> index{0, 0, 1, 0, 1};
  const std::vector<double> values{2, 1, 1, 2, 3, 4, 3, 1, 3, 1};
  const CsrView<double> a(2, 2, start, index, std::span(values).first(5));
  const BatchSolver<double> many(lower(a), 2, values, on_cpu(BatchForm::interleaved));
  EXPECT_EQ(many.report().nnz, 3);
  EXPECT_EQ(many.solve(std::vector<double>{2, 11, 4, 8}), (std::vector<double>{1, 2, 1, 1}));
  EXPECT_EQ(many.solve(std::vector<double>{8, 8, 10, 2}, {.op = Op::transpose}),
            (std::vector<double>{1, 2, 1, 1}));
}

TEST(Batch, ACholeskyPairIsTwoSolvesWithOneBatch) {
  // L = (2 .; 1 3) and (1 .; 2 2): A = L L' = (4 2; 2 10) and (1 2; 2 8).
  const auto l = test::picture<double>(R"( 2 .
                                           1 3 )");
  const std::vector<double> values{2, 1, 3, 1, 2, 2};
  const BatchSolver<double> many(lower(l), 2, values);
  std::vector<double> x{6, 12, 3, 10};
  many.solve(x, x);
  many.solve(x, x, {.op = Op::transpose});
  EXPECT_EQ(x, (std::vector<double>{1, 1, 1, 1}));
}

TEST(Batch, AFewLargeSystemsAreSolvedOneAfterTheOther) {
  const auto l = test::picture<double>("2");
  const auto form = [&](Index count) {
    const std::vector<double> values(static_cast<std::size_t>(count), 2.0);
    return BatchSolver<double>(lower(l), count, values).report().form;
  };
  EXPECT_EQ(form(3), BatchForm::separate);
  EXPECT_EQ(form(4), BatchForm::interleaved);
  EXPECT_EQ(form(1000), BatchForm::interleaved);
}

TEST(Batch, ErrorsNameTheSystem) {
  const auto l = test::picture<double>("2");
  BatchSolver<double> many(lower(l), 6, std::vector<double>{1, 1, 0, 1, INFINITY, 1});
  EXPECT_EQ(refusal([&] { many.check(); }),
            Refusal(ErrorCode::zero_diagonal,
                    "system 2 has a zero on its diagonal; 1 other systems failed too"));
  many.update(std::vector<double>(6, 1e-300));
  auto workspace = many.make_workspace();
  std::vector<double> x{1, 1, 1, 1e300, 1, 1};
  many.solve(workspace, Vectors<const double>(x.data(), 1, 6), Vectors<double>(x.data(), 1, 6));
  EXPECT_EQ(many.failed(workspace), std::vector<Index>{3});
  EXPECT_EQ(refusal([&] { many.check(workspace); }),
            Refusal(ErrorCode::not_finite,
                    "system 3 has an answer that is not finite: its right-hand side is not, or the "
                    "solve overflowed"));
  EXPECT_TRUE(many.failed().empty());  // of the solver's own workspace
}

TEST(Batch, RefusesWrongSizesAndOptions) {
  const auto l = test::picture<double>(R"( 2 .
                                           1 3 )");
  const std::vector<double> values(12, 1.0);
  const auto code = [&](const auto& body) { return refusal(body).code; };
  const auto text = [&](const auto& body) { return refusal(body).text; };
  EXPECT_EQ(text([&] { BatchSolver<double>(lower(l), 3, values); }),
            "there are 12 values for 3 systems of a pattern with 3 entries");
  EXPECT_EQ(text([&] {
              BatchSolver<double>(lower(l), {values.data(), 3, 2});
            }),
            "systems are 2 values apart, but each has 3");
  EXPECT_EQ(code([&] {
              BatchSolver<double>(lower(l), {values.data(), -1, 3});
            }),
            ErrorCode::bad_argument);
  EXPECT_EQ(text([&] { BatchSolver<double>(lower(l), 4, values, {.width = 5}); }),
            "a CPU solves 8 systems of this scalar side by side, not 5");
  EXPECT_EQ(code([&] {
              BatchSolver<double>(lower(l), 4, values, {.solver = {.method = Method::superstep}});
            }),
            ErrorCode::bad_argument);
  EXPECT_EQ(code([&] { BatchSolver<double>(upper(l), 4, values); }), ErrorCode::not_triangular);

  BatchSolver<double> many(lower(l), 4, values);
  std::vector<double> b(8), x(7);
  EXPECT_EQ(text([&] { many.solve(b, x); }), "b has 8 entries and x 7 for 4 systems of 2 unknowns");
  EXPECT_EQ(text([&] {
              many.solve(Vectors<const double>(b.data(), 2, 3), Vectors<double>(b.data(), 2, 3));
            }),
            "x has 3 vectors for 4 systems; each needs the same number");
  EXPECT_EQ(code([&] { many.solve(b, b, {.part = Part::lower}); }), ErrorCode::bad_argument);
  EXPECT_EQ(code([&] { many.update(std::vector<double>(11)); }), ErrorCode::bad_argument);
  EXPECT_EQ(code([&] { many.update({values.data(), 3, 3}); }), ErrorCode::bad_argument);
  EXPECT_NO_THROW(many.solve(b, b));
  BatchSolver<double> other(std::move(many));
  EXPECT_EQ(text([&] { many.solve(b, b); }),  // NOLINT(bugprone-use-after-move)
            "this solver was moved from and has no matrices");
  auto workspace = other.make_workspace();
  many = BatchSolver<double>(lower(l), 4, values);
  EXPECT_EQ(text([&] {
              many.solve(workspace, Vectors<const double>(b.data(), 2, 4),
                         Vectors<double>(b.data(), 2, 4));
            }),
            "this workspace was made by another solver");
}

TEST(Batch, TheReportSaysWhatRuns) {
  const auto l = test::picture<double>(R"( 2 .
                                           1 3 )");
  const BatchSolver<double> many(lower(l), 20, std::vector<double>(60, 1.0));
  EXPECT_EQ(many.report().n, 2);
  EXPECT_EQ(many.report().nnz, 3);
  EXPECT_EQ(many.report().width, 8);
  EXPECT_EQ(many.report().bytes, 3 * 64 * 3);  // three groups of three lines
  std::ostringstream text;
  text << many;
  EXPECT_NE(text.str().find("systems               20\n"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("form                  interleaved: there are enough"),
            std::string::npos)
      << text.str();
}

}  // namespace
}  // namespace echelon
