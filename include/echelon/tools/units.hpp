// echelon/tools/units.hpp -- times and sizes as a person reads them: 6.46 s, 12.3 ms, 4.56 us,
// 8.21 MB.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  All reports of the library and of its programs are printed with these two.
#pragma once

#include <string>

#pragma GCC visibility push(default)
namespace echelon {

// Three digits and a unit from ns to s; from 100 s on whole minutes and hours: "12 min 5 s".
// "unknown" for NaN.
std::string time_text(double seconds);

// Three digits and a unit from B to TB, in powers of 1000; whole bytes below 1000.
std::string size_text(double bytes);

}  // namespace echelon
#pragma GCC visibility pop
