// tests/direct/test_direct_real_factors.cpp -- factors every real matrix in the folder
// ECHELON_MATRICES (or shared/matrices beside the checkout) and solves by every method.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "direct/direct_cases.hpp"
#include "echelon/io.hpp"

namespace echelon {
namespace {

namespace fs = std::filesystem;

constexpr double accepted = 10;             // units of eps, normwise, without refinement; or
constexpr double accepted_times = 4;        // this many times the error of substitution by BLAS
constexpr std::chrono::seconds budget(80);  // later matrices are skipped
constexpr Index largest_inverted = 2000;    // a full inverse has up to half the square of this

// SuperLU needs more than a minute for each of these.
constexpr const char* too_large[] = {"cage11", "cont-300", "cs4", "ct2010", "delaunay_n16"};

std::vector<fs::path> matrix_files() {
  const char* named = std::getenv("ECHELON_MATRICES");
  const fs::path folder = named != nullptr ? fs::path(named) : fs::path(ECHELON_MATRICES_DEFAULT);
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto is_begin = [&](const char* name) {
      return entry.path().filename().string().starts_with(name);
    };
    if (entry.path().extension() == ".gz" &&
        std::none_of(std::begin(too_large), std::end(too_large), is_begin))
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

template <class T>
bool is_hermitian(const Csr<T>& a) {
  const Csc<T> turned = to_csc(CsrView<T>(a));
  Csr<T> sorted = to_csr(CscView<T>(turned));
  if constexpr (is_complex<T>)
    for (T& v : sorted.value) v = std::conj(v);
  return sorted.start == turned.start && sorted.index == turned.index &&
         sorted.value == turned.value;
}

// By CHOLMOD if the matrix is positive definite, else by SuperLU; none if it is singular.
template <class T>
std::optional<Factors<T>> factor(const Csr<T>& a) {
  for (const char* package : {"cholmod", "superlu"}) {
    if (!test::has_package(package)) continue;
    if (package == std::string("cholmod") && !is_hermitian(a)) continue;
    try {
      return factor_by_name<T>(package, a);
    } catch (const Error& e) {
      if (e.code() != ErrorCode::singular && e.code() != ErrorCode::not_positive_definite) throw;
    }
  }
  return {};
}

// Returns none if the inverse of the whole triangle is refused.
template <class T>
std::optional<DirectSolver<T>> make_solver(const Factors<T>& factors, const Options& o) {
  try {
    return DirectSolver<T>(factors, o);
  } catch (const Error& e) {
    if (o.method != Method::invert_full ||
        std::string(e.what()).find("cannot be trusted") == std::string::npos)
      throw;
  }
  return {};
}

template <class T>
void solve_by_every_method(const fs::path& file) {
  const Csr<T> a = read_matrix<T>(file);
  const auto factors = factor(a);
  if (!factors) return;
  const auto b = test::random_vector<T>(2 * static_cast<std::size_t>(a.rows));
  std::vector<T> x(b.size());
  const Vectors<const T> bs(b.data(), a.rows, 2), answer(x.data(), a.rows, 2);
  const Vectors<T> xs(x.data(), a.rows, 2);
  double bound = 1000;
  for (const Method method : test::block_methods) {  // plain comes first
    if (method == Method::invert_full && a.rows > largest_inverted) continue;
    Options o;
    o.method = method;
    o.cpu.threads = 2;
    o.check_finite = false;
    const auto solver = make_solver(*factors, o);
    if (!solver) continue;
    solver->solve(bs, xs);
    const double error = find_backward_errors<T>(a, bs, answer).normwise;
    if (method == Method::plain) bound = std::max(accepted, accepted_times * error);
    EXPECT_LE(error, bound) << file.filename() << " " << name(method);
  }
}

// Every fourth file, so that four tests can run in parallel.
class RealFactors : public testing::TestWithParam<std::size_t> {};

TEST_P(RealFactors, AreSolvedByEveryMethod) {
  const auto files = matrix_files();
  if (files.empty()) GTEST_SKIP() << "no folder of matrices; set ECHELON_MATRICES";
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t k = GetParam(); k < files.size(); k += 4) {
    if (std::chrono::steady_clock::now() - began > budget) break;
    if (read_header(files[k]).field == Field::complex)
      solve_by_every_method<std::complex<double>>(files[k]);
    else
      solve_by_every_method<double>(files[k]);
  }
}
INSTANTIATE_TEST_SUITE_P(Quarter, RealFactors, testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace echelon
