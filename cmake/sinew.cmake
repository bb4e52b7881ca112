# Flags that every target shares, and the two helpers that keep the lists of files short.

add_library(sinew_flags INTERFACE)
target_compile_options(sinew_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                             -Wold-style-cast -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 warns of copies inside std::string's own operator+ (GCC bug 105651).
  target_compile_options(sinew_flags INTERFACE -Wno-restrict -Wno-stringop-overflow)
endif()
# Messages name files as the repository does, not as this machine does.
target_compile_options(sinew_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
# Results must not depend on which instructions the compiler fuses or reorders.
target_compile_options(sinew_flags INTERFACE -ffp-contract=off)
if(SINEW_WERROR)
  target_compile_options(sinew_flags INTERFACE -Werror)
endif()
# Lines, but no variables, for stack traces: a third less time to compile, a quarter of the space.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
if(SINEW_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
  if(SINEW_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      add_compile_options(-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignore.txt)
    endif()
  endif()
endif()
if(SINEW_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
# Sources in one unit hide names from each other; alone, as lint reads them, they do not.
if(SINEW_UNITY)
  target_compile_options(sinew_flags INTERFACE -Wno-shadow)
endif()

# Half of a small file's compile time is the standard library's headers: they are compiled once. Only
# headers of others, none of ours, so that what a file uses of the project stays in its includes.
# (Sources still include what they use: clang-tidy and the kernels know nothing of this.)
# sinew_precompile(target owner headers...): the owner's headers, which it compiles with more of its own.
function(sinew_precompile target owner)
  if(target STREQUAL owner)
    target_precompile_headers(${owner} PRIVATE <algorithm> <array> <cmath> <cstddef> <cstdint>
      <cstring> <filesystem> <functional> <limits> <map> <memory> <numeric> <optional> <span>
      <stdexcept> <string> <string_view> <unordered_map> <utility> <variant> <vector>
      <fmt/format.h> ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# sinew_unite(target sources...): where SINEW_UNITY asks for it, sources that share no private name are
# compiled together: a build from nothing reads each header a few times only, a change costs more.
function(sinew_unite target)
  if(NOT SINEW_UNITY)
    return()
  endif()
  execute_process(COMMAND python3 ${PROJECT_SOURCE_DIR}/cmake/unity_groups.py ${ARGN}
                  OUTPUT_VARIABLE rows OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" "@" rows "${rows}")
  string(REPLACE ";" "|" rows "${rows}")
  string(REPLACE "@" ";" rows "${rows}")
  foreach(row ${rows})
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 source)
    list(GET row 1 unit)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# sinew_library(folder PUBLIC ... PRIVATE ...): the library of src/sinew/<folder>.
function(sinew_library folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/sinew/${folder}/*.cc)
  if(sources)
    add_library(sinew_${folder} STATIC ${sources})
    target_include_directories(sinew_${folder} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(sinew_${folder} PRIVATE sinew_flags ${ARGN})
    sinew_precompile(sinew_${folder} sinew_core)
    sinew_unite(sinew_${folder} ${sources})
  else()
    add_library(sinew_${folder} INTERFACE)
    target_include_directories(sinew_${folder} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    cmake_parse_arguments(arg "" "" "PUBLIC;PRIVATE" ${ARGN})
    target_link_libraries(sinew_${folder} INTERFACE ${arg_PUBLIC})
  endif()
endfunction()

# sinew_kernels(target folder): adds the sources of a folder to a target, compiled once for each
# instruction set. A file puts everything into namespace SINEW_ISA and uses no inline function of
# another one, so that the linker can never take one set's code for another's (scripts/check-kernels).
function(sinew_kernels target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  set(flags_sse2 -march=x86-64)
  set(flags_avx2 -march=x86-64-v3)
  set(flags_avx512 -march=x86-64-v4 -mprefer-vector-width=512)
  foreach(set sse2 avx2 avx512)
    add_library(${target}_${set} OBJECT ${sources})
    target_include_directories(${target}_${set} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                                        ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${target}_${set} PRIVATE SINEW_ISA=${set})
    target_link_libraries(${target}_${set} PRIVATE sinew_flags)
    # Kernels may fuse: a run is repeatable on one instruction set, not across them.
    target_compile_options(${target}_${set} PRIVATE ${flags_${set}} -O3 -ffp-contract=fast
                                                    -fno-math-errno -fno-trapping-math)
    # Instrumented kernels take ten minutes a file to compile: sanitizers look at everything else.
    if(SINEW_SANITIZE)
      target_compile_options(${target}_${set} PRIVATE -O1 -g0 -fno-sanitize=all)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC 12 warns of its own AVX-512 intrinsics (GCC bug 105593).
      target_compile_options(${target}_${set} PRIVATE -Wno-maybe-uninitialized -Wno-uninitialized)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${set}>)
  endforeach()
endfunction()

# sinew_simbody(target folder): adds the sources of a folder that include Simbody, whose headers do
# not compile as C++20. They talk to the rest through headers that are C++17 too.
function(sinew_simbody target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_library(${target}_simbody OBJECT ${sources})
  set_target_properties(${target}_simbody PROPERTIES CXX_STANDARD 17)
  target_include_directories(${target}_simbody PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${target}_simbody SYSTEM PRIVATE ${Simbody_INCLUDE_DIR})
  target_link_libraries(${target}_simbody PRIVATE sinew_flags)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_simbody>)
  target_link_libraries(${target} PRIVATE ${Simbody_LIBRARIES})
endfunction()

# sinew_test(folder libraries...): one executable of all tests/<folder>/*_test.cc.
function(sinew_test folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*_test.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(${folder}_test ${sources})
  target_include_directories(${folder}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests
                                                    ${PROJECT_BINARY_DIR}/tests/paths)
  target_link_libraries(${folder}_test PRIVATE sinew_flags ${ARGN} GTest::gtest GTest::gtest_main)
  sinew_precompile(${folder}_test core_test <gtest/gtest.h>)
  sinew_unite(${folder}_test ${sources})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The same alarm of GCC 12 by another name; it comes and goes with the length of the clone's path.
    target_compile_options(${folder}_test PRIVATE -Wno-array-bounds)
  endif()
  gtest_discover_tests(${folder}_test TEST_PREFIX ${folder}. DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 300)
endfunction()

# sinew_fuzzer(name libraries...): tests/fuzz/<name>.cc as a libFuzzer program.
function(sinew_fuzzer name)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/${name}.cc)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE sinew_flags ${ARGN})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
