// cli/contenders.cpp -- parses the names of contenders in a benchmark.
// SPDX-License-Identifier: BSD-3-Clause
#include "contenders.hpp"

#include <algorithm>
#include <array>

#include "echelon/solver.hpp"
#include "usage.hpp"

namespace echelon::cli {
namespace {

using Kind = ContenderChoice::Kind;

constexpr std::array general_methods{
    Method::serial,         Method::level_row, Method::level_column, Method::element_row,
    Method::element_column, Method::superstep, Method::automatic};

// Methods on a device, besides those on supernodes.
constexpr std::array device_methods{Method::level_row, Method::level_column, Method::element_row,
                                    Method::element_column, Method::superstep};

constexpr std::array supernodal_methods{Method::plain, Method::stream,      Method::team,
                                        Method::merge, Method::invert_diag, Method::invert_off,
                                        Method::spmv,  Method::dynamic,     Method::invert_full,
                                        Method::tree,  Method::automatic};

template <std::size_t size>
std::vector<ContenderChoice> choices_of(const std::array<Method, size>& methods) {
  std::vector<ContenderChoice> choices;
  choices.reserve(size);
  for (const Method method : methods) choices.push_back({Kind::echelon, method});
  return choices;
}

std::vector<ContenderChoice> echelon_choices(Arena arena, Backend backend) {
  if (arena == Arena::factors) return choices_of(supernodal_methods);
  if (backend == Backend::cpu) return choices_of(general_methods);
  std::vector<ContenderChoice> choices = choices_of(device_methods);
  for (const ContenderChoice& choice : choices_of(supernodal_methods)) choices.push_back(choice);
  return choices;
}

std::vector<ContenderChoice> all_choices(Arena arena, Backend backend) {
  std::vector<ContenderChoice> choices = echelon_choices(arena, backend);
  if (arena == Arena::triangle)
    for (const Kind kind : {Kind::eigen, Kind::mkl, Kind::scipy}) choices.push_back({kind});
  else
    for (const Kind kind : {Kind::cholmod, Kind::superlu, Kind::umfpack, Kind::klu, Kind::pardiso})
      choices.push_back({kind});
  if (backend == Backend::cuda) choices.push_back({Kind::cusparse});
  if (backend == Backend::cuda && arena == Arena::factors) choices.push_back({Kind::cudss});
  return choices;
}

// A method of Echelon that exists but is not in the default list: for factors, a method by rows.
ContenderChoice parse_echelon(const std::string& word, const std::vector<std::string>& names) {
  try {
    return {Kind::echelon, parse<Method>("method", word.substr(word.find(':') + 1)), true};
  } catch (const Error& error) {
    throw UsageError(error.what() + suggestion(word, names));
  }
}

std::vector<ContenderChoice> parse_contender(const std::string& word, Arena arena,
                                             Backend backend) {
  if (word == "all") return all_choices(arena, backend);
  if (word == "echelon" || word == "echelon:all") return echelon_choices(arena, backend);
  std::vector<std::string> names{"all", "echelon", "echelon:all"};
  std::string others;
  for (ContenderChoice choice : all_choices(arena, backend)) {
    choice.by_name = true;
    if (choice.name() == word) return {choice};
    names.push_back(choice.name());
    if (choice.kind != Kind::echelon) others += ", " + choice.name();
  }
  if (word.starts_with("echelon:")) return {parse_echelon(word, names)};
  if (word == "cusparse" || (word == "cudss" && arena == Arena::factors))
    throw UsageError(word + " runs on a GPU: use --backend cuda");
  throw UsageError("there is no contender '" + word +
                   "' here; there are all, echelon, echelon:METHOD" + others +
                   suggestion(word, names));
}

}  // namespace

bool ContenderChoice::has_threads() const {
  const bool one = kind == Kind::eigen || kind == Kind::scipy || kind == Kind::umfpack ||
                   kind == Kind::klu || kind == Kind::cusparse || kind == Kind::cudss;
  return !one && (kind != Kind::echelon || method != Method::serial);
}

std::string ContenderChoice::name() const {
  switch (kind) {
    case Kind::echelon:
      return std::string("echelon:") + echelon::name(method);
    case Kind::eigen:
      return "eigen";
    case Kind::mkl:
      return "mkl";
    case Kind::scipy:
      return "scipy";
    case Kind::cholmod:
      return "cholmod";
    case Kind::superlu:
      return "superlu";
    case Kind::umfpack:
      return "umfpack";
    case Kind::klu:
      return "klu";
    case Kind::pardiso:
      return "pardiso";
    case Kind::cusparse:
      return "cusparse";
    case Kind::cudss:
      return "cudss";
  }
  return "";
}

std::vector<ContenderChoice> parse_contenders(const std::string& list, Arena arena,
                                              Backend backend) {
  std::vector<ContenderChoice> chosen;
  for (const std::string& word : split_list("--contenders", list))
    for (const ContenderChoice& choice : parse_contender(word, arena, backend)) {
      const auto same = std::find_if(chosen.begin(), chosen.end(), [&](const auto& other) {
        return other.name() == choice.name();
      });
      if (same == chosen.end())
        chosen.push_back(choice);
      else
        same->by_name |= choice.by_name;
    }
  return chosen;
}

Json to_json(const std::vector<Missing>& missing) {
  Json list = Json::array();
  for (const Missing& m : missing)
    list.push(Json::object().set("contender", m.contender).set("reason", m.reason));
  return list;
}

}  // namespace echelon::cli
