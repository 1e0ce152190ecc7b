# Compiler settings shared by every target of the project.
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

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# abut_settings: what every target of ours is compiled with; not part of the interface of the installed package.
add_library(abut_settings INTERFACE)
target_compile_options(abut_settings INTERFACE
    -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
    # One answer on every machine: no fused multiply-add behind our back, no reordering of sums.
    -ffp-contract=off -fno-fast-math)
target_compile_definitions(abut_settings INTERFACE
    $<$<CONFIG:Debug,RelWithDebInfo>:ABUT_ENABLE_ASSERTS>
    _POSIX_C_SOURCE=200809L)
if(ABUT_SANITIZE)
    target_compile_options(abut_settings INTERFACE
        -fsanitize=${ABUT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(abut_settings INTERFACE -fsanitize=${ABUT_SANITIZE})
endif()

# abut_add_library(<name> <export name> SOURCES ... [LINK ...] [PUBLIC_LINK ...])
# Compiles the sources once and packs them twice: <name> is shared, <name>_static is static.
function(abut_add_library name export_name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PUBLIC_LINK" ${ARGN})
    add_library(${name}_objects OBJECT ${ARG_SOURCES})
    target_link_libraries(${name}_objects PRIVATE abut_settings ${ARG_LINK} ${ARG_PUBLIC_LINK})
    target_include_directories(${name}_objects PUBLIC ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(${name}_objects PRIVATE ABUT_BUILDING)
    foreach(target ${name} ${name}_static)
        if(target STREQUAL name)
            add_library(${target} SHARED $<TARGET_OBJECTS:${name}_objects>)
            add_library(abut::${export_name} ALIAS ${target})
            set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name})
        else()
            add_library(${target} STATIC $<TARGET_OBJECTS:${name}_objects>)
            add_library(abut::${export_name}_static ALIAS ${target})
            set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name}_static)
        endif()
        set_target_properties(${target} PROPERTIES
            OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
        target_include_directories(${target} INTERFACE
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:abut_settings> ${ARG_LINK})
    endforeach()
    foreach(link ${ARG_PUBLIC_LINK})
        if(TARGET ${link}_static)
            target_link_libraries(${name} PUBLIC ${link})
            target_link_libraries(${name}_static PUBLIC ${link}_static)
        else()
            target_link_libraries(${name} PUBLIC ${link})
            target_link_libraries(${name}_static PUBLIC ${link})
        endif()
    endforeach()
endfunction()
