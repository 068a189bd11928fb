// cli/table.cpp -- text tables and the formats of their numbers.
// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace echelon::cli {

Table::Table(std::vector<std::string> titles, std::size_t left) : left_(left) {
  rows_.push_back(std::move(titles));
}

void Table::add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  rows_.push_back(std::move(row));
}

void Table::print(std::ostream& out) const {
  std::vector<std::size_t> width(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string gap(width[c] - row[c].size(), ' ');
      line += "  " + (c < left_ ? row[c] + gap : gap + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

void print_fact(std::ostream& out, std::string_view key, std::string_view value) {
  std::ostringstream line;
  line << "  " << std::left << std::setw(22) << key << value << '\n';
  out << line.str();
}

std::string digits(double value, int significant) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", significant, value);
  return text;
}

std::string fixed(double value, int decimals) {
  char text[340];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string grouped(Offset number) {
  std::string text = std::to_string(number);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (number < 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

}  // namespace echelon::cli
