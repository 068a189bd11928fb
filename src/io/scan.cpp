// io/scan.cpp -- reads real numbers in unusual forms.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The token is split into sign, digits and exponent, and put together again in the form
// that std::from_chars accepts, which rounds correctly for any number of digits.
#include "io/scan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace echelon {
namespace {

// Larger than any exponent that matters, and safe from overflow in additions.
constexpr std::int64_t exponent_limit = 1'000'000'000'000;

bool is_digit(char c) { return digit(c) <= 9; }

// The exponent of "e+12", "D12" or "+12"; false for any other form.
bool parse_exponent(std::string_view text, std::int64_t& v) {
  const char letter = static_cast<char>(text.front() | 0x20);
  const bool lettered = letter == 'e' || letter == 'd';
  if (lettered) text.remove_prefix(1);
  const bool sign = !text.empty() && (text.front() == '+' || text.front() == '-');
  if (!lettered && !sign) return false;
  const bool negative = sign && text.front() == '-';
  if (sign) text.remove_prefix(1);
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return false;
  std::int64_t sum = 0;
  for (const char c : text) sum = std::min(10 * sum + digit(c), exponent_limit);
  v = negative ? -sum : sum;
  return true;
}

// Digits with or without a point; false unless there is at least one digit and nothing else.
bool is_mantissa(std::string_view text) {
  const auto points = std::count(text.begin(), text.end(), '.');
  const auto digits = std::count_if(text.begin(), text.end(), is_digit);
  return points <= 1 && digits > 0 && points + digits == static_cast<std::int64_t>(text.size());
}

// The power of ten just above the number: 1 for 5, 0 for 0.5.  For zero, a very small number.
std::int64_t magnitude(std::string_view mantissa, std::int64_t exponent) {
  const auto point = std::min(mantissa.find('.'), mantissa.size());
  const auto first = mantissa.find_first_not_of("0.");
  if (first == std::string_view::npos) return -exponent_limit;
  const auto places = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  return exponent + (places > 0 ? places : places + 1);
}

template <class R>
Scan scan_special(std::string_view token, R& v) {
  const char* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, v);
  return error == std::errc() && stop == end && !std::isfinite(v) ? Scan::ok : Scan::not_a_number;
}

}  // namespace

template <class R>
Scan scan_unusual_real(std::string_view token, std::int64_t shift, R& v) {
  const char* const end = token.data() + token.size();
  if (shift == 0) {
    const auto [stop, error] = std::from_chars(token.data(), end, v);
    if (error == std::errc() && stop == end) return Scan::ok;
  }
  const bool negative = token.starts_with('-');
  if (negative || token.starts_with('+')) token.remove_prefix(1);

  std::size_t split = 0;
  while (split < token.size() && (is_digit(token[split]) || token[split] == '.')) ++split;
  const std::string_view mantissa = token.substr(0, split);
  Scan result = Scan::ok;
  std::int64_t exponent = 0;
  if (split == 0) {
    // from_chars must not see a second sign.
    result = token.empty() || token[0] == '-' ? Scan::not_a_number : scan_special(token, v);
  } else if (!is_mantissa(mantissa) ||
             (split < token.size() && !parse_exponent(token.substr(split), exponent))) {
    result = Scan::not_a_number;
  } else {
    exponent += shift;
    const std::string text = std::string(mantissa) + "e" + std::to_string(exponent);
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (error == std::errc::result_out_of_range) {
      v = 0;
      if (magnitude(mantissa, exponent) > 0) result = Scan::too_large;
    }
  }
  if (result == Scan::ok && negative) v = -v;
  return result;
}

template Scan scan_unusual_real(std::string_view, std::int64_t, float&);
template Scan scan_unusual_real(std::string_view, std::int64_t, double&);

}  // namespace echelon
