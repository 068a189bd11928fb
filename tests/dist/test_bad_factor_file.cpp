// tests/dist/test_bad_factor_file.cpp -- factor files that are truncated, changed or forged.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/stat.h>

#include <cstring>
#include <random>

#include "dist/factor_file_format.hpp"
#include "factor_file_cases.hpp"

namespace echelon::test {
namespace {

std::string sound_file() {
  const TempFolder folder;
  WrittenFactors<double>(small_factors<double>(12)).write(folder.path() / "a");
  return read_bytes(folder.path() / "a");
}

FactorHeader header_of(const std::string& bytes) {
  FactorHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

// The error of opening a file with these bytes.
template <Scalar T = double>
std::string refused_file(const std::string& bytes) {
  static const TempFolder folder;  // shared, since there are many
  const auto path = folder.write("a", bytes);
  return refusal(ErrorCode::bad_file, folder.path(), [&] { open_factors<T>(path.string()); });
}

// With a valid checksum, as an attacker would write it.
std::string sign(std::string bytes) {
  const FactorHeader header = header_of(bytes);
  Checksum sum;
  sum.add({bytes.data(), sizeof header});
  for (std::size_t k = 0; k < structure_count; ++k)
    sum.add({bytes.data() + header.start[k], header.start[k + 1] - header.start[k]});
  const std::uint64_t value = sum.value();
  std::memcpy(bytes.data() + header.begin(FactorSection::checksum), &value, sizeof value);
  return bytes;
}

template <class Number>
std::string forged(std::string bytes, FactorSection s, std::size_t k, Number value) {
  std::memcpy(bytes.data() + header_of(bytes).begin(s) + k * sizeof value, &value, sizeof value);
  return sign(bytes);
}

std::string with_header(std::string bytes, const std::function<void(FactorHeader&)>& change) {
  FactorHeader header = header_of(bytes);
  change(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

TEST(BadFactorFile, OneThatIsCutAnywhereIsRefused) {
  const std::string bytes = sound_file();
  EXPECT_EQ(refused_file(bytes), "");
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(refused_file(bytes.substr(0, size)), "") << size;
  EXPECT_EQ(refused_file(bytes.substr(0, 20)), "a: is no file of factors: it is too short");
  const auto all = std::to_string(bytes.size()), more = std::to_string(bytes.size() + 1);
  EXPECT_EQ(refused_file(bytes + "x"), "a: has " + more + " bytes, not " + all);
}

TEST(BadFactorFile, AByteThatIsChangedOutsideThePanelsIsNoticed) {
  const std::string bytes = sound_file();
  const std::uint64_t end = header_of(bytes).begin(FactorSection::lower_panels);
  for (std::uint64_t k = 0; k < end; ++k) {
    std::string changed = bytes;
    changed[k] = static_cast<char>(changed[k] ^ (1 << k % 8));
    ASSERT_NE(refused_file(changed), "") << "byte " << k;
  }
  std::string changed = bytes;
  changed[end - 1] = static_cast<char>(changed[end - 1] ^ 4);
  EXPECT_EQ(refused_file(changed), "a: is damaged: the checksum differs");
}

TEST(BadFactorFile, AFileOfAnotherKindIsRefused) {
  EXPECT_EQ(refused_file(std::string(1000, 'x')), "a: is no file of factors");
  const std::string bytes = sound_file();
  EXPECT_EQ(refused_file(with_header(bytes, [](auto& h) { h.version = 2; })),
            "a: has version 2 of the format, not 1");
  EXPECT_EQ(refused_file(with_header(bytes, [](auto& h) { h.byte_order = 0x04030201; })),
            "a: was written by a machine with another byte order");
}

TEST(BadFactorFile, AnotherPrecisionIsRefused) {
  EXPECT_EQ(refused_file<float>(sound_file()),
            "a: holds real double numbers, not real single ones");
  EXPECT_EQ(refused_file<std::complex<double>>(sound_file()),
            "a: holds real double numbers, not complex double ones");
  EXPECT_EQ(refused_file<std::complex<float>>(sound_file()),
            "a: holds real double numbers, not complex single ones");
}

TEST(BadFactorFile, WhatIsNoFileIsRefused) {
  const TempFolder folder;
  const auto text = [&](const std::string& name) {
    return refusal(ErrorCode::bad_file, folder.path(),
                   [&] { FactorFile((folder.path() / name).string()); });
  };
  EXPECT_EQ(text("none"), "none: cannot be opened: No such file or directory");
  std::filesystem::create_directory(folder.path() / "folder");
  EXPECT_EQ(text("folder"), "folder: is a directory");
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(text("pipe"), "pipe: is not a regular file");
}

TEST(BadFactorFile, AForgedTableOfSectionsIsRefused) {
  const std::string bytes = sound_file();
  const auto text = [&](const std::function<void(FactorHeader&)>& change) {
    return refused_file(with_header(bytes, change));
  };
  const std::string table = "a: is damaged: its table of sections";
  EXPECT_EQ(text([](auto& h) { h.start[0] = 0; }), table);
  EXPECT_EQ(text([](auto& h) { h.start[3] = ~std::uint64_t{0}; }), table);
  EXPECT_EQ(text([](auto& h) { h.start[5] = h.start[4] - 1; }), table);
  EXPECT_EQ(text([](auto& h) { h.sections = 15; }), table);
  EXPECT_EQ(text([](auto& h) { h.n = -1; }), "a: is damaged: its header");
  EXPECT_EQ(text([](auto& h) { h.scalar = ScalarKind{4}; }), "a: is damaged: its header");
  EXPECT_EQ(text([](auto& h) { h.symmetric = 2; }), "a: is damaged: its header");
}

TEST(BadFactorFile, ForgedContentsAreRefused) {
  const std::string bytes = sound_file();
  EXPECT_EQ(refused_file(sign(bytes)), "");
  EXPECT_EQ(refused_file(forged(bytes, FactorSection::row_order, 3, Index{12})),
            "a: is damaged: section 4");
  EXPECT_EQ(refused_file(forged(bytes, FactorSection::col_order, 3, Index{0})),
            "a: is damaged: section 5");
  EXPECT_EQ(refused_file(forged(bytes, FactorSection::first, 1, Index{0})),
            "a: is damaged: supernode 0 runs from 0 to 0");
  EXPECT_EQ(refused_file(forged(bytes, FactorSection::upper_row, 0, Index{0})),
            "a: is damaged: supernode 0 has row 0 where one from 1 to 11 must follow");
  EXPECT_EQ(refused_file(forged(bytes, FactorSection::lower_row_start, 1, Offset{1} << 62)),
            "a: is damaged: supernode 1 has a negative number of rows");
  for (const Index n : {0, 11, 13, 0x7fffffff})
    EXPECT_NE(refused_file(sign(with_header(bytes, [&](auto& h) { h.n = n; }))), "") << n;
  for (const auto kind : {ScalarKind::real_single, ScalarKind::complex_double})
    EXPECT_EQ(refused_file(sign(with_header(bytes, [&](auto& h) { h.scalar = kind; }))),
              "a: is damaged: section 3");
  EXPECT_EQ(refused_file(sign(with_header(bytes, [](auto& h) { h.symmetric = 1; }))),
            "a: is damaged: section 15");
}

// Reading any file with a valid checksum ends, with success or with bad_file.
TEST(BadFactorFile, RandomForgeriesDoNoHarm) {
  const std::string bytes = sound_file();
  const FactorHeader header = header_of(bytes);
  const TempFolder folder;
  std::mt19937 random(1);
  for (int k = 0; k < 1000; ++k) {
    std::string changed = bytes;
    const std::size_t at = random() % header.begin(FactorSection::checksum);
    changed[at] = static_cast<char>(random());
    const FactorHeader now = header_of(changed);
    if (std::is_sorted(now.start.begin(), now.start.end()) && now.start.back() <= bytes.size() &&
        now.start.front() == sizeof now && now.size(FactorSection::checksum) == 8)
      changed = sign(changed);
    const auto path = folder.write("a", changed);
    refusal(ErrorCode::bad_file, folder.path(), [&] {
      const auto f = open_factors<double>(path.string());
      std::vector<double> columns(static_cast<std::size_t>(f.n) * f.n);
      for (Index s = 0; s < f.lower.count(); ++s)
        f.lower_rows(s, f.lower.rows(s), columns.data(), f.n);
    });
  }
}

TEST(BadFactorFile, OneThatShrinksWhileItIsOpenIsNoticed) {
  const TempFolder folder;
  const auto path = folder.write("a", sound_file());
  const auto f = open_factors<double>(path.string());
  std::filesystem::resize_file(path, 1000);
  const Index last = f.lower.count() - 1, row = f.n - 1;
  std::vector<double> x(static_cast<std::size_t>(f.lower.width(last)));
  EXPECT_EQ(refusal(ErrorCode::bad_file, folder.path(),
                    [&] { f.lower_rows(last, std::span(&row, 1), x.data(), 1); }),
            "a: became shorter while it was read");
}

}  // namespace
}  // namespace echelon::test
