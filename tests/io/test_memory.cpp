// tests/io/test_memory.cpp -- out of memory at every allocation in turn.
// SPDX-License-Identifier: BSD-3-Clause
//
// Nothing may leak (the sanitizers check), and each error is out_of_memory.
#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "io/temp_files.hpp"
#include "support/failing_new.hpp"
#include "support/pictures.hpp"

namespace echelon::test {
namespace {

// Fails the k-th allocation of the work for every k, until it succeeds.
template <class Work>
void fail_each_allocation(const Work& work) {
  for (long k = 0; k < 100000; ++k) {
    allocations_left = k;
    bool done = false;
    std::string other;
    try {
      work();
      done = allocations_left >= 0;
    } catch (const Error& e) {
      if (e.code() != ErrorCode::out_of_memory) other = e.what();
    } catch (const std::exception& e) {
      other = e.what();
    }
    allocations_left = -1;
    ASSERT_EQ(other, "") << "allocation " << k;
    if (done) return;
  }
  FAIL() << "never done";
}

const std::string market = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 1\n";
const std::string array = "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n";
const std::string boeing =
    "Title\n4 1 1 1\nrua 1 1 1 0\n(8I3)           (8I3)           (2D11.3)\n  1  2\n  1\n 1.0D0\n";

TEST(Memory, EveryAllocationOfAReadingMayFail) {
  const TempFolder folder;
  for (const std::string& text : {market, array, boeing, gzip(market)}) {
    const std::filesystem::path path = folder.write("a", text);
    fail_each_allocation([&] { read_matrix<double>(path); });
    fail_each_allocation([&] { read_array<double>(path); });
    fail_each_allocation([&] { read_header(path); });
  }
}

TEST(Memory, EveryAllocationOfAWritingMayFail) {
  const TempFolder folder;
  const std::filesystem::path path = folder.path() / "a";
  const auto a = picture<double>("1 .\n2 3");
  fail_each_allocation([&] { write_matrix_market(path, a); });
  fail_each_allocation([&] { write_array<double>(path, {a.value.data(), 3}); });
}

}  // namespace
}  // namespace echelon::test
