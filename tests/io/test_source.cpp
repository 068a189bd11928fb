// tests/io/test_source.cpp -- files that cannot be opened, and gzip, whole and damaged.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/source.hpp"
#include "io/temp_files.hpp"
#include "support/pictures.hpp"

namespace echelon::test {
namespace {

const std::string text =
    "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 4\n2 1 1\n2 2 5\n";
const char* const drawing = "4 .\n1 5";

std::string refused_path(const TempFolder& folder, const std::string& name) {
  return refusal(ErrorCode::bad_file, folder.path(),
                 [&] { read_matrix<double>(folder.path() / name); });
}

TEST(Source, RefusesWhatIsNoFile) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path() / "folder");
  mkfifo((folder.path() / "pipe").c_str(), 0600);
  folder.write("empty", "");
  EXPECT_EQ(refused_path(folder, "none"), "none: cannot be opened: No such file or directory");
  EXPECT_EQ(refused_path(folder, "folder"), "folder: is a directory");
  EXPECT_EQ(refused_path(folder, "pipe"), "pipe: is not a regular file");
  EXPECT_EQ(refused_path(folder, "empty"), "empty: is empty");
  EXPECT_EQ(
      refusal(ErrorCode::bad_file, folder.path(), [&] { read_header(folder.path() / "none"); }),
      "none: cannot be opened: No such file or directory");
}

TEST(Source, TheNameDoesNotMatter) {
  const TempFolder folder;
  expect_same(read_matrix<double>(folder.write("a.rua", text)), picture<double>(drawing));
  expect_same(read_matrix<double>(folder.write("a.mtx", gzip(text))), picture<double>(drawing));
  expect_same(read_matrix<double>(folder.write("a.gz", text)), picture<double>(drawing));
}

TEST(Source, GzipMembersMayFollowEachOther) {
  for (std::size_t cut = 0; cut <= text.size(); cut += 7)
    expect_same(read_text<double>(gzip(text.substr(0, cut)) + gzip(text.substr(cut)) + gzip("")),
                picture<double>(drawing));
  expect_same(read_text<double>(gzip(text) + std::string(512, '\0')), picture<double>(drawing));
}

TEST(Source, ErrorsInGzipNameTheLineOfTheText) {
  EXPECT_EQ(refused<double>(gzip(text + "7 7 7\n")),
            "a.mtx:6: more entries than the 3 of the header");
}

TEST(Source, RefusesDamagedGzip) {
  const std::string packed = gzip(text);
  for (std::size_t cut = 2; cut < packed.size(); ++cut)
    EXPECT_EQ(refused<double>(packed.substr(0, cut)), "a.mtx: the gzip data is incomplete");
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;  // the checksum
  EXPECT_EQ(refused<double>(damaged), "a.mtx: damaged gzip data: incorrect data check");
  damaged = packed;
  damaged[packed.size() - 2] ^= 1;  // the length
  EXPECT_EQ(refused<double>(damaged), "a.mtx: damaged gzip data: incorrect length check");
  EXPECT_EQ(refused<double>(packed + "more"), "a.mtx: has other data after its gzip data");
  EXPECT_EQ(refused<double>(gzip("")), "a.mtx: is empty");
}

TEST(Source, ABeginningEndsAtALineEnd) {
  const TempFolder folder;
  std::string lines;
  while (lines.size() < 100000) lines += "ten bytes\n";
  Progress silent;
  for (const auto& path : {folder.write("a", lines), folder.write("b", gzip(lines))}) {
    const Source beginning = load_source(path, silent, 4096);
    EXPECT_EQ(beginning.text(), lines.substr(0, 4090));
    EXPECT_FALSE(beginning.complete);
    const Source whole = load_source(path, silent);
    EXPECT_EQ(whole.text(), lines);
    EXPECT_TRUE(whole.complete);
  }
}

// Larger than one system call reads, and than the first estimate of the unpacked size.
TEST(Source, LargeFilesComeWhole) {
  const TempFolder folder;
  std::string large;
  for (std::uint64_t k = 0; large.size() < (5u << 20); ++k)
    large += std::to_string(k * 7919) + "\n";
  Progress silent;
  EXPECT_EQ(load_source(folder.write("a", large), silent).text(), large);
  EXPECT_EQ(load_source(folder.write("b", gzip(large) + gzip(text)), silent).text(), large + text);
}

}  // namespace
}  // namespace echelon::test
