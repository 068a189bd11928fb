// base/open_file.hpp -- a regular file, readable at any offset by any thread.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace echelon {

// Every failure throws bad_file with the path and the reason.
class OpenFile {
 public:
  explicit OpenFile(std::string path);
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept
      : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  const std::string& name() const { return name_; }
  // Throws if this is not a regular file.
  std::size_t size() const;
  // Bytes [begin, begin + count) of the file.
  void read(void* out, std::size_t begin, std::size_t count) const;
  // Throws bad_file with "path: what".
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace echelon
