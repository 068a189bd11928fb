// io/scan.hpp -- reads whole and real numbers from text: the fast path.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every scan stops at a newline, and a Source has newlines after its text, so no loop here checks
// for the end of the text.
//
// Method.  A whole number up to 2^53 and a power of ten up to 22 are both exact in a double, so one
// multiplication or division rounds correctly.  All other numbers and unusual forms go to
// scan_unusual_real.
//
// Reference.  Clinger, How to read floating point numbers accurately, PLDI 1990.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "echelon/types.hpp"

namespace echelon {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool ends_token(char c) { return c == '\n' || is_blank(c); }
inline unsigned digit(char c) {
  return static_cast<unsigned char>(c - '0');
}  // above 9: not a digit

inline const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}
inline const char* skip_line(const char* p) {
  while (*p != '\n') ++p;
  return p;
}
inline std::string_view token_at(const char* p) {
  const char* end = p;
  while (!ends_token(*end)) ++end;
  return {p, static_cast<std::size_t>(end - p)};
}

// The result for numbers of 19 or more digits: too large for any use here.
inline constexpr std::int64_t huge_integer = 1'000'000'000'000'000'000;

// Reads a whole number, which must end at a blank or a newline.  If false, p is unchanged.
inline bool scan_integer(const char*& p, std::int64_t& v) {
  const char* q = p;
  const bool negative = *q == '-';
  if (*q == '-' || *q == '+') ++q;
  const char* const first = q;
  std::int64_t sum = 0;
  for (; digit(*q) <= 9; ++q) sum = sum < huge_integer / 10 ? 10 * sum + digit(*q) : huge_integer;
  if (q == first || !ends_token(*q)) return false;
  v = negative ? -sum : sum;
  p = q;
  return true;
}

// The result of reading a number.
enum class Scan { ok, not_a_number, too_large };

// Any form of a real number: many digits, Fortran's exponents (1.5D3, 1.5+3), inf, nan.  The result
// is multiplied by 10^shift.
template <class R>
Scan scan_unusual_real(std::string_view token, std::int64_t shift, R& v);

// Powers of ten that the type represents exactly, and whole numbers up to `whole`.
template <class R>
struct ExactPowers;
template <>
struct ExactPowers<double> {
  static constexpr std::uint64_t whole = std::uint64_t{1} << 53;
  static constexpr int last = 22;
  static constexpr double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
};
template <>
struct ExactPowers<float> {
  static constexpr std::uint64_t whole = std::uint64_t{1} << 24;
  static constexpr int last = 10;
  static constexpr float power[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f,
                                    1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
};

// Reads eight digits at once, if the next eight characters are digits.
inline bool scan_eight_digits(const char* q, std::uint64_t& sum) {
  std::uint64_t c;
  std::memcpy(&c, q, 8);
  if constexpr (std::endian::native != std::endian::little) return false;
  const std::uint64_t high = c & 0xF0F0F0F0F0F0F0F0;
  const std::uint64_t carry = (c + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0;
  if (high != 0x3030303030303030 || carry != 0x3030303030303030) return false;
  c -= 0x3030303030303030;
  c = c * 10 + (c >> 8);  // pairs of digits
  c = ((c & 0x000000FF000000FF) * (100 + (std::uint64_t{1000000} << 32)) +
       ((c >> 16) & 0x000000FF000000FF) * (1 + (std::uint64_t{10000} << 32))) >>
      32;
  sum = sum * 100000000 + static_cast<std::uint32_t>(c);
  return true;
}

// A decimal number as written: sum * 10^exponent.
struct Decimal {
  std::uint64_t sum = 0;
  std::int64_t exponent = 0;
  std::int64_t digits = 0;  // sum holds up to 19 digits
  bool negative = false;
};

inline const char* scan_digits(const char* q, std::uint64_t& sum) {
  while (scan_eight_digits(q, sum)) q += 8;
  for (; digit(*q) <= 9; ++q) sum = 10 * sum + digit(*q);
  return q;
}

// Reads [sign] digits [. digits] [e [sign] digits]; returns the end.
inline const char* scan_decimal(const char* q, Decimal& d) {
  d.negative = *q == '-';
  if (*q == '-' || *q == '+') ++q;
  const char* const first = q;
  for (; digit(*q) <= 9; ++q) d.sum = 10 * d.sum + digit(*q);
  d.digits = q - first;
  if (*q == '.') {
    const char* const fraction = ++q;
    q = scan_digits(q, d.sum);
    d.exponent = -(q - fraction);
    d.digits += q - fraction;
  }
  const char letter = static_cast<char>(*q | 0x20);
  if (letter != 'e' && letter != 'd') return q;
  const char* e = q + 1;
  const bool negative = *e == '-';
  if (*e == '-' || *e == '+') ++e;
  int sum = 0;
  const char* const power = e;
  for (; digit(*e) <= 9 && e - power < 4; ++e) sum = 10 * sum + static_cast<int>(digit(*e));
  d.exponent += negative ? -sum : sum;
  return e == power ? q : e;
}

// Reads a real number, which must end at a blank or a newline.  Unless ok, p is unchanged.
template <class R>
inline Scan scan_real(const char*& p, R& v) {
  using Exact = ExactPowers<R>;
  Decimal d;
  const char* const q = scan_decimal(p, d);
  if (d.digits > 0 && d.digits <= 19 && d.sum <= Exact::whole && d.exponent <= Exact::last &&
      d.exponent >= -Exact::last && ends_token(*q)) [[likely]] {
    R r = static_cast<R>(d.sum);
    r = d.exponent < 0 ? r / Exact::power[-d.exponent] : r * Exact::power[d.exponent];
    v = d.negative ? -r : r;
    p = q;
    return Scan::ok;
  }
  const std::string_view token = token_at(p);
  const Scan result = scan_unusual_real(token, 0, v);
  if (result == Scan::ok) p += token.size();
  return result;
}

}  // namespace echelon
