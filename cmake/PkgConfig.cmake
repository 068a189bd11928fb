# cmake/PkgConfig.cmake -- installs echelon.pc, echelon-mpi.pc and echelon-nvshmem.pc, for projects
# without CMake.  The packages that a static library calls are linked with it: they are in Libs where
# only static libraries are installed, and in Libs.private where shared ones are.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH to_prefix /${pkgconfig_folder} /)

# echelon_pkg_config(NAME LIBRARY DESCRIPTION TEXT REQUIRES list CFLAGS flag... LIBS item...
#                    PRIVATE item... COMPONENT name): LIBS is for all who link LIBRARY; COMPONENT is that
# of its package, dev unless given.
function(echelon_pkg_config name library)
  cmake_parse_arguments(ARG "" "DESCRIPTION;REQUIRES;COMPONENT" "CFLAGS;LIBS;PRIVATE" ${ARGN})
  set(flags "-I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}" ${ARG_CFLAGS})
  set(libs "-L\${prefix}/${CMAKE_INSTALL_LIBDIR}" -l${library} ${ARG_LIBS})
  list(REMOVE_DUPLICATES ARG_PRIVATE)
  if(ECHELON_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
    list(APPEND libs ${ARG_PRIVATE})
    set(ARG_PRIVATE "")
  endif()
  list(JOIN flags " " flags)
  list(JOIN libs " " libs)
  list(JOIN ARG_PRIVATE " " private)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.pc @ONLY CONTENT
[=[# @name@.pc -- for projects without CMake: c++ -std=c++20 a.cpp $(pkg-config --cflags --libs @name@)
prefix=${pcfiledir}/@to_prefix@
Name: @name@
Description: @ARG_DESCRIPTION@
Version: @PROJECT_VERSION@
Requires: @ARG_REQUIRES@
Cflags: @flags@
Libs: @libs@
Libs.private: @private@
]=])
  if(NOT ARG_COMPONENT)
    set(ARG_COMPONENT dev)
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_folder}
          COMPONENT ${ARG_COMPONENT})
endfunction()

set(system -lstdc++ -lm -pthread)  # a C program does not bring the runtime of C++
foreach(library ${CMAKE_DL_LIBS})
  list(APPEND system -l${library})
endforeach()
if(ECHELON_WITH_CUDA)
  list(PREPEND system ${CUDA_cudart_static_LIBRARY} -lrt)
endif()

set(packages "")
foreach(package ${ECHELON_FACTOR_PACKAGES})
  if(NOT package MATCHES "^(CHOLMOD|UMFPACK|KLU)$")  # loaded at run time
    list(APPEND packages ${${package}_LIBRARY})
  endif()
endforeach()
echelon_pkg_config(echelon echelon
  DESCRIPTION "sparse triangular solves on CPU threads and GPUs"
  PRIVATE ${packages} ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES} ${ZLIB_LIBRARIES} ${system})

if(ECHELON_WITH_MPI)
  set(packages "")
  if(SuperLU_DIST_FOUND)
    set(packages ${SuperLU_DIST_LIBRARY})
  endif()
  set(flags ${MPI_CXX_COMPILE_OPTIONS})
  foreach(definition ${MPI_CXX_COMPILE_DEFINITIONS})
    list(APPEND flags -D${definition})
  endforeach()
  foreach(folder ${MPI_CXX_INCLUDE_DIRS})
    list(APPEND flags -I${folder})
  endforeach()
  echelon_pkg_config(echelon-mpi echelon_mpi COMPONENT mpi
    DESCRIPTION "sparse triangular solves on MPI ranks"
    REQUIRES "echelon = ${PROJECT_VERSION}"
    CFLAGS ${flags}
    LIBS ${MPI_CXX_LIBRARIES}
    PRIVATE ${packages})
endif()

if(ECHELON_WITH_FORTRAN)
  set(modules "\${prefix}/${CMAKE_INSTALL_LIBDIR}/fortran")
  echelon_pkg_config(echelon-fortran echelon_fortran
    DESCRIPTION "module echelon: sparse triangular solves from Fortran"
    REQUIRES "echelon = ${PROJECT_VERSION}"
    CFLAGS "-I${modules}/fortran")
  if(ECHELON_WITH_MPI)
    echelon_pkg_config(echelon-fortran-mpi echelon_fortran_mpi COMPONENT mpi
      DESCRIPTION "module echelon_mpi: sparse triangular solves on MPI ranks from Fortran"
      REQUIRES "echelon-fortran = ${PROJECT_VERSION}, echelon-mpi = ${PROJECT_VERSION}"
      CFLAGS "-I${modules}/fortran_mpi")
  endif()
endif()

if(ECHELON_WITH_NVSHMEM)
  echelon_pkg_config(echelon-nvshmem echelon_nvshmem COMPONENT nvshmem
    DESCRIPTION "sparse triangular solves on several GPUs"
    REQUIRES "echelon-mpi = ${PROJECT_VERSION}"
    PRIVATE ${NVSHMEM_DEVICE_LIBRARY} ${NVSHMEM_HOST_LIBRARY} ${system})
endif()

if(TARGET echelon_petsc)  # it brings what it needs; `library` is for PETSc's option -dll_append
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/echelon-petsc.pc @ONLY CONTENT
[=[# echelon-petsc.pc -- ./program -dll_append $(pkg-config --variable=library echelon-petsc)
prefix=${pcfiledir}/@to_prefix@
library=${prefix}/@CMAKE_INSTALL_LIBDIR@/libechelon_petsc.so
Name: echelon-petsc
Description: Echelon's triangular solves in PETSc programs
Version: @PROJECT_VERSION@
Requires: @ECHELON_PETSC_PACKAGE@
Cflags: -I${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
Libs: -L${prefix}/@CMAKE_INSTALL_LIBDIR@ -lechelon_petsc
]=])
  install(FILES ${PROJECT_BINARY_DIR}/echelon-petsc.pc DESTINATION ${pkgconfig_folder}
          COMPONENT petsc)
endif()
