// tests/base/test_output.cpp -- files are whole, or as they were.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/output.hpp"
#include "echelon/error.hpp"
#include "echelon/tools/whole_files.hpp"

using namespace echelon;

namespace {

class WholeFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("echelon_output_" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t count() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace

TEST_F(WholeFiles, AFileIsThereOnlyWhenItIsClosed) {
  Output out(path("a"));
  out.write("text");
  EXPECT_FALSE(std::filesystem::exists(path("a")));
  out.close();
  EXPECT_EQ(text_of(path("a")), "text");
  EXPECT_EQ(count(), 1);
}

TEST_F(WholeFiles, AnUnfinishedOneLeavesTheOldFile) {
  write_text(path("a"), "old");
  {
    Output out(path("a"));
    out.write("new");
  }
  EXPECT_EQ(text_of(path("a")), "old");
  EXPECT_EQ(count(), 1);
}

TEST_F(WholeFiles, PermissionsAndLinksAreKept) {
  write_text(path("a"), "old");
  std::filesystem::permissions(path("a"), std::filesystem::perms(0640));
  std::filesystem::create_symlink(path("a"), path("link"));
  write_text(path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(text_of(path("a")), "new");
  EXPECT_EQ(std::filesystem::status(path("a")).permissions(), std::filesystem::perms(0640));
}

TEST_F(WholeFiles, AProgramThatEndsRemovesWhatIsUnfinished) {
  Output out(path("a"));
  out.write("text");
  remove_unfinished_files();
  EXPECT_EQ(count(), 0);
  EXPECT_THROW(out.close(), Error);
}

TEST_F(WholeFiles, WhatCannotBeWrittenIsNamed) {
  try {
    write_text(path("no/a"), "text");
    ADD_FAILURE() << "there is no such folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_file);
    EXPECT_NE(std::string(error.what()).find("no/a: cannot be opened"), std::string::npos);
  }
}
