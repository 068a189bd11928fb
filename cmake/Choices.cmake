# cmake/Choices.cmake -- parts of the build that depend on what is installed: AUTO, ON or OFF.
# AUTO is decided at every configuration, and the cache keeps the word, not the answer: what is
# installed later is used.  Parts left out are listed in <build>/left_out.txt, one per line, with
# the reason; ./dev test prints them.
file(WRITE ${PROJECT_BINARY_DIR}/left_out.txt "")

function(echelon_left_out part reason)
  message(STATUS "${part}: left out: ${reason}")
  file(APPEND ${PROJECT_BINARY_DIR}/left_out.txt "${part}: ${reason}\n")
endfunction()

# echelon_choice(NAME TEXT DEFAULT): declares the choice ECHELON_<NAME>.
macro(echelon_choice name text default)
  set(ECHELON_${name} ${default} CACHE STRING "${text}: AUTO, ON or OFF")
  set_property(CACHE ECHELON_${name} PROPERTY STRINGS AUTO ON OFF)
endmacro()

# echelon_decide(NAME PART POSSIBLE REASON): ECHELON_<NAME> becomes ON or OFF in this directory and
# below it.  REASON says why PART is not possible; ON is an error then.
macro(echelon_decide name part possible reason)
  if(ECHELON_${name} STREQUAL "AUTO")
    if(${possible})
      set(ECHELON_${name} ON)
    else()
      set(ECHELON_${name} OFF)
      echelon_left_out("${part}" "${reason}")
    endif()
  elseif(ECHELON_${name})
    if(NOT ${possible})
      message(FATAL_ERROR "ECHELON_${name} is ON, but ${reason}")
    endif()
  else()
    echelon_left_out("${part}" "ECHELON_${name}=OFF")
  endif()
endmacro()
