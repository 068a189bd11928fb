// bench/general/child.hpp -- a child process that is asked line by line.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace echelon::bench {

// A folder of its own under the system's temporary one; goes with the object.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs a program with pipes to its standard input and from its standard output; what it says on
// standard error goes to a file.  The destructor closes the pipes and waits for its end.
class Child {
 public:
  // Throws backend_failed if the program cannot be started.
  Child(const std::vector<std::string>& command, std::filesystem::path errors);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void say(const std::string& line);
  // The next line without its end.  Throws backend_failed with the last line of the errors when
  // there is none.
  std::string hear();

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  FILE* from_ = nullptr;
  std::filesystem::path errors_;
};

}  // namespace echelon::bench
