// tests/cli/run_program.hpp -- runs the program echelon like a user, and returns its output.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "json_reader.hpp"

namespace echelon::test {

struct Outcome {
  int status = -1;  // exit status; 128 + signal number if killed by a signal
  std::string out;
  std::string err;

  JsonValue json() const { return read_json(out); }  // throws if there is anything else
};

// Runs echelon with these arguments and waits for its end.  `standard_output`: a file for its
// output.
Outcome run_program(const std::vector<std::string>& arguments,
                    const std::string& standard_output = "");

// The same from one text, split at blanks; expects success.
Outcome run_well(const std::string& arguments);

// Whether a bench's report lists this contender as unavailable.
bool is_missing(const JsonValue& report, const std::string& contender);

// A temporary folder for one test, deleted with the object.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

std::string read_text(const std::string& path);
int count_lines(const std::string& text);

}  // namespace echelon::test
