// base/output.hpp -- a file written sequentially, removed again if it stays incomplete.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace echelon {

// Every failure throws bad_file with the system's reason.  The destructor removes a file that was
// not closed: half a matrix would look like a matrix.
class Output {
 public:
  explicit Output(const std::filesystem::path& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void close();
  // Closes the file and renames it to `path`, replacing an existing file.
  void close_as(const std::filesystem::path& path);

 private:
  [[noreturn]] void fail(const std::string& name, const char* what) const;

  std::string name_;
  int descriptor_ = -1;
  bool regular_ = false;  // a device, such as /dev/full, must not be removed
};

}  // namespace echelon
