// bench/read_speed/read_speed.cpp -- times reading a Matrix Market file of 100 MB from the page
// cache into a Csr.
// SPDX-License-Identifier: BSD-3-Clause
//
// Run:  read_speed [megabytes] [runs]
// One JSON line per order of the entries, format of the values and number of threads.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include "echelon/io.hpp"

namespace {

using echelon::Index;
using echelon::Offset;

struct Case {
  const char* order;   // of the entries in the file: by columns, as in collections; ...
  const char* digits;  // 17, the most a double needs, or 6
};

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  std::uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

struct Entry {
  Index row, col;
  double value;
};

// Twelve entries per column, within 2000 rows of the diagonal.
std::vector<Entry> make_entries(Offset count, Index& n, bool short_values) {
  n = static_cast<Index>(count / 12);
  std::vector<Entry> entries;
  std::uint64_t state = 1;
  for (Index j = 0; j < n; ++j) {
    const Index low = std::clamp<Index>(j - 2000, 0, std::max<Index>(0, n - 4001));
    for (Index k = 0; k < 12; ++k) {
      const auto step = static_cast<Index>(next_random(state) % 333);
      double v = static_cast<double>(next_random(state) >> 11) * 0x1p-52 - 1;
      if (short_values) v = static_cast<double>(static_cast<std::int64_t>(v * 1e6)) / 1e6;
      entries.push_back({std::min(n - 1, low + 333 * k + step), j, v});
    }
  }
  return entries;
}

void put_in_order(std::vector<Entry>& entries, const std::string& order) {
  if (order == "rows")
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.row < b.row; });
  std::uint64_t state = 2;
  if (order == "shuffled")
    for (std::size_t k = entries.size(); k > 1; --k)
      std::swap(entries[k - 1], entries[next_random(state) % k]);
}

void write_entries(const std::filesystem::path& path, Index n, const std::vector<Entry>& entries) {
  std::ofstream out(path, std::ios::binary);
  out << "%%MatrixMarket matrix coordinate real general\n"
      << n << " " << n << " " << entries.size() << "\n";
  std::string text;
  char number[64];
  const auto put = [&](auto v, char after) {
    text.append(number, std::to_chars(number, number + sizeof number, v).ptr);
    text += after;
  };
  for (const Entry& e : entries) {
    put(e.row + 1, ' ');
    put(e.col + 1, ' ');
    put(e.value, '\n');
    if (text.size() < (1 << 20)) continue;
    out << text;
    text.clear();
  }
  out << text;
}

double time_once(const std::filesystem::path& path, Index threads,
                 const echelon::Csr<double>& want) {
  const auto begin = std::chrono::steady_clock::now();
  const auto a = echelon::read_matrix<double>(path, {.threads = threads});
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  if (a.start != want.start || a.index != want.index || a.value != want.value) {
    std::cerr << "the matrix read is not the matrix written\n";
    std::exit(1);
  }
  return time.count();
}

void run_case(const Case& c, double megabytes, int runs) {
  const auto path = std::filesystem::temp_directory_path() / "echelon_read_speed.mtx";
  const bool short_values = std::string(c.digits) == "6";
  Index n = 0;
  auto entries = make_entries(static_cast<Offset>(megabytes * 1e6 / (short_values ? 23 : 34)), n,
                              short_values);
  put_in_order(entries, c.order);
  write_entries(path, n, entries);
  echelon::Coo<double> coo{n, n, {}, {}, {}};
  for (const Entry& e : entries) {
    coo.row.push_back(e.row);
    coo.col.push_back(e.col);
    coo.value.push_back(e.value);
  }
  const auto want = echelon::to_csr(coo);
  const auto size = static_cast<double>(std::filesystem::file_size(path)) / 1e6;

  for (const Index threads : {1, 2}) {
    std::vector<double> seconds;
    for (int k = 0; k < runs; ++k) seconds.push_back(time_once(path, threads, want));
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    std::cout << "{\"bench\": \"read_speed\", \"order\": \"" << c.order
              << "\", \"digits\": " << c.digits << ", \"megabytes\": " << size
              << ", \"entries\": " << entries.size() << ", \"threads\": " << threads
              << ", \"median_s\": " << median << ", \"fastest_s\": " << seconds.front()
              << ", \"slowest_s\": " << seconds.back() << ", \"megabytes_per_s\": " << size / median
              << "}" << std::endl;
  }
  std::filesystem::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 100;
  const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
  for (const Case c :
       {Case{"columns", "17"}, Case{"rows", "17"}, Case{"shuffled", "17"}, Case{"columns", "6"}})
    run_case(c, megabytes, runs);
}
