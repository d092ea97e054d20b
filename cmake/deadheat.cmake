# The few functions every CMakeLists.txt of the project uses.

find_program(DH_CCACHE ccache)
if(DH_CCACHE)
  # Or it would not store what is compiled with a precompiled header.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${DH_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# For javac: it ends before the second compiler pays for itself, and needs half of the processor time without it.
set(DH_QUICK_JAVAC -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC)

add_library(dh_flags INTERFACE)
target_compile_options(dh_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
target_include_directories(dh_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(DH_SANITIZE)
  target_compile_options(dh_flags INTERFACE -fsanitize=${DH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(dh_flags INTERFACE -fsanitize=${DH_SANITIZE})
endif()

# Code that runs inside the host JVM has neither exceptions nor RTTI, and exports nothing by accident.
add_library(dh_in_process INTERFACE)
target_link_libraries(dh_in_process INTERFACE dh_flags)
target_compile_options(dh_in_process INTERFACE -fno-exceptions -fno-rtti -fvisibility=hidden)

# dh_precompile(TARGET HEADER… | TARGET REUSE_FROM OTHER): headers that take about a quarter of the time of each source file are read once for all of them,
# and those of another target with the same options are not read again.
function(dh_precompile target)
  if("${ARGV1}" STREQUAL REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
endfunction()

# dh_precompile_in_process(TARGET): the headers that most of what runs inside the host JVM uses, read for the first such target only.
function(dh_precompile_in_process target)
  get_property(first GLOBAL PROPERTY dh_precompiled_in_process)
  if(first)
    dh_precompile(${target} REUSE_FROM ${first})
  else()
    dh_precompile(${target} <algorithm> <atomic> <memory> <mutex> <optional> <span> <string> <string_view> <unordered_map> <vector>)
    set_property(GLOBAL PROPERTY dh_precompiled_in_process ${target})
  endif()
endfunction()

# dh_quick_build(TARGET): for code of which no loop is hot and much is instantiated from templates.
function(dh_quick_build target)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endfunction()

# dh_together(TARGET): a handful of files is compiled as one, so that the templates they share are compiled once for all of them. Not for
# code that runs inside the host JVM, where what is inlined is measured. Each file still has all it needs: -DDH_UNITY=OFF compiles each alone.
function(dh_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${DH_UNITY} UNITY_BUILD_BATCH_SIZE 6)
endfunction()

# dh_folder(NAME [IN_PROCESS] [DEPS …]): the static library dh_NAME from every .cc of the calling folder.
function(dh_folder name)
  cmake_parse_arguments(ARG "IN_PROCESS" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  add_library(dh_${name} STATIC ${sources})
  set_target_properties(dh_${name} PROPERTIES LINKER_LANGUAGE CXX)
  if(ARG_IN_PROCESS)
    target_link_libraries(dh_${name} PRIVATE dh_in_process)
    dh_precompile_in_process(dh_${name})
  endif()
  target_link_libraries(dh_${name} PUBLIC dh_flags ${ARG_DEPS})
endfunction()

# dh_unit_tests(FOLDER [DEPS …]): one gtest program unit_FOLDER from tests/unit/FOLDER/*.cc, each case a ctest test.
function(dh_unit_tests folder)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/${folder}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(unit_${folder} ${sources})
  dh_quick_build(unit_${folder})
  if(folder STREQUAL base)  # the first of them
    dh_precompile(unit_${folder} <gtest/gtest.h> <algorithm> <filesystem> <fstream> <map> <set> <string> <vector>)
  else()
    dh_precompile(unit_${folder} REUSE_FROM unit_base)
  endif()
  target_link_libraries(unit_${folder} PRIVATE dh_${folder} dh_flags ${ARG_DEPS} GTest::gtest_main)
  target_include_directories(unit_${folder} PRIVATE ${CMAKE_SOURCE_DIR})
  gtest_discover_tests(unit_${folder} TEST_PREFIX unit/${folder}/ NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()
