// exec/nvshmem/letters.hpp -- lists of numbers from every rank to every other, at setup.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "exec/mpi/communicator.hpp"

namespace echelon {

// By rank: what it is to get; returns what came from it.  Collective.  Of Index and std::int64_t.
template <class Number>
std::vector<std::vector<Number>> exchange_letters(Communicator& comm,
                                                  const std::vector<std::vector<Number>>& letters);

// The largest of what ranks have.  Collective.
Offset largest(Communicator& comm, Offset mine);

}  // namespace echelon
