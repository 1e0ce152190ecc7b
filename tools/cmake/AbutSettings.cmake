# Compiler settings shared by every target of the project, and the function that makes our libraries. All of
# it stays in this folder's scope: a project that adds abut as a subdirectory keeps its own settings.
include(GNUInstallDirs)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    endif()
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
    set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
endif()

# Before 1.0 a minor version may change the interface, so it is part of the name that programs are linked
# against.
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(ABUT_SOVERSION 0.${PROJECT_VERSION_MINOR})
    set(ABUT_COMPATIBILITY SameMinorVersion)
else()
    set(ABUT_SOVERSION ${PROJECT_VERSION_MAJOR})
    set(ABUT_COMPATIBILITY SameMajorVersion)
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# abut_settings: what every target of ours is compiled with; not part of the interface of the installed
# package.
add_library(abut_settings INTERFACE)
target_compile_options(abut_settings INTERFACE
    -Wall -Wextra -Wconversion -Wshadow -Wpointer-arith -Wvla
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<BOOL:${ABUT_WERROR}>:-Werror>
    # One answer on every machine: no fused multiply-add behind our back, no reordering of sums.
    -ffp-contract=off -fno-fast-math)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # gcc 12 for x86 drops the rounding of (double)(float)x in straight code that it makes wide, and with it
    # the low half of every coordinate that is split in two floats. What should be wide is wide by hand.
    target_compile_options(abut_settings INTERFACE -fno-tree-slp-vectorize)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 13)
        # It crashes on loops that take the maximum of floats in double.
        target_compile_options(abut_settings INTERFACE -fno-tree-loop-vectorize)
    endif()
endif()
target_compile_definitions(abut_settings INTERFACE
    $<$<CONFIG:Debug,RelWithDebInfo>:ABUT_ENABLE_ASSERTS>
    _POSIX_C_SOURCE=200809L)
if(ABUT_SANITIZE)
    target_compile_options(abut_settings INTERFACE
        -fsanitize=${ABUT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(abut_settings INTERFACE -fsanitize=${ABUT_SANITIZE})
endif()

# abut_add_library(<name> <export name> SOURCES ... [OBJECTS ...] [LINK ...] [PUBLIC_LINK ...])
# Compiles the sources once, into <name>_objects, and packs them, with OBJECTS of others, twice: <name> is the
# shared library abut::<export name>, <name>_static the static library abut::<export name>_static. LINK is
# what the code needs, PUBLIC_LINK what the public headers need too; where a library in PUBLIC_LINK is one of
# ours, each kind links to its own kind.
function(abut_add_library name export_name)
    cmake_parse_arguments(ARG "" "" "SOURCES;OBJECTS;LINK;PUBLIC_LINK" ${ARGN})
    add_library(${name}_objects OBJECT ${ARG_SOURCES})
    target_link_libraries(${name}_objects PRIVATE abut_settings ${ARG_LINK} ${ARG_PUBLIC_LINK})
    target_include_directories(${name}_objects PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(${name}_objects PRIVATE ABUT_BUILDING)

    add_library(${name} SHARED $<TARGET_OBJECTS:${name}_objects> ${ARG_OBJECTS})
    set_target_properties(${name} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${ABUT_SOVERSION}
        INSTALL_RPATH "$ORIGIN") # one finds the other beside it
    add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects> ${ARG_OBJECTS})
    target_compile_definitions(${name}_static INTERFACE ABUT_STATIC)

    foreach(suffix "" _static)
        set(target ${name}${suffix})
        add_library(abut::${export_name}${suffix} ALIAS ${target})
        set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${export_name}${suffix})
        target_include_directories(${target} INTERFACE
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:abut_settings> ${ARG_LINK})
        foreach(library ${ARG_PUBLIC_LINK})
            if(TARGET ${library}${suffix})
                target_link_libraries(${target} PUBLIC ${library}${suffix})
            else()
                target_link_libraries(${target} PUBLIC ${library})
            endif()
        endforeach()
    endforeach()
endfunction()
