// tests/io/test_fuzz.cpp -- damaged files of every kind give a valid matrix or an Error, nothing
// else.
// SPDX-License-Identifier: BSD-3-Clause
//
// Mutations come from a fixed seed.  The environment variables ECHELON_FUZZ_ROUNDS and
// ECHELON_FUZZ_SEED set the number and the seed.
#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <random>

#include "io/temp_files.hpp"

namespace echelon::test {
namespace {

std::vector<std::string> sound_files() {
  const std::string market = "%%MatrixMarket matrix ";
  const std::string boeing_header =
      "A title of a matrix                                                     KEY\n"
      "             7             1             1             2             1\n";
  const std::string body = "    1    3    4    6\n    1    3    2    2    3\n";
  std::vector<std::string> files = {
      market + "coordinate real general\n% comment\n3 4 4\n1 1 4.5\n2 3 -1e-3\n3 4 1.5D2\n1 2 7\n",
      market + "coordinate complex hermitian\r\n3 3 3\r\n1 1 4 0\r\n2 1 1 -2\r\n3 2 .5 1e10\r\n",
      market + "coordinate integer skew-symmetric\n3 3 2\n2 1 4\n\n3 1 -5\n",
      market + "coordinate pattern symmetric\n4 4 4\n1 1\n2 1\n4 3\n4 4\n",
      market + "array real general\n2 3\n1\n2\n3\n4\n5\n6\n",
      market + "array complex symmetric\n2 2\n1 2\n3 4\n5 6\n",
      boeing_header + "RUA                        3             3             5             0\n" +
          "(16I5)          (16I5)          (4E10.2)            (4E10.2)\n" +
          "F                          1             0\n" + body +
          "  4.00E+00  2.00E+00  5.00E+00  1.00E+00\n  6.00E+00\n  1.00E+00  1.00E+00\n",
      "Title\n 4 1 1 2\ncsa                        3             3             4             0\n"
      "(8(I3))         (2X,3I3)        (1P,2D11.3)\n  1  3  4  5\n    1  3  2\n    3\n"
      "  4.000D+00  2.000D+00\n  4.000D+00  2.000D+00\n  4.000D+00  2.000D+00\n"
      "  4.000D+00  2.000D+00\n",
      "Title\n 4 1 1 0\npra                        3             3             5             0\n"
      "(16I5)          (16I5)\n" +
          body};
  files.push_back(gzip(files[0]));
  files.push_back(gzip(files[6]) + gzip(""));
  return files;
}

const std::vector<std::string> tokens = {"0",
                                         "-1",
                                         "1",
                                         "9",
                                         "99999999999999999999",
                                         "2147483647",
                                         "2147483648",
                                         "1e999",
                                         "nan",
                                         "inf",
                                         "%",
                                         "\n",
                                         "\r\n",
                                         " ",
                                         "\t",
                                         "(",
                                         ")",
                                         "(16I5)",
                                         "(9999I1)",
                                         "(1I4096)",
                                         "P",
                                         ".",
                                         "e",
                                         "D+",
                                         "symmetric",
                                         "general",
                                         "array",
                                         "coordinate",
                                         "complex",
                                         "real",
                                         "pattern",
                                         "RSE",
                                         "RZA",
                                         "CHA",
                                         "1 1 1\n",
                                         "3 3 3\n",
                                         "%%MatrixMarket",
                                         std::string("\0", 1),
                                         "\xff",
                                         "\x1f\x8b"};

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  std::string damage(std::string file) {
    for (auto n = 1 + below(4); n > 0 && !file.empty(); --n) {
      const std::size_t at = below(file.size());
      const std::size_t length = 1 + below(std::min<std::size_t>(file.size() - at, 12));
      switch (below(7)) {
        case 0:
          file[at] = static_cast<char>(below(256));
          break;
        case 1:
          file[at] = static_cast<char>('0' + below(10));
          break;
        case 2:
          file.erase(at, length);
          break;
        case 3:
          file.insert(at, file.substr(below(file.size()), length));
          break;
        case 4:
          file.insert(at, tokens[below(tokens.size())]);
          break;
        case 5:
          file.replace(at, length, tokens[below(tokens.size())]);
          break;
        default:
          if (below(4) == 0) file.resize(at);
          break;
      }
    }
    return file;
  }

 private:
  std::mt19937_64 random_;
};

// Reads the file; returns whether it was valid.
template <Scalar T>
bool try_file(const std::filesystem::path& path) {
  try {
    const auto a = read_matrix<T>(path, {.threads = 2});
    check_pattern(a.pattern());
    EXPECT_EQ(a.value.size(), a.index.size());
    const FileHeader h = read_header(path);
    EXPECT_EQ(h.rows, a.rows);
    EXPECT_EQ(h.cols, a.cols);
    return true;
  } catch (const Error& e) {
    EXPECT_TRUE(e.code() == ErrorCode::bad_file || e.code() == ErrorCode::bad_argument) << e.what();
    EXPECT_TRUE(std::string(e.what()).starts_with(path.string() + ":")) << e.what();
    return false;
  }
}

int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

TEST(Fuzz, SoundFilesAreRead) {
  const TempFolder folder;
  for (const std::string& file : sound_files())
    EXPECT_TRUE(try_file<std::complex<double>>(folder.write("a", file))) << file;
}

TEST(Fuzz, DamagedFilesAreReadOrRefused) {
  const TempFolder folder;
  const auto files = sound_files();
  const int rounds = from_environment("ECHELON_FUZZ_ROUNDS", 5000);
  Mutator mutator(static_cast<std::uint64_t>(from_environment("ECHELON_FUZZ_SEED", 1)));
  int sound = 0;
  for (int k = 0; k < rounds && !testing::Test::HasFailure(); ++k) {
    std::string file = mutator.damage(files[mutator.below(files.size())]);
    if (mutator.below(16) == 0) file = gzip(file);
    const auto path = folder.write("a", file);
    const bool complex = mutator.below(2) == 0;
    sound += (complex ? try_file<std::complex<float>>(path) : try_file<double>(path)) ? 1 : 0;
    if (testing::Test::HasFailure()) ADD_FAILURE() << "round " << k << ":\n" << file;
  }
  // Neither all nor none: mutations do get past the header.
  EXPECT_GT(sound, rounds / 50);
  EXPECT_LT(sound, rounds / 2);
}

}  // namespace
}  // namespace echelon::test
