// cli/table.hpp -- text tables and the formats of their numbers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/tools/units.hpp"
#include "echelon/types.hpp"

namespace echelon::cli {

// Columns as wide as their widest cell; the first `left` ones left-aligned, the others
// right-aligned.
class Table {
 public:
  explicit Table(std::vector<std::string> titles, std::size_t left = 1);
  void add(std::vector<std::string> row);
  void print(std::ostream& out) const;
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }  // header first

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t left_;
};

// One line of a report: a name and its value.
void print_fact(std::ostream& out, std::string_view key, std::string_view value);

std::string digits(double value, int significant = 3);  // 12.3, 0.00123, 1.23e+07
std::string fixed(double value, int decimals);          // 12.300
std::string grouped(Offset number);                     // 4,194,304

}  // namespace echelon::cli
