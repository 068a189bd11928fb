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

#pragma GCC visibility push(default)
namespace echelon {

// How the unknowns are scheduled. level_row to element_column are the kernels LEVR, LEVC, ELMR and
// ELMC of Li and Zhang (2020).
enum class Method {
  automatic,       // chosen by the model
  serial,          // one thread, the plain sweep
  level_row,       // a barrier after each level; each unknown gathers its row
  level_column,    // a barrier after each level; each unknown scatters its column
  element_row,     // each unknown waits for the flags of the unknowns it needs
  element_column,  // each unknown waits for its counter to reach zero
  superstep,       // coarse tasks that wait for each other
  // On supernodes.  The first nine are the options of the ICPP 2020 paper.
  plain,        // "default" in the paper: one BLAS call per block, one after the other
  stream,       // BLAS calls for the blocks of a level in parallel
  team,         // our own kernels for the blocks of a level
  merge,        // as team, on merged supernodes
  invert_diag,  // as merge, with inverted diagonal blocks
  invert_off,  // as invert_diag, with the inverses applied to the panels below: partitioned inverse
  spmv,        // the partitioned inverse as one sparse matrix per level
  dynamic,     // as invert_off, each task starts as soon as its dependencies are met
  invert_full,  // the whole inverse as one sparse matrix: for reference, small systems only
  tree,  // as invert_off, on amalgamated supernodes: subtrees to threads, then the top shared
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

// Row methods sum each unknown in a fixed order, so the result does not depend on the number of
// threads or on timing.
constexpr Order lists_of(Method m) {
  return m == Method::level_column || m == Method::element_column ? Order::columns : Order::rows;
}
constexpr bool is_deterministic(Method m) { return lists_of(m) == Order::rows; }
// Methods that keep each panel by columns, for BLAS: the others have panels in strips.
constexpr bool has_plain_panels(Method m) {
  return m == Method::plain || m == Method::stream || m == Method::invert_full;
}

// Costs used to form supersteps, in entries of work: an unknown with k dependencies costs row_work
// + k.  One entry takes about a nanosecond.
struct ScheduleOptions {
  double hop = 200;        // from one thread's release of a flag to another thread's acquire
  double task_work = 100;  // fixed cost of a task: polling, its flag, cold caches
  double run_work = 12;    // a run of neighbouring unknowns: two partly used cache lines of x and b
  double row_work = 3;     // fixed cost of an unknown: right-hand side, diagonal, store
  double efficiency_share = 0.95;  // a window grows while above this share of the best efficiency

  // The one list of these options; the command line and the reports use it.
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

// Whether M is stored by columns (push) or by rows (pull).  Automatic: lower triangles by columns,
// upper ones by rows, where a factorization has its supernodes.
enum class Direction { automatic, push, pull };
constexpr auto names(Direction) {
  return name_table<Direction>(
      {{Direction::automatic, "automatic"}, {Direction::push, "push"}, {Direction::pull, "pull"}});
}

// How supernodes are merged and grouped.
struct SupernodeOptions {
  double merge_zeros = 0.5;       // largest share of explicit zeros in a merged panel
  double panel_work = 100;        // fixed cost of a panel, in entries
  double row_work = 3;            // cost of each of its rows, in entries
  double level_work = 0;          // cost of a level of a deep factor, in entries
  bool merge_siblings = false;    // merge children of one parent, not only a child with its parent
  Index max_panel_columns = 512;  // panels to invert are cut to about this width
  double subtree_share = 0.01;    // largest subtree task, as a share of all entries; 0: none
  Index chunk_entries = 32768;    // a panel is divided among threads in chunks of about this size
  Direction direction = Direction::automatic;

  // The one list of these options; the command line and the reports use it.
  template <class Visitor>
  void visit(Visitor&& v) {
    v("merge_zeros", merge_zeros, "largest share of explicit zeros in a merged panel");
    v("panel_work", panel_work, "cost of a panel besides its entries, in entries");
    v("row_work", row_work, "cost of a row of a panel, in entries");
    v("level_work", level_work, "cost of a level of a deep factor, in entries");
    v("merge_siblings", merge_siblings, "whether panels with the same parent are merged too");
    v("max_panel_columns", max_panel_columns,
      "largest number of columns of a panel that is inverted");
    v("subtree_share", subtree_share, "largest share of all entries in a subtree that is one task");
    v("chunk_entries", chunk_entries, "entries of a large panel one thread takes at a time");
    v("direction", direction, "panels by columns (push) or by rows (pull)");
  }
};

struct NumericOptions {
  bool low_precision = false;   // store double as float: half the memory traffic, refine afterwards
  double largest_growth = 1e4;  // do not invert diagonal blocks with a larger | |D^-1| |D| |

  template <class Visitor>
  void visit(Visitor&& v) {
    v("low_precision", low_precision, "store the values in single precision");
    v("largest_growth", largest_growth,
      "do not invert diagonal blocks with a larger condition estimate");
  }
};

// Backend cpu.
struct CpuOptions {
  static constexpr Index most_threads = 1024;  // a schedule has tables of threads by threads

  Index threads = 0;        // at most this many; 0: OMP_NUM_THREADS, else all usable cores
  Index rhs_per_pass = 16;  // right-hand sides of one pass over panels: workspace grows with it
  VectorUnit vector_unit = VectorUnit::automatic;  // the widest; others for tests and comparisons

  template <class Visitor>
  void visit(Visitor&& v) {
    v("threads", threads, "threads to use at most, 0 for all");
    v("rhs_per_pass", rhs_per_pass, "right-hand sides of one pass over panels, 1 to 16");
    v("vector_unit", vector_unit, "vector instructions, of those this machine has");
  }
};

// Options for GPUs.
struct CudaOptions {
  Index device = -1;  // CUDA device number; -1: the current device at the time of the analysis
  double watchdog_ms = 2000;  // abort a kernel that waits longer than this
  Index blocks = 0;           // thread blocks of a persistent solve; 0: as many as fit
  Index bands = 0;            // of method superstep; 0: chosen, also for the next two
  Index band_threads = 0;     // threads per block
  Index band_levels = 0;      // levels per chunk
  Index shared_memory = 0;    // KiB per block at most; lets a large GPU stand in for a smaller one
  Index right_sides = 1;      // number that setup allocates for; a solve with more allocates again
  Index rhs_per_pass = 256;   // of method tree on tensor cores: workspace grows with it; 0: none

  template <class Visitor>
  void visit(Visitor&& v) {
    v("device", device, "which GPU, by its number, -1 for the current one");
    v("watchdog_ms", watchdog_ms, "abort a solve after this many milliseconds, 0 for never");
    v("blocks", blocks, "thread blocks of a persistent solve, 0 for as many as fit");
    v("bands", bands, "bands of method superstep, 0 to choose");
    v("band_threads", band_threads, "threads per block of method superstep, 0 to choose");
    v("band_levels", band_levels,
      "levels a block solves between two fetches from other bands, 0 to choose");
    v("shared_memory", shared_memory,
      "KiB of shared memory a thread block may use, 0 for all the device has");
    v("right_sides", right_sides, "right-hand sides per solve that setup allocates for");
    v("rhs_per_pass", rhs_per_pass,
      "right-hand sides of one pass of method tree on tensor cores, up to 256, 0 for none");
  }
};

struct Options {
  Method method = Method::automatic;
  Backend backend = Backend::cpu;  // the caller chooses; there is no automatic fallback
  double expected_solves = 1000;   // the analysis may cost as much time as they save
  bool deterministic = false;      // refuse methods whose last bits depend on timing
  bool measure = true;             // automatic: time methods with similar estimates, at setup
  bool check_finite = true;        // throw not_finite if x has NaN or infinity
  ScheduleOptions schedule = {};
  SupernodeOptions supernode = {};
  NumericOptions numeric = {};
  CpuOptions cpu = {};
  CudaOptions cuda = {};

  // Whether method automatic may time solves at setup: not if the same bits are asked for, nor if
  // too few solves will pay for it.
  bool measures() const { return measure && !deterministic && expected_solves >= 200; }
  // The GPU; -1: none, or the current one.
  Index device() const { return backend == Backend::cuda ? cuda.device : -1; }

  template <class Visitor>
  void visit(Visitor&& v) {
    v("method", method, "how the unknowns are scheduled, from default on by supernodes");
    v("backend", backend, "where it runs; cuda is a GPU and takes all methods but serial");
    v("expected_solves", expected_solves, "how many solves the analysis should pay off over");
    v("deterministic", deterministic, "same bits for every run and number of threads");
    v("measure", measure, "automatic times methods with similar estimates once, at setup");
    v("check_finite", check_finite, "throw if the answer holds NaN or infinity");
    v("schedule", schedule, "how supersteps are formed");
    v("supernode", supernode, "how supernodes are merged and gathered");
    v("numeric", numeric, "how the values of panels are kept");
    v("cpu", cpu, "what runs on the CPU's threads");
    v("cuda", cuda, "what runs on a GPU");
  }
};

// Replaces defaults by values for the persistent solve on GPUs.  There a panel costs its thread
// block one or two microseconds, the time to read some thousand entries.  So more merging pays,
// also of siblings.  Subtrees as tasks do not pay: their panels run one after the other instead of
// in parallel.  Wide panels are cut into tiles anyway.
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
#pragma GCC visibility pop
