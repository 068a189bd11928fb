# tests/install/use_echelon.cmake -- takes Echelon into the project in consumer/; fails if a step does.
#   way=add_subdirectory  configures it as a part of the project
#   way=static            installs this build, and uses it by find_package and by pkg-config
#   way=shared            builds shared libraries as a part of the project, installs them from there, and
#                         uses them in the same two ways
# `compilers` build the projects, the first one also the library; `components` are those of this build.
cmake_minimum_required(VERSION 3.25)
set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
set(work ${build}/tests/install/${way})
set(prefix ${work}/prefix)
list(GET compilers 0 compiler)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${text}")
  endif()
endfunction()

# configure(FOLDER COMPILER OPTION...)
function(configure folder compiler)
  run(${CMAKE_COMMAND} -G ${generator} -S ${consumer} -B ${work}/${folder}
      -D CMAKE_CXX_COMPILER=${compiler} ${ARGN})
endfunction()

# Every file of the library is compiled with -O3, whatever the project around it says.
function(expect_optimized)
  file(READ ${work}/build/compile_commands.json commands)
  string(JSON last LENGTH "${commands}")
  math(EXPR last "${last} - 1")
  set(seen 0)
  foreach(k RANGE ${last})
    string(JSON command GET "${commands}" ${k} command)
    if(command MATCHES "CMakeFiles/echelon.dir")
      math(EXPR seen "${seen} + 1")
      if(NOT command MATCHES " -O3 " OR NOT command MATCHES "-DNDEBUG " OR command MATCHES " -O[012sg] ")
        message(FATAL_ERROR "not optimized: ${command}")
      endif()
    endif()
  endforeach()
  if(seen LESS 10)
    message(FATAL_ERROR "only ${seen} files of the library are compiled")
  endif()
endfunction()

# A component that is not there is an error that says so.
function(expect_missing component words)
  execute_process(COMMAND ${CMAKE_COMMAND} -G ${generator} -S ${consumer} -B ${work}/missing
                          -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix}
                          -D components=${component}
                  RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  if(result EQUAL 0 OR NOT text MATCHES "${words}")
    message(FATAL_ERROR "component ${component} is missing; expected '${words}' in:\n${text}")
  endif()
endfunction()

# A header is installed with its library only.
function(expect_headers)
  set(headers_of_mpi mpi.hpp ranks.hpp rank_pass.hpp superlu_dist.hpp)
  set(headers_of_nvshmem nvshmem.hpp)
  foreach(component mpi nvshmem)
    foreach(header ${headers_of_${component}})
      if(EXISTS ${prefix}/include/echelon/${header})
        set(is_there ON)
      else()
        set(is_there OFF)
      endif()
      if((component IN_LIST components AND NOT is_there) OR (NOT component IN_LIST components AND is_there))
        message(FATAL_ERROR "components are ${components}, and ${header} is there: ${is_there}")
      endif()
    endforeach()
  endforeach()
endfunction()

# use_installed(COMPILER): the project with CMake, and its programs by one line of pkg-config each.
function(use_installed compiler)
  get_filename_component(name ${compiler} NAME)
  configure(${name} ${compiler} -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=${config}
            -D "components=${components}")
  run(${CMAKE_COMMAND} --build ${work}/${name} --config ${config})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/${name} -C ${config} --output-on-failure)
  find_program(pkg_config pkg-config REQUIRED)
  file(GLOB_RECURSE package ${prefix}/*echelon.pc)
  get_filename_component(package ${package} DIRECTORY)
  get_filename_component(libraries ${package} DIRECTORY)
  foreach(program main mpi nvshmem)
    set(module echelon-${program})
    if(program STREQUAL main)
      set(module echelon)
    elseif(NOT program IN_LIST components)
      continue()
    endif()
    set(check "${work}/by_hand")
    if(program STREQUAL nvshmem)  # whose library lies anywhere
      set(check true)
    endif()
    run(sh -c "export PKG_CONFIG_PATH=${package} LD_LIBRARY_PATH=${libraries} && \
${compiler} -std=c++20 ${consumer}/${program}.cpp $(${pkg_config} --cflags --libs ${module}) \
-o ${work}/by_hand && ${check}")
  endforeach()
endfunction()

# Shared libraries take minutes to compile: what another run has left is used again.
file(GLOB former ${work}/*)
if(way STREQUAL shared)
  list(REMOVE_ITEM former ${work}/build)
endif()
if(former)
  file(REMOVE_RECURSE ${former})
endif()
if(way STREQUAL add_subdirectory)
  foreach(type "" Debug)
    configure(build ${compiler} -D CMAKE_BUILD_TYPE=${type} -D echelon_source=${source})
    expect_optimized()
  endforeach()
elseif(way STREQUAL static)
  run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${prefix})
else()
  # Without CUDA, and with little optimization: names are looked at, not times.
  list(REMOVE_ITEM components cuda nvshmem)
  set(with_mpi OFF)
  if(mpi IN_LIST components)
    set(with_mpi ON)
  endif()
  configure(build ${compiler} -D BUILD_SHARED_LIBS=ON -D echelon_source=${source}
            -D ECHELON_INSTALL=ON -D ECHELON_OPTIMIZE=OFF -D CMAKE_BUILD_TYPE=${config}
            -D CMAKE_CXX_FLAGS_RELEASE=-O1 -D ECHELON_WITH_MPI=${with_mpi} -D "components=${components}"
            -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher})
  run(${CMAKE_COMMAND} --build ${work}/build --config ${config} --parallel 2)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/build -C ${config} --output-on-failure)
  run(${CMAKE_COMMAND} --install ${work}/build --config ${config} --prefix ${prefix})
endif()

if(NOT way STREQUAL add_subdirectory)
  expect_headers()
  foreach(compiler ${compilers})
    use_installed(${compiler})
  endforeach()
  expect_missing(quantum "echelon has no component quantum; its components are cuda, mpi and nvshmem")
  foreach(component cuda mpi nvshmem)
    if(NOT component IN_LIST components)
      expect_missing(${component} "this echelon was built without component ${component}; build it with")
    endif()
  endforeach()
endif()
