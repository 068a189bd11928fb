// adapters/petsc/settings.cpp -- Echelon's options in the options database of PETSc.
// SPDX-License-Identifier: BSD-3-Clause
#include "settings.hpp"

#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>

#include "guard.hpp"

namespace echelon::petsc {
namespace {

// Reads every option that a visit() names.  Items is PETSc's list of the options of one object,
// which its macros find by this name.
template <class Items>
struct Reader {
  Items PetscOptionsObject;  // NOLINT: the name is PETSc's
  std::string prefix;
  PetscErrorCode* error;

  template <class V>
  void operator()(const char* option, V& value, const char* text) const {
    if (*error) return;
    if constexpr (requires { value.visit(*this); })
      value.visit(Reader{PetscOptionsObject, prefix + option + ".", error});
    else
      *error = read((prefix + option).c_str(), value, text);
  }

 private:
  PetscErrorCode read(const char* option, bool& value, const char* text) const {
    PetscFunctionBegin;
    auto flag = static_cast<PetscBool>(value);
    PetscCall(PetscOptionsBool(option, text, nullptr, flag, &flag, nullptr));
    value = flag == PETSC_TRUE;
    PetscFunctionReturn(0);
  }
  PetscErrorCode read(const char* option, double& value, const char* text) const {
    PetscFunctionBegin;
    auto number = static_cast<PetscReal>(value);
    PetscBool given = PETSC_FALSE;
    PetscCall(PetscOptionsReal(option, text, nullptr, number, &number, &given));
    if (given) value = static_cast<double>(number);
    PetscFunctionReturn(0);
  }
  PetscErrorCode read(const char* option, Index& value, const char* text) const {
    PetscFunctionBegin;
    PetscInt number = value;
    PetscCall(PetscOptionsInt(option, text, nullptr, number, &number, nullptr));
    PetscCheck(static_cast<Index>(number) == number, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
               "%s is at most %d, not %" PetscInt_FMT, option, std::numeric_limits<Index>::max(),
               number);
    value = static_cast<Index>(number);
    PetscFunctionReturn(0);
  }
  template <HasNames Enum>
  PetscErrorCode read(const char* option, Enum& value, const char* text) const {
    PetscFunctionBegin;
    char word[64];
    PetscBool given = PETSC_FALSE;
    const std::string help = std::string(text) + ": " + join_names(list_names<Enum>());
    PetscCall(
        PetscOptionsString(option, help.c_str(), nullptr, name(value), word, sizeof(word), &given));
    if (given) PetscCall(guarded(PETSC_COMM_SELF, [&] { value = parse<Enum>(option, word); }));
    PetscFunctionReturn(0);
  }
};

template <class Items, class Read>
PetscErrorCode read_all(Items items, const char* prefix, const Read& read) {
  PetscErrorCode error = 0;
  read(Reader<Items>{items, prefix, &error});
  return error;
}

}  // namespace

PetscErrorCode default_options(Options* options) {
  MPI_Comm node;
  PetscMPIInt ranks;

  PetscFunctionBegin;
  options->check_finite = false;
  PetscCallMPI(
      MPI_Comm_split_type(PETSC_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  PetscCallMPI(MPI_Comm_size(node, &ranks));
  PetscCallMPI(MPI_Comm_free(&node));
  if (ranks > 1 && std::getenv("OMP_NUM_THREADS") == nullptr) options->cpu.threads = 1;
  PetscFunctionReturn(0);
}

PetscErrorCode read_options(PetscObject object, Options* options, FactorOptions* factor) {
  MPI_Comm comm;
  const char* prefix;

  PetscFunctionBegin;
  PetscCall(PetscObjectGetComm(object, &comm));
  PetscCall(PetscObjectGetOptionsPrefix(object, &prefix));
  PetscOptionsBegin(comm, prefix, "Echelon's options for factorizations and solves", "Mat");
  PetscCall(read_all(PetscOptionsObject, "-mat_echelon_", [&](auto r) { options->visit(r); }));
  PetscCall(
      read_all(PetscOptionsObject, "-mat_echelon_factor.", [&](auto r) { factor->visit(r); }));
  PetscOptionsEnd();
  PetscFunctionReturn(0);
}

PetscErrorCode read_options(PetscObject object, SmootherOptions* options, Index* sweeps) {
  MPI_Comm comm;
  const char* prefix;

  PetscFunctionBegin;
  PetscCall(PetscObjectGetComm(object, &comm));
  PetscCall(PetscObjectGetOptionsPrefix(object, &prefix));
  PetscOptionsBegin(comm, prefix, "Echelon's options for Gauss-Seidel sweeps", "PC");
  PetscCall(read_all(PetscOptionsObject, "-pc_echelon_gs_", [&](auto r) {
    r("sweeps", *sweeps, "sweeps per application");
    r("omega", options->omega, "relaxation, 1 is Gauss-Seidel");
    r("direction", options->direction, "direction of a sweep");
    r("form", options->form, "sweeps by rows or by columns");
    options->solver.visit(r);
  }));
  PetscOptionsEnd();
  PetscFunctionReturn(0);
}

}  // namespace echelon::petsc
