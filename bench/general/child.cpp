// bench/general/child.cpp -- a child process with requests and replies, one line each.
// SPDX-License-Identifier: BSD-3-Clause
#include "child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "echelon/error.hpp"

extern char** environ;

namespace echelon::bench {
namespace {

[[noreturn]] void fail(const std::string& text) { throw Error(ErrorCode::backend_failed, text); }

// The last line that is not empty: in a Python traceback, the error itself.
std::string last_line(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::string last;
  while (std::getline(in, line))
    if (!line.empty()) last = line;
  return last;
}

// Both ends are closed in the child; dup2 reopens the one it uses.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(std::string("no pipe: ") + std::strerror(errno));
  return ends;
}

pid_t spawn(const std::vector<std::string>& command, int in, int out, const char* errors) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  pid_t pid = -1;
  const int status = posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) errno = status;
  return status == 0 ? pid : -1;
}

}  // namespace

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "echelon_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail(name + ": cannot be made: " + std::strerror(errno));
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Child::Child(const std::vector<std::string>& command, std::filesystem::path errors)
    : errors_(std::move(errors)) {
  const std::array<int, 2> in = make_pipe();
  const std::array<int, 2> out = make_pipe();
  pid_ = spawn(command, in[0], out[1], errors_.c_str());
  const int error = errno;
  close(in[0]);
  close(out[1]);
  to_ = in[1];
  from_ = fdopen(out[0], "r");
  if (pid_ >= 0) return;
  close(to_);
  std::fclose(from_);
  fail(command[0] + ": cannot be run: " + std::strerror(error));
}

Child::~Child() {
  close(to_);
  std::fclose(from_);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Child::say(const std::string& line) {
  const std::string text = line + '\n';
  // If the child has ended, the missing reply reports it.
  if (write(to_, text.data(), text.size()) < 0) return;
}

std::string Child::hear() {
  char* text = nullptr;
  std::size_t size = 0;
  const ssize_t length = getline(&text, &size, from_);
  std::string line(text == nullptr || length < 0 ? "" : text);
  std::free(text);
  if (length < 0) {
    const std::string why = last_line(errors_);
    fail(why.empty() ? "it ended without an answer" : why);
  }
  if (!line.empty() && line.back() == '\n') line.pop_back();
  return line;
}

}  // namespace echelon::bench
