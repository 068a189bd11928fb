// tests/io/temp_files.hpp -- a temporary folder per test, and checks of reading.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "echelon/io.hpp"

namespace echelon::test {

// Deleted with its content at the end of the test.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& bytes) const;

 private:
  std::filesystem::path path_;
};

// One gzip member.
std::string gzip(const std::string& text);

std::string read_bytes(const std::filesystem::path& path);

// The error text of reading, without the folder; "" if there is none.  Checks the code.
std::string refusal(ErrorCode code, const std::filesystem::path& folder,
                    const std::function<void()>& reading);

// The error text of a file read as T.
template <Scalar T>
std::string refused(const std::string& bytes, ErrorCode code = ErrorCode::bad_file) {
  const TempFolder folder;
  const auto path = folder.write("a.mtx", bytes);
  return refusal(code, folder.path(), [&] { read_matrix<T>(path); });
}

template <Scalar T>
Csr<T> read_text(const std::string& bytes, const ReadOptions& options = {}) {
  const TempFolder folder;
  return read_matrix<T>(folder.write("a.mtx", bytes), options);
}

// A matrix as a list of its rows, with zeros for missing entries, to compare with a picture.
template <Scalar T>
std::vector<std::vector<T>> full(const Csr<T>& a) {
  check_pattern(a.pattern());
  std::vector<std::vector<T>> rows(static_cast<std::size_t>(a.rows),
                                   std::vector<T>(static_cast<std::size_t>(a.cols)));
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(a.index[p])] += a.value[p];
  return rows;
}

template <Scalar T>
void expect_same(const Csr<T>& a, const Csr<T>& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.value, b.value);
}

}  // namespace echelon::test
