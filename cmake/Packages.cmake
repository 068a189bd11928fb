# cmake/Packages.cmake -- DEB packages by `cpack -G DEB` in a build folder with shared libraries and
# CMAKE_INSTALL_PREFIX=/usr (./dev packages).  A package is a component of the install rules; what names
# none goes to libechelon-dev.  None contains or needs CHOLMOD, UMFPACK or KLU,
# which are loaded at run time.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME echelon)
set(CPACK_PACKAGE_VENDOR Echelon)
set(CPACK_PACKAGE_CONTACT "The Echelon developers <echelon@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sparse triangular solves on CPU threads, GPUs and MPI ranks")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src
    ${PROJECT_BINARY_DIR}/src/distributed ${PROJECT_BINARY_DIR}/src/exec/nvshmem
    ${PROJECT_BINARY_DIR}/adapters/cusparse)

# echelon_package(COMPONENT NAME SECTION DEPENDS TEXT): one package, with its licence where Debian
# looks for it.
set(CPACK_COMPONENTS_ALL "")
macro(echelon_package component name section depends text)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper_component)
  set(CPACK_DEBIAN_${upper_component}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper_component}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper_component}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_COMPONENT_${upper_component}_DESCRIPTION "${text}")
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name}
          RENAME copyright COMPONENT ${component})
endmacro()

set(same "libechelon (= ${PROJECT_VERSION})")
echelon_package(library libechelon libs "" "the shared library")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
if(ECHELON_WITH_CHOLMOD)  # which is GPL, and not needed to run
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "libsuitesparse-dev")
endif()
echelon_package(dev libechelon-dev libdevel "${same}" "headers, and files for CMake and pkg-config")
if(TARGET echelon_cli)
  echelon_package(tools echelon-tools math "${same}" "the program echelon")
endif()
if(TARGET echelon_mpi)
  echelon_package(mpi echelon-mpi math "${same}" "library, headers and program for MPI ranks")
endif()
if(TARGET echelon_nvshmem)
  echelon_package(nvshmem echelon-nvshmem math "echelon-mpi (= ${PROJECT_VERSION})"
                  "library, header and program for several GPUs")
endif()
if(TARGET echelon_python)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(python "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor})")
  echelon_package(python python3-echelon python
                  "${same}, ${python}, python3-numpy, python3-scipy (>= 1.10)" "the Python package")
endif()
if(TARGET echelon_petsc)
  echelon_package(petsc echelon-petsc math "${same}" "triangular solves for PETSc programs")
endif()
if(TARGET echelon_cusparse)
  echelon_package(cusparse echelon-cusparse math "${same}" "a drop-in for cuSPARSE's SpSV and SpSM")
endif()
include(CPack)
