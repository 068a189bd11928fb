// bindings/python/src/planned.hpp -- what pictures of a planned triangle show: its work by level,
// its pattern, and its schedule.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "arrays.hpp"
#include "echelon/plan.hpp"

namespace echelon::python {

// A triangle M and its plan, which is that of the transpose where `transposed` says so.
struct Planned {
  const Plan& plan;
  bool transposed = false;
  Backend backend = Backend::cpu;
  std::size_t value_bytes = 8;

  bool in_panels() const { return plan.blocks.tasks() > 0; }
  // The levels of tasks are executed from the last to the first.
  bool backwards() const { return plan.blocks.pull != transposed; }
  Index n() const { return in_panels() ? plan.blocks.n : plan.pattern.n; }
};

// The nodes of the dependency graph: unknowns, or tasks of supernodes.
struct WorkGraph {
  Index levels = 0;
  Buffer<Index> level;     // by node, in order of execution
  Buffer<Index> rows;      // unknowns of each node
  Buffer<double> entries;  // of the matrix, explicit zeros of panels included
  Buffer<double> bytes;    // that one solve reads and writes
  Buffer<Index> path;      // the chain of dependencies with most entries, first node first

  Index nodes() const { return static_cast<Index>(level.size()); }
};
WorkGraph find_work(const Planned& t);

// The same by level.
struct LevelFacts {
  Buffer<double> nodes, rows, entries, bytes;
  Buffer<double> path;  // entries of the path's node; 0 on a level without one
};
LevelFacts find_level_facts(const WorkGraph& g);

// The pattern of M in cells by cells squares, row by row: entries in each, and their mean level.
struct Cells {
  Index size = 0;  // per side
  Buffer<float> count, level;
};
Cells find_cells(const Planned& t, const WorkGraph& g, Index most);

// The panels of M as rectangles; nothing if there are more than `most`.
struct Rectangles {
  Buffer<Index> row, col, height, width, level;
};
Rectangles find_rectangles(const Planned& t, const WorkGraph& g, std::size_t most);

// Which thread works when, in entries of work; methods by rows and columns on CPU threads.
struct Spans {
  Buffer<Index> thread, group;  // group: level or superstep
  Buffer<double> begin, end;
  double work = 0;  // of all spans
  double end_of_all = 0;
};
Spans simulate_threads(const Planned& t);

// One of "levels", "cells", "rectangles", "spans", "tasks", as a dictionary of arrays.
nb::dict picture_data(const std::string& what, const Planned& t, Index most);

}  // namespace echelon::python
