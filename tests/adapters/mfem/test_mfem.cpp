// tests/adapters/mfem/test_mfem.cpp -- solvers derived from a class with MFEM's interface.
// SPDX-License-Identifier: BSD-3-Clause
//
// MFEM is in no package of Debian 12.  The classes of namespace local declare what MFEM 4 declares,
// as far as the adapter and this test use it; MFEM itself is not run.
#include <gtest/gtest.h>

#include <vector>

#include "echelon/adapters/mfem.hpp"
#include "echelon/generate.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

namespace local {

class Vector {
 public:
  explicit Vector(int size, double value = 0) : entries_(static_cast<std::size_t>(size), value) {}
  int Size() const { return static_cast<int>(entries_.size()); }
  double* GetData() const { return const_cast<double*>(entries_.data()); }  // NOLINT: as MFEM does
  double& operator()(int i) { return entries_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<double> entries_;
};

class Operator {
 public:
  virtual ~Operator() = default;
  int Height() const { return height; }
  int Width() const { return width; }
  virtual void Mult(const Vector& x, Vector& y) const = 0;
  virtual void MultTranspose(const Vector&, Vector&) const { FAIL() << "there is no transpose"; }

 protected:
  int height = 0, width = 0;
};

class SparseMatrix : public Operator {
 public:
  SparseMatrix() = default;
  explicit SparseMatrix(const Csr<double>& a)
      : i_(a.start.begin(), a.start.end()),
        j_(a.index.begin(), a.index.end()),
        values_(a.value.begin(), a.value.end()) {
    height = width = a.rows;
  }
  const int* GetI() const { return i_.empty() ? nullptr : i_.data(); }
  const int* GetJ() const { return j_.data(); }
  const double* GetData() const { return values_.data(); }
  void Scale(double factor) {
    for (double& v : values_) v *= factor;
  }
  void Mult(const Vector& x, Vector& y) const override {
    for (int r = 0; r < height; ++r) {
      y(r) = 0;
      for (int p = i_[r]; p < i_[r + 1]; ++p) y(r) += values_[p] * x.GetData()[j_[p]];
    }
  }

 private:
  std::vector<int> i_, j_;
  std::vector<double> values_;
};

class Solver : public Operator {
 public:
  bool iterative_mode = false;
  virtual void SetOperator(const Operator& a) = 0;
};

}  // namespace local

// [doc
struct EchelonSolver : local::Solver {  // mfem::Solver
  mfem::Factorization<double> inner;
  explicit EchelonSolver(const std::string& package) : inner(package) {}
  void SetOperator(const local::Operator& a) override {
    inner.SetOperator(dynamic_cast<const local::SparseMatrix&>(a));
    height = width = inner.Height();
  }
  void Mult(const local::Vector& b, local::Vector& x) const override { inner.Mult(b, x); }
  void MultTranspose(const local::Vector& b, local::Vector& x) const override {
    inner.MultTranspose(b, x);
  }
};
// doc]

double norm(const local::Vector& v) {
  double sum = 0;
  for (int i = 0; i < v.Size(); ++i) sum += v.GetData()[i] * v.GetData()[i];
  return std::sqrt(sum);
}

double residual(const local::Operator& a, const local::Vector& b, const local::Vector& x) {
  local::Vector r(b.Size());
  a.Mult(x, r);
  for (int i = 0; i < b.Size(); ++i) r(i) = b.GetData()[i] - r(i);
  return norm(r);
}

// The grid with a drift, so that a missing transpose shows.
Csr<double> grid() {
  Csr<double> a = generate<double>("laplace2d:20x20:5");
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] < i) a.value[p] *= 0.5;
  return a;
}

TEST(MfemFactorization, SolvesAndKeepsTheAnalysisForNewValues) {
  local::SparseMatrix a(grid());
  EchelonSolver solver("superlu");
  EXPECT_EQ(solver.Height(), 0);
  solver.SetOperator(a);
  EXPECT_EQ(solver.Height(), 400);
  EXPECT_EQ(solver.Width(), 400);
  const local::Vector b(400, 1);
  local::Vector x(400);
  solver.Mult(b, x);
  EXPECT_LT(residual(a, b, x), 1e-12);
  a.Scale(2);
  solver.SetOperator(a);
  EXPECT_EQ(solver.inner.Analyses(), 1);
  solver.Mult(b, x);
  EXPECT_LT(residual(a, b, x), 1e-12);
}

TEST(MfemFactorization, SolvesWithTheTranspose) {
  const Csr<double> a = grid();
  EchelonSolver solver("superlu");
  solver.SetOperator(local::SparseMatrix(a));
  const local::Vector b(400, 1);
  local::Vector x(400);
  solver.MultTranspose(b, x);
  const Csc<double> columns = to_csc<double>(a);
  const local::SparseMatrix transpose(
      Csr<double>{400, 400, columns.start, columns.index, columns.value});
  EXPECT_LT(residual(transpose, b, x), 1e-12);
}

TEST(MfemFactorization, TakesVectorsOfTheStandardLibrary) {
  mfem::Factorization<double> ilu("ilu0");
  ilu.SetOperator(local::SparseMatrix(grid()));
  const std::vector<double> b(400, 1);
  std::vector<double> x(400);
  local::Vector y(400);
  ilu.Mult(b, x);
  ilu.Mult(local::Vector(400, 1), y);
  EXPECT_EQ(x[17], y(17));
}

TEST(MfemSmoother, SweepsFromZeroOrFromTheGivenVector) {
  local::SparseMatrix a(grid());
  mfem::Smoother<double> smoother;
  smoother.SetOperator(a);
  const local::Vector b(400, 1);
  local::Vector x(400, 1e6);
  smoother.Mult(b, x);
  const double once = residual(a, b, x);
  EXPECT_LT(once, norm(b));
  smoother.iterative_mode = true;
  smoother.Mult(b, x);
  const double twice = residual(a, b, x);
  EXPECT_LT(twice, once);
  a.Scale(2);
  smoother.Update(a);
  smoother.iterative_mode = false;
  smoother.Mult(b, x);
  EXPECT_NEAR(residual(a, b, x), once, 1e-12);
}

TEST(MfemRefusals, SayWhatIsMissing) {
  mfem::Factorization<double> lu("superlu");
  local::Vector x(3);
  EXPECT_EQ(test::refusal([&] { lu.Mult(x, x); }).text, "no matrix has been factored yet");
  EXPECT_EQ(test::refusal([&] { lu.SetOperator(local::SparseMatrix()); }).text,
            "the matrix has no rows yet: call Finalize() first");
  const mfem::Smoother<double> smoother;
  EXPECT_EQ(test::refusal([&] { smoother.Mult(x, x); }).text, "Mult() before SetOperator()");
}

}  // namespace
}  // namespace echelon
