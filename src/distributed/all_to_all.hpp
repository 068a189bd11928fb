// distributed/all_to_all.hpp -- sends lists of numbers from every rank to every other, at setup.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "distributed/communicator.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// messages[r] goes to rank r; element r of the result came from rank r.  Collective.  Instantiated
// for Index and std::int64_t.
template <class Number>
ECHELON_EXPORT std::vector<std::vector<Number>> all_to_all(
    Communicator& comm, const std::vector<std::vector<Number>>& messages);

// The maximum over all ranks.  Collective.
Offset largest(Communicator& comm, Offset mine);

}  // namespace echelon
#pragma GCC visibility pop
