// cli/out_file.cpp -- the output file of -o: checked before the work, written after it.
// SPDX-License-Identifier: BSD-3-Clause
#include "out_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "echelon/error.hpp"
#include "echelon/tools/whole_files.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::bad_file, path + ": cannot be written: " + reason);
}

void check_access(const std::string& path, const std::string& asked, int access_wanted) {
  if (access(asked.c_str(), access_wanted) != 0)
    refuse(path, std::generic_category().message(errno));
}

}  // namespace

void check_out(const std::string& path) {
  if (path.empty()) return;
  if (path.ends_with(".gz"))
    throw UsageError(path + ": compressed files are read, not written; leave out the .gz");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse(path, "it is a folder");
  if (std::filesystem::exists(path, ignored)) return check_access(path, path, W_OK);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  check_access(path, folder.empty() ? "." : folder, W_OK | X_OK);
}

void write_document(const std::string& path, const Json& document) {
  std::ostringstream text;
  document.write(text);
  text << '\n';
  write_text(path, text.str());
}

void hand_out(const Json& document, const std::string& path, bool json) {
  if (!path.empty()) write_document(path, document);
  if (json) print(document);
}

}  // namespace echelon::cli
