// bindings/python/src/page.hpp -- adds a planned triangle to an HTML page.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/tools/draw.hpp"
#include "planned.hpp"

namespace echelon::python {

void add_pictures(HtmlPage& page, const Planned& t, const std::string& title);

}  // namespace echelon::python
