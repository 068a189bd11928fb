# cmake/EchelonTarget.cmake -- what every target of ours has in common: warnings,
# sanitizers, and how a room's test is declared.

# Our own code only; headers of others come as system headers.
function(echelon_target target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                           -Woverloaded-virtual)
  if(ECHELON_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ECHELON_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ECHELON_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${ECHELON_SANITIZE})
  endif()
endfunction()

# echelon_test(ROOM file...): one program of tests for a room, label LABELS (default: unit).
# Tests may look inside the house: src/ is on their include path.
function(echelon_test room)
  cmake_parse_arguments(ARG "" "" "SOURCES;LABELS" ${ARGN})
  add_executable(test_${room} ${ARG_SOURCES})
  target_link_libraries(test_${room} PRIVATE echelon echelon_test_support GTest::gtest_main)
  target_include_directories(test_${room} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  echelon_target(test_${room})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  gtest_discover_tests(test_${room} DISCOVERY_TIMEOUT 120
                       PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600)
endfunction()
