// cli/build_facts.cpp -- what a program was built with, and what it finds where it runs.
// SPDX-License-Identifier: BSD-3-Clause
#include "build_facts.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "echelon/device.hpp"
#include "echelon/error.hpp"
#include "echelon/factor.hpp"
#include "echelon/solver.hpp"
#include "echelon/tools/shared_library.hpp"
#include "echelon/version.hpp"
#include "machine.hpp"
#include "table.hpp"

namespace echelon::cli {
namespace {

// The macros are set by CMake: a version, or "" for what was left out.
std::string or_left_out(const char* version, const char* missing = "left out") {
  return *version == '\0' ? missing : version;
}

std::string cuda_text() {
  if (!has_cuda()) return "left out";
  const std::string built = std::string("built with ") + ECHELON_CUDA_VERSION;
  const Index devices = count_devices();
  if (devices == 0) return built + "; no device here";
  try {
    const DeviceReport first = find_device();
    return built + "; runs on " + first.runtime + ", driver " + first.driver + "; " +
           std::to_string(devices) + (devices == 1 ? " device: " : " devices: ") + first.name;
  } catch (const Error& error) {
    return built + "; " + error.what();
  }
}

// It is loaded when it is needed; the structures differ between main versions.
std::string cholmod_text() {
  if (*ECHELON_CHOLMOD_MAIN_VERSION == '\0') return "left out";
  const std::vector<std::string> found = factor_packages();
  const std::string wanted = std::string("libcholmod.so.") + ECHELON_CHOLMOD_MAIN_VERSION;
  if (std::find(found.begin(), found.end(), "cholmod") == found.end())
    return "not found on this machine; " + wanted + " is loaded where it is installed";
  try {
    std::array<int, 3> v{};
    const SharedLibrary library("the version of CHOLMOD", {wanted.c_str(), ECHELON_CHOLMOD_PATH});
    library.find<int(int*)>("cholmod_version")(v.data());
    return std::to_string(v[0]) + "." + std::to_string(v[1]) + "." + std::to_string(v[2]) +
           ", loaded at run time";
  } catch (const Error&) {
    return "found on this machine";
  }
}

std::string blas_text() {
  if (void* const call = dlsym(RTLD_DEFAULT, "openblas_get_config"); call != nullptr)
    return reinterpret_cast<const char* (*)()>(call)();
  void* const product = dlsym(RTLD_DEFAULT, "cblas_dgemm");
  Dl_info place{};
  if (product != nullptr && dladdr(product, &place) != 0 && place.dli_fname != nullptr)
    return place.dli_fname;
  return "linked into the program";
}

// The analysis of an empty matrix reports what the kernels would use.
std::string vector_unit_text() {
  const std::array<Offset, 1> start{0};
  const Analysis nothing(TrianglePattern{.stored = {Order::rows, 0, 0, start, {}}}, Options());
  return name(nothing.report().vector_unit);
}

}  // namespace

BuildFacts find_build_facts() {
  return {{"compiler", compiler_name()},
          {"processor", processor_name()},
          {"vector unit", vector_unit_text()},
          {"threads", std::to_string(available_cores())},
          {"BLAS", blas_text()},
          {"CUDA", cuda_text()},
          {"MPI", or_left_out(ECHELON_MPI_VERSION)},
          {"NVSHMEM", or_left_out(ECHELON_NVSHMEM_VERSION)},
          {"CHOLMOD", cholmod_text()},
          {"SuperLU", or_left_out(ECHELON_SUPERLU_VERSION)},
          {"METIS", or_left_out(ECHELON_METIS_VERSION)},
          {"AMD", or_left_out(ECHELON_AMD_VERSION)}};
}

std::string version_text(const std::string& program, const BuildFacts& more) {
  std::ostringstream text;
  text << program << " " << ECHELON_VERSION << (has_cuda() ? ", with CUDA" : ", without CUDA")
       << '\n';
  for (const auto& [key, value] : find_build_facts()) print_fact(text, key, value);
  for (const auto& [key, value] : more) print_fact(text, key, value);
  std::string lines = text.str();
  lines.pop_back();  // the parser ends the line
  return lines;
}

}  // namespace echelon::cli
