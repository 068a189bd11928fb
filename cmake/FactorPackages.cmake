# cmake/FactorPackages.cmake -- the packages behind the factor room: each is used where it is
# found, and can be left out with ECHELON_WITH_<NAME>=OFF.  Without one, its functions throw
# backend_missing.  ECHELON_FACTOR_PACKAGES lists those in use.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(ECHELON_FACTOR_PACKAGES "")

# echelon_factor_package(NAME WHAT): the choice ECHELON_WITH_<NAME>.
macro(echelon_factor_package name what)
  string(TOUPPER ${name} upper_name)
  echelon_choice(WITH_${upper_name} "use ${what}" AUTO)
  find_package(${name} QUIET)
  echelon_decide(WITH_${upper_name} ${name} ${name}_FOUND "${what} is not found")
  if(ECHELON_WITH_${upper_name})
    message(STATUS "${name}: with ${what}")
    list(APPEND ECHELON_FACTOR_PACKAGES ${name})
  endif()
endmacro()

echelon_factor_package(AMD "AMD of SuiteSparse (libsuitesparse-dev)")
echelon_factor_package(CHOLMOD "CHOLMOD of SuiteSparse (libsuitesparse-dev)")
echelon_factor_package(SuperLU "SuperLU (libsuperlu-dev)")
echelon_factor_package(METIS "METIS (libmetis-dev)")
echelon_factor_package(UMFPACK "UMFPACK of SuiteSparse (libsuitesparse-dev)")
echelon_factor_package(KLU "KLU of SuiteSparse (libsuitesparse-dev)")
