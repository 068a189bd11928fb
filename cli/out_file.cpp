// cli/out_file.cpp -- the output file of -o: checked before the work, written after it.
// SPDX-License-Identifier: BSD-3-Clause
#include "out_file.hpp"

#include <filesystem>
#include <fstream>

#include "echelon/error.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Error(ErrorCode::bad_file, path + ": cannot be written");
}

}  // namespace

void check_out(const std::string& path) {
  if (path.empty()) return;
  if (path.ends_with(".gz"))
    throw UsageError(path + ": compressed files are read, not written; leave out the .gz");
  const bool was_there = std::filesystem::exists(path);
  if (!std::ofstream(path, std::ios::app)) refuse(path);
  if (!was_there) std::filesystem::remove(path);
}

void write_document(const std::string& path, const Json& document) {
  std::ofstream file(path);
  document.write(file);
  file << '\n';
  file.close();
  if (!file) refuse(path);
}

void hand_out(const Json& document, const std::string& path, bool json) {
  if (!path.empty()) write_document(path, document);
  if (json) print(document);
}

}  // namespace echelon::cli
