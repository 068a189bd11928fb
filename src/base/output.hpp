// base/output.hpp -- a file that is there whole or not at all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace echelon {

// Method.  The text goes to a file beside the named one, NAME.<process>.part, which close()
// renames: until then an existing file is as it was.  The destructor removes a part that was not
// closed.  What is no regular file, such as /dev/stdout, is written directly, and so is a file in
// a folder where no other can be made.  Every failure throws bad_file with the system's reason.
class Output {
 public:
  explicit Output(const std::filesystem::path& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void close();

 private:
  bool open_part();
  void open_directly();
  void drop_part();
  [[noreturn]] void fail(const char* what) const;

  std::string name_;    // as given, for messages
  std::string target_;  // the same behind symbolic links
  std::string part_;    // empty: the target itself is written
  int descriptor_ = -1;
};

}  // namespace echelon
