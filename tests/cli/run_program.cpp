// tests/cli/run_program.cpp -- runs the program echelon like a user, and returns its output.
// SPDX-License-Identifier: BSD-3-Clause
#include "run_program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

extern char** environ;

namespace echelon::test {
namespace {

int spawn_and_wait(const std::vector<std::string>& command, const std::string& out,
                   const std::string& err) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), flags, 0600);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(pid, &status, 0) != pid) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Outcome run_program(const std::vector<std::string>& arguments, const std::string& standard_output) {
  const TestFolder folder;
  std::vector<std::string> command{ECHELON_PROGRAM};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string out = standard_output.empty() ? folder.path("out") : standard_output;
  Outcome outcome;
  outcome.status = spawn_and_wait(command, out, folder.path("err"));
  outcome.err = read_text(folder.path("err"));
  if (standard_output.empty()) outcome.out = read_text(out);
  return outcome;
}

Outcome run_well(const std::string& arguments) {
  std::istringstream words(arguments);
  std::vector<std::string> list;
  for (std::string word; words >> word;) list.push_back(word);
  Outcome outcome = run_program(list);
  EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
  EXPECT_EQ(outcome.err, "") << arguments;
  return outcome;
}

bool is_missing(const JsonValue& report, const std::string& contender) {
  for (const JsonValue& m : report["missing"].items)
    if (m["contender"].string == contender) return true;
  return false;
}

TestFolder::TestFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "echelon_cli_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
  folder_ = name;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TestFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

int count_lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace echelon::test
