// cli/machine.cpp -- the machine on which a measurement was made.
// SPDX-License-Identifier: BSD-3-Clause
#include "machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include "echelon/version.hpp"

namespace echelon::cli {
namespace {

// The value of the first line "key : value" with this key.
std::string find_line(const char* path, const std::string& key) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::string first_line(const char* path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

Offset memory_bytes() {
  return static_cast<Offset>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "";
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

// The load average of the last minute.
Json load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? Json(load) : Json();
}

}  // namespace

std::string compiler_name() {
#ifdef __clang__
  return std::string("clang ") + __clang_version__;
#else
  return std::string("gcc ") + __VERSION__;
#endif
}

std::string processor_name() {
  const std::string model = find_line("/proc/cpuinfo", "model name");
  return model.empty() ? find_line("/proc/cpuinfo", "CPU part") : model;
}

Index available_cores() {
  return std::max<Index>(1, static_cast<Index>(std::thread::hardware_concurrency()));
}

Json describe_machine() {
  return Json::object()
      .set("cpu", or_null(processor_name()))
      .set("cores", available_cores())
      .set("memory_bytes", memory_bytes())
      .set("system", or_null(system_name()))
      .set("load", load_average())
      .set("compiler", compiler_name())
      .set("huge_pages", or_null(first_line("/sys/kernel/mm/transparent_hugepage/enabled")));
}

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Json begin_document(std::string_view program, std::string_view command) {
  return Json::object()
      .set("program", program)
      .set("command", command)
      .set("version", ECHELON_VERSION)
      .set("date", date_now())
      .set("machine", describe_machine());
}

}  // namespace echelon::cli
