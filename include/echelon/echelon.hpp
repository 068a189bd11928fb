// echelon/echelon.hpp -- all of the C++ interface.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/analysis.hpp"
#include "echelon/buffer.hpp"
#include "echelon/device.hpp"
#include "echelon/direct.hpp"
#include "echelon/draw.hpp"
#include "echelon/error.hpp"
#include "echelon/executor.hpp"
#include "echelon/factor.hpp"
#include "echelon/factor_file.hpp"
#include "echelon/generate.hpp"
#include "echelon/io.hpp"
#include "echelon/matrix.hpp"
#include "echelon/model.hpp"
#include "echelon/numeric.hpp"
#include "echelon/shared_library.hpp"
#include "echelon/smoother.hpp"
#include "echelon/solver.hpp"
#include "echelon/supernode.hpp"
#include "echelon/types.hpp"
