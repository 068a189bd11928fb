// bench/general/child.hpp -- a child process with requests and replies, one line each.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace echelon::bench {

// A new temporary folder, deleted with this object.
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

// Runs a program with pipes to its standard input and from its standard output; standard error goes
// to a file.  The destructor closes the pipes and waits for the program to end.
class Child {
 public:
  // Throws backend_failed if the program cannot be started.
  Child(const std::vector<std::string>& command, std::filesystem::path errors);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void say(const std::string& line);
  // The next line without its line end.  If there is none, throws backend_failed with the last line
  // of the error file.
  std::string hear();

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  FILE* from_ = nullptr;
  std::filesystem::path errors_;
};

}  // namespace echelon::bench
