// tests/io/temp_files.cpp -- temporary files of tests.
// SPDX-License-Identifier: BSD-3-Clause
#include "io/temp_files.hpp"

#include <stdlib.h>
#include <zlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace echelon::test {

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "echelon_io_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TempFolder::write(const std::string& name, const std::string& bytes) const {
  const auto path = path_ / name;
  std::filesystem::remove(path);  // truncating is slow on some file systems
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2 failed");
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string refusal(ErrorCode code, const std::filesystem::path& folder,
                    const std::function<void()>& reading) {
  try {
    reading();
  } catch (const Error& e) {
    EXPECT_EQ(name(e.code()), std::string(name(code)));
    std::string text = e.what();
    const std::string prefix = folder.string() + "/";
    EXPECT_TRUE(text.starts_with(prefix)) << text;
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }
  return "";
}

}  // namespace echelon::test
