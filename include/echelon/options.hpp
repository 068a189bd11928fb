// echelon/options.hpp -- all options of a solver: method, backend, and what each phase can be asked
// for.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it, through solver.hpp, direct.hpp or smoother.hpp.
//
//   echelon::Options o{.method = echelon::Method::superstep, .cpu = {.threads = 4}};
//   echelon::set_option(o, "schedule.hop", "300");        // the same by name, as the program does
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "echelon/types.hpp"

namespace echelon {

// How the unknowns are scheduled.  The four in the middle are the kernels of Li and Zhang
// (2020): LEVR, LEVC, ELMR, ELMC.
enum class Method {
  automatic,       // asks the model
  serial,          // one thread, the plain sweep
  level_row,       // a barrier after each level; each unknown pulls what it needs
  level_column,    // a barrier after each level; each unknown pushes to what needs it
  element_row,     // each unknown waits for the flags of what it needs
  element_column,  // each unknown waits for its counter to reach zero
  superstep,       // coarse tasks that wait for each other
  // On supernodes.  The first nine are the options of the ICPP 2020 paper.
  plain,        // "default": one BLAS call a block, one block after the other
  stream,       // BLAS calls for the blocks of a level side by side
  team,         // our own kernels for the blocks of a level
  merge,        // the same on merged supernodes
  invert_diag,  // and with inverted diagonal blocks
  invert_off,   // and these applied to the panels below: the partitioned inverse
  spmv,         // the partitioned inverse as one sparse matrix a level
  dynamic,      // invert_off, each task as soon as its own needs are met
  invert_full,  // the whole inverse as one sparse matrix: for reference, small systems only
  tree,         // invert_off on amalgamated supernodes: subtrees to threads, then the top shared
};
// The second names are those of the papers.
constexpr auto names(Method) {
  return name_table<Method>({{Method::automatic, "automatic"},
                             {Method::serial, "serial"},
                             {Method::level_row, "level_row", "LEVR"},
                             {Method::level_column, "level_column", "LEVC"},
                             {Method::element_row, "element_row", "ELMR"},
                             {Method::element_column, "element_column", "ELMC"},
                             {Method::superstep, "superstep"},
                             {Method::plain, "default"},
                             {Method::stream, "stream"},
                             {Method::team, "team"},
                             {Method::merge, "merge"},
                             {Method::invert_diag, "invert_diag", "InvertDiag"},
                             {Method::invert_off, "invert_off", "InvertOff"},
                             {Method::spmv, "spmv", "SpMV"},
                             {Method::dynamic, "dynamic"},
                             {Method::invert_full, "invert_full", "InvertFull"},
                             {Method::tree, "tree"}});
}
constexpr bool is_supernodal(Method m) { return m >= Method::plain; }

// Row methods add up each unknown in one fixed order, so their answer does not depend on
// the number of threads or on who came first.
constexpr Order lists_of(Method m) {
  return m == Method::level_column || m == Method::element_column ? Order::columns : Order::rows;
}
constexpr bool is_deterministic(Method m) { return lists_of(m) == Order::rows; }
// Methods that keep each panel by columns, for BLAS: the others have panels in strips.
constexpr bool has_plain_panels(Method m) {
  return m == Method::plain || m == Method::stream || m == Method::invert_full;
}

// How supersteps are formed.  Work is counted in entries: an unknown with k dependencies
// is row_work + k.  An entry takes about a nanosecond.
struct ScheduleOptions {
  double hop = 200;        // from one thread's flag to another's next load
  double task_work = 100;  // a task's own cost: polling, its flag, cold caches
  double run_work = 12;    // a run of neighbouring unknowns: two lines of x and b, partly used
  double row_work = 3;     // an unknown's own share: right-hand side, diagonal, store
  double efficiency_share =
      0.95;  // a window grows while its efficiency is above this share of the best

  // The one list of these options: the CLI and the reports are made from it.
  template <class Visitor>
  void visit(Visitor&& v) {
    v("hop", hop, "cost of one hand-over between threads, in entries of work");
    v("task_work", task_work, "cost of starting a task, in entries of work");
    v("run_work", run_work, "cost of each run of neighbouring unknowns in a task");
    v("row_work", row_work, "work of an unknown besides its entries");
    v("efficiency_share", efficiency_share,
      "share of the best efficiency at which a window stops growing");
  }
};

// Whether M is kept by columns (push) or by rows (pull).  Automatic: lower triangles by columns,
// upper ones by rows, where the supernodes of a factorization are.
enum class Direction { automatic, push, pull };
constexpr auto names(Direction) {
  return name_table<Direction>(
      {{Direction::automatic, "automatic"}, {Direction::push, "push"}, {Direction::pull, "pull"}});
}

// How supernodes are merged and gathered.
struct SupernodeOptions {
  double merge_zeros = 0.5;       // of a merged panel at most this share may be explicit zeros
  double panel_work = 100;        // what a panel costs besides its entries, in entries
  double row_work = 3;            // what each of its rows costs
  bool merge_siblings = false;    // not only a child and its parent, also two children of one
  Index max_panel_columns = 512;  // panels that are inverted are cut to about this width
  double subtree_share =
      0.01;  // a gathered subtree holds at most this share of all entries; 0: none is
  Index chunk_entries = 32768;  // a panel is shared out among threads in pieces of about this
  Direction direction = Direction::automatic;

  // The one list of these options: the CLI and the reports are made from it.
  template <class Visitor>
  void visit(Visitor&& v) {
    v("merge_zeros", merge_zeros, "share of explicit zeros a merged panel may have");
    v("panel_work", panel_work, "cost of a panel besides its entries, in entries");
    v("row_work", row_work, "cost of a row of a panel, in entries");
    v("merge_siblings", merge_siblings, "whether panels with the same parent are merged too");
    v("max_panel_columns", max_panel_columns, "columns a panel that is inverted may have");
    v("subtree_share", subtree_share, "share of all entries a gathered subtree may have");
    v("chunk_entries", chunk_entries, "entries of a large panel one thread takes at a time");
    v("direction", direction, "panels by columns (push) or by rows (pull)");
  }
};

struct NumericOptions {
  bool low_precision = false;   // store double as float: half the traffic, refine afterwards
  double largest_growth = 1e4;  // diagonal blocks with a larger | |D^-1| |D| | stay triangles

  template <class Visitor>
  void visit(Visitor&& v) {
    v("low_precision", low_precision, "store the values in single precision");
    v("largest_growth", largest_growth, "invert no diagonal block of a larger condition estimate");
  }
};

// What runs on the CPU's threads.
struct CpuOptions {
  static constexpr Index most_threads = 1024;  // a schedule has tables of threads by threads

  Index threads = 0;        // at most this many; 0: OMP_NUM_THREADS, else all cores it may use
  Index rhs_per_pass = 16;  // right-hand sides of one pass over panels: workspace grows with it
  VectorUnit vector_unit = VectorUnit::automatic;  // the widest; others for tests and comparisons

  template <class Visitor>
  void visit(Visitor&& v) {
    v("threads", threads, "threads to use at most, 0 for all");
    v("rhs_per_pass", rhs_per_pass, "right-hand sides of one pass over panels, 1 to 16");
    v("vector_unit", vector_unit, "vector instructions, of those this machine has");
  }
};

// What runs on a GPU.
struct CudaOptions {
  Index device = -1;          // by CUDA's number; -1: the one that is current at the analysis
  double watchdog_ms = 2000;  // a kernel that waits for itself longer than any solve takes is wrong
  Index blocks = 0;           // thread blocks of a kernel that runs from first to last panel
  Index bands = 0;            // of method superstep; 0: chosen, likewise
  Index band_threads = 0;     // of a block
  Index band_levels = 0;      // of a chunk
  Index shared_memory = 0;    // KiB of a block at most: a large GPU stands in for a smaller one
  Index right_sides = 1;      // at once, that setup makes room for; for more, the first solve does

  template <class Visitor>
  void visit(Visitor&& v) {
    v("device", device, "which GPU, by its number, -1 for the current one");
    v("watchdog_ms", watchdog_ms, "give a solve up after so many milliseconds, 0 for never");
    v("blocks", blocks, "thread blocks of a persistent solve, 0 for as many as fit");
    v("bands", bands, "bands of method superstep, 0 to choose");
    v("band_threads", band_threads, "threads of a block that runs bands, 0 to choose");
    v("band_levels", band_levels, "levels a block solves between two looks outside, 0 to choose");
    v("shared_memory", shared_memory,
      "KiB of shared memory a thread block may use, 0 for all the device has");
    v("right_sides", right_sides, "right-hand sides at once that setup prepares for");
  }
};

struct Options {
  Method method = Method::automatic;
  Backend backend = Backend::cpu;  // none is looked for: what runs where is the caller's word
  double expected_solves = 1000;   // an analysis may cost what so many solves win back
  bool deterministic = false;      // refuse methods whose last bits depend on timing
  bool check_finite = true;        // an answer with NaN or infinity is an Error, not a surprise
  ScheduleOptions schedule = {};
  SupernodeOptions supernode = {};
  NumericOptions numeric = {};
  CpuOptions cpu = {};
  CudaOptions cuda = {};

  // Where it runs; -1: on the CPU, or on any.
  Index device() const { return backend == Backend::cuda ? cuda.device : -1; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v("method", method, "how the unknowns are scheduled, from default on by supernodes");
    v("backend", backend, "where it runs; cuda is a GPU and takes all methods but serial");
    v("expected_solves", expected_solves, "how many solves the analysis should pay off over");
    v("deterministic", deterministic, "same bits for every run and number of threads");
    v("check_finite", check_finite, "throw if the answer holds NaN or infinity");
    v("schedule", schedule, "how supersteps are formed");
    v("supernode", supernode, "how supernodes are merged and gathered");
    v("numeric", numeric, "how the values of panels are kept");
    v("cpu", cpu, "what runs on the CPU's threads");
    v("cuda", cuda, "what runs on a GPU");
  }
};

// The same for the persistent solve on GPUs, where they have not been set: there a panel costs its
// thread block a microsecond or two, in which it could have read some thousand entries.  So merging
// pays for longer, of siblings too, and gathered subtrees do not: their panels follow each other,
// where others run side by side.  Wide panels are cut into tiles anyway.
SupernodeOptions for_tiles(SupernodeOptions s);

// How supernodes are formed for a method on the backend: as asked for, but what was left at its
// default gets a GPU's own for method tree.
SupernodeOptions supernode_options(const Options& o, Method method);

// Sets option `path` ("method", "cpu.threads", ...) from text.  Throws bad_argument for an
// unknown name, listing the near ones, or for text that is no such value.
void set_option(Options& options, std::string_view path, std::string_view text);

// Throws bad_argument for numbers out of range and options that contradict each other.
void check_options(Options o);

}  // namespace echelon
