// base/output.hpp -- a file that is written from the beginning to the end.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace echelon {

// Every failure throws bad_file with the system's reason.  A file that was not closed, since
// something failed, is removed: half a matrix looks like a matrix.
class Output {
 public:
  explicit Output(const std::filesystem::path& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void close();
  // Closes the file and gives it its name, in place of one that may have had it.
  void close_as(const std::filesystem::path& path);

 private:
  [[noreturn]] void fail(const std::string& name, const char* what) const;

  std::string name_;
  int descriptor_ = -1;
  bool regular_ = false;  // a device, such as /dev/full, is not ours to remove
};

}  // namespace echelon
