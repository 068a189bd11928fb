// tests/dist/test_factor_file.cpp -- factors written to a file and read back, whole and row by row.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/resource.h>

#include <csignal>
#include <thread>

#include "factor_file_cases.hpp"

namespace echelon::test {
namespace {

template <class T>
class FactorFiles : public testing::Test {};
TYPED_TEST_SUITE(FactorFiles, Scalars);

// Reads these rows of supernode k and compares them with the triangle itself.
template <class T>
void expect_rows(const FillRows<T>& fill, const Supernodes& s, const Dense& whole, Index k,
                 const std::vector<Index>& rows) {
  const auto ld = static_cast<Offset>(rows.size()) + 3;
  std::vector<T> columns(static_cast<std::size_t>(ld * s.width(k)), T(-99));
  fill(k, rows, columns.data(), ld);
  for (Index j = 0; j < s.width(k); ++j)
    for (std::size_t c = 0; c < static_cast<std::size_t>(ld); ++c) {
      const std::complex<double> wanted =
          c < rows.size() ? whole(rows[c], s.first[k] + j) : std::complex<double>(-99);
      ASSERT_EQ(std::complex<double>(columns[static_cast<std::size_t>(j * ld) + c]), wanted)
          << "supernode " << k << ", column " << j << ", row " << c << " of " << rows.size();
    }
}

template <class T>
void expect_panels(const FillRows<T>& fill, const Supernodes& s, const FactorTriangle<T>& t) {
  const Dense whole = dense(t, s.n);
  for (Index k = 0; k < s.count(); ++k) {
    std::vector<Index> rows, some;
    for (Index i = s.first[k]; i < s.first[k + 1]; ++i) rows.push_back(i);
    expect_rows(fill, s, whole, k, rows);
    rows.insert(rows.end(), s.rows(k).begin(), s.rows(k).end());
    expect_rows(fill, s, whole, k, rows);
    for (std::size_t c = 0; c < rows.size(); ++c) {
      expect_rows(fill, s, whole, k, {rows[c]});
      if (c % 5 != 1 && c % 7 != 3) some.push_back(rows[c]);
    }
    expect_rows(fill, s, whole, k, some);
    std::reverse(rows.begin(), rows.end());
    expect_rows(fill, s, whole, k, rows);
    expect_rows(fill, s, whole, k, {});
  }
}

void expect_same(const Supernodes& a, const Supernodes& b) {
  EXPECT_EQ(a.n, b.n);
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.row_start, b.row_start);
  EXPECT_EQ(a.row, b.row);
}

template <class T>
void expect_same(const RankFactors<T>& r, const WrittenFactors<T>& w) {
  EXPECT_EQ(r.n, w.f.n);
  EXPECT_EQ(r.package, w.f.package);
  EXPECT_EQ(r.kind, w.f.kind);
  EXPECT_EQ(r.ordering, w.f.ordering);
  EXPECT_EQ(r.symmetric, w.f.symmetric);
  EXPECT_EQ(r.diagonal, w.f.diagonal);
  EXPECT_EQ(r.row_order, w.f.row_order);
  EXPECT_EQ(r.col_order, w.f.col_order);
  EXPECT_EQ(r.row_scale, w.f.row_scale);
  EXPECT_EQ(r.col_scale, w.f.col_scale);
  expect_same(r.lower, w.lower);
  expect_same(r.upper, w.upper);
  expect_panels(r.lower_rows, w.lower, w.f.lower);
  EXPECT_EQ(static_cast<bool>(r.upper_rows), !w.f.symmetric);
  if (!w.f.symmetric) expect_panels(r.upper_rows, w.upper, w.f.upper);
}

TYPED_TEST(FactorFiles, FactorsOfEveryKindComeBack) {
  using T = TypeParam;
  const TempFolder folder;
  const auto path = folder.path() / "a.factors";
  for (Factors<T>& f : factors_to_write<T>()) {
    SCOPED_TRACE(f.package + " " + f.kind + ", n = " + std::to_string(f.n));
    const WrittenFactors<T> w(std::move(f));
    w.write(path);
    expect_same(open_factors<T>(path.string()), w);
    EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
  }
}

TYPED_TEST(FactorFiles, NoRowsAndOneRowAreFactorsToo) {
  using T = TypeParam;
  const TempFolder folder;
  const auto path = folder.path() / "a.factors";
  for (const Index n : {0, 1}) {
    for (const bool symmetric : {false, true}) {
      Factors<T> f = small_factors<T>(n);
      f.symmetric = symmetric;
      const WrittenFactors<T> w(std::move(f));
      w.write(path);
      expect_same(open_factors<T>(path.string()), w);
    }
  }
}

// Rows of 3,200 bytes: a gap of one row is read over, of two is not, and 327 rows fill a piece.
TEST(FactorFile, WidePanelsAreReadInPieces) {
  const Index n = 700, width = 400;
  const auto whole = case_matrix<double>(band(n, n));
  WrittenFactors<double> w(factors_of<double>(lower(whole, {.outside = OutsideEntries::ignore}),
                                              upper(whole, {.outside = OutsideEntries::ignore})));
  w.lower = supernodes_of(w.f.lower, n, {0, width, n});
  w.upper = supernodes_of(w.f.upper, n, {0, width, n});
  const TempFolder folder;
  w.write(folder.path() / "a");
  const auto r = open_factors<double>((folder.path() / "a").string());
  const Dense l = dense(w.f.lower, n), u = dense(w.f.upper, n);
  std::vector<Index> rows;
  for (const Index step : {1, 2, 3, 50}) {
    rows.clear();
    for (Index i = step / 2; i < n; i += step) rows.push_back(i);
    expect_rows(r.lower_rows, r.lower, l, 0, rows);
    expect_rows(r.upper_rows, r.upper, u, 0, rows);
  }
}

TEST(FactorFile, TellsWhatItHoldsBeforeItIsAskedForNumbers) {
  const TempFolder folder;
  const auto path = folder.path() / "a";
  const WrittenFactors<std::complex<float>> w(small_factors<std::complex<float>>(9));
  w.write(path);
  FactorFile opened(path.string());
  FactorFile file = std::move(opened);
  EXPECT_STREQ(name(file.scalar()), "complex single");
  EXPECT_EQ(file.n(), 9);
  EXPECT_EQ(file.kind(), "LU");
  EXPECT_EQ(file.row_order(), w.f.row_order);
  file = FactorFile(path.string());
  expect_same(file.supernodes(Uplo::upper), w.upper);
}

TEST(FactorFile, RowsThatAreNotThereAreRefused) {
  const TempFolder folder;
  WrittenFactors<double> w(given_factors<double>(40));
  w.f.symmetric = true;
  w.write(folder.path() / "a");
  const FactorFile file((folder.path() / "a").string());
  std::vector<double> x(1000);
  const auto read = [&](Uplo part, Index k, Index i) {
    return refusal([&] { file.read_rows(part, k, std::span(&i, 1), x.data(), 1); });
  };
  EXPECT_EQ(read(Uplo::lower, 2, 5), Refusal());
  EXPECT_EQ(read(Uplo::lower, 2, 2), Refusal(ErrorCode::bad_argument, "supernode 2 has no row 2"));
  EXPECT_EQ(read(Uplo::lower, 2, 40),
            Refusal(ErrorCode::bad_argument, "supernode 2 has no row 40"));
  EXPECT_EQ(read(Uplo::lower, -1, 0).code, ErrorCode::bad_argument);
  EXPECT_EQ(read(Uplo::lower, w.lower.count(), 39).code, ErrorCode::bad_argument);
  EXPECT_EQ(read(Uplo::upper, 0, 0).code, ErrorCode::bad_argument);
}

TEST(FactorFile, ManyThreadsReadAtOnce) {
  const TempFolder folder;
  const WrittenFactors<double> w(given_factors<double>(120));
  w.write(folder.path() / "a");
  const auto r = open_factors<double>((folder.path() / "a").string());
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] { expect_panels(r.lower_rows, w.lower, w.f.lower); });
  for (std::thread& thread : threads) thread.join();
}

// Code and text of the error, without the folder; no part of a file may be left.
std::string refused_writing(const std::function<void(const std::filesystem::path&)>& writing) {
  const TempFolder folder;
  const auto text =
      refusal(ErrorCode::bad_file, folder.path(), [&] { writing(folder.path() / "a"); });
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_EQ(entry.path().filename(), "a");
  return text;
}

TEST(FactorFile, APlaceThatCannotBeWrittenIsRefused) {
  const WrittenFactors<double> w(given_factors<double>(10));
  EXPECT_EQ(refused_writing([&](const auto& path) { w.write(path / "b"); }),
            "a/b: cannot be opened for writing: No such file or directory");
  EXPECT_EQ(refused_writing([&](const auto& path) {
              std::filesystem::create_directory(path);
              w.write(path);
            }),
            "a: cannot be opened for writing: Is a directory");
}

// A process limit simulates a full disk.
TEST(FactorFile, ADiskThatIsFullLeavesNothingBehindAndWhatWasThere) {
  const WrittenFactors<double> small(given_factors<double>(5)), large(given_factors<double>(120));
  const auto write_limited = [&](const std::filesystem::path& path) {
    small.write(path);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit few{4000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &few);
    const Refusal r = refusal([&] { large.write(path); });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(open_factors<double>(path.string()).n, 5);
    if (r.code == ErrorCode::bad_file) throw Error(r.code, r.text);
  };
  EXPECT_EQ(refused_writing(write_limited), "a: cannot be written: File too large");
}

TEST(FactorFile, SupernodesMustFitTheFactors) {
  const TempFolder folder;
  const auto path = folder.path() / "a";
  const auto text_when = [&](const std::function<void(WrittenFactors<double>&)>& broken) {
    WrittenFactors<double> w(given_factors<double>(30));
    broken(w);
    const Refusal r = refusal([&] { w.write(path); });
    EXPECT_EQ(r.code, ErrorCode::bad_argument);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    return r.text;
  };
  EXPECT_EQ(text_when([](auto& w) { w.lower = {}; }),
            "factors of 30 rows with lower supernodes of 0");
  EXPECT_EQ(text_when([](auto& w) { w.upper = {}; }),
            "factors of 30 rows with upper supernodes of 0");
  EXPECT_EQ(text_when([](auto& w) {
              w.upper = supernodes_of(w.f.upper, 30, {0, 30});
            }),
            "the two triangles have different partitions");
  EXPECT_EQ(text_when([](auto& w) { w.f.row_scale.resize(4); }),
            "factors of 30 rows with a row scaling of 4");
  EXPECT_NE(text_when([](auto& w) {
              w.lower.row.clear();
              std::fill(w.lower.row_start.begin(), w.lower.row_start.end(), 0);
            }).find("new entry"),
            std::string::npos);
}

}  // namespace
}  // namespace echelon::test
