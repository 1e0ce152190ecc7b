# cmake --install: libraries, headers, and the packages that find_package(abut) and pkg-config find. The
# installed tree may be moved as a whole: every path in it is relative to where it is found.
include(CMakePackageConfigHelpers)

install(TARGETS abut abut_static EXPORT abut)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    PATTERN io.h EXCLUDE PATTERN models.h EXCLUDE)
if(ABUT_BUILD_MODELS)
    install(TARGETS abut_models abut_models_static EXPORT abut)
    install(FILES ${PROJECT_SOURCE_DIR}/include/abut/models.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/abut)
endif()
if(ABUT_BUILD_IO)
    install(TARGETS abut_io abut_io_static EXPORT abut)
    install(FILES ${PROJECT_SOURCE_DIR}/include/abut/io.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/abut)
endif()

foreach(adapter abut_bullet abut_bullet_double) # each with its own dependency: sets of their own
    if(TARGET ${adapter})
        install(TARGETS ${adapter} ${adapter}_static EXPORT ${adapter})
    endif()
endforeach()
if(TARGET abut_bullet)
    install(FILES ${PROJECT_SOURCE_DIR}/adapters/bullet/include/abut/bullet.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/abut)
endif()

set(abut_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
configure_package_config_file(
    ${CMAKE_CURRENT_LIST_DIR}/abutConfig.cmake.in ${PROJECT_BINARY_DIR}/abutConfig.cmake
    INSTALL_DESTINATION ${abut_package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
    COMPATIBILITY ${ABUT_COMPATIBILITY})
install(EXPORT abut NAMESPACE abut:: FILE abutTargets.cmake DESTINATION ${abut_package_folder})
foreach(adapter abut_bullet abut_bullet_double)
    if(TARGET ${adapter})
        install(EXPORT ${adapter} NAMESPACE abut:: FILE ${adapter}Targets.cmake
            DESTINATION ${abut_package_folder})
    endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/abutConfig.cmake ${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
    DESTINATION ${abut_package_folder})

# pkg-config. Where the distributor asks for absolute folders, they stay absolute.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_prefix}")
endif()
foreach(folder LIBDIR INCLUDEDIR)
    set(pc_${folder} "\${prefix}")
    cmake_path(APPEND pc_${folder} "${CMAKE_INSTALL_${folder}}")
endforeach()

# abut_install_pc(<name> <description> [REQUIRES ...] [REQUIRES_PRIVATE ...] [LIBS ...] [LIBS_PRIVATE ...])
function(abut_install_pc name description)
    cmake_parse_arguments(PC "" "" "REQUIRES;REQUIRES_PRIVATE;LIBS;LIBS_PRIVATE" ${ARGN})
    set(PC_NAME ${name})
    set(PC_DESCRIPTION ${description})
    foreach(list REQUIRES REQUIRES_PRIVATE LIBS LIBS_PRIVATE)
        list(JOIN PC_${list} " " PC_${list})
    endforeach()
    configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/abut.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# -lm is not private: inline functions of the headers take square roots.
abut_install_pc(abut "${PROJECT_DESCRIPTION}" LIBS -labut -lm LIBS_PRIVATE -pthread)
if(ABUT_BUILD_MODELS)
    abut_install_pc(abut_models "Generated meshes for abut" REQUIRES "abut = ${PROJECT_VERSION}"
        LIBS -labut_models)
endif()
if(ABUT_BUILD_IO)
    set(io_requires)
    set(io_libs ${CMAKE_DL_LIBS})
    list(TRANSFORM io_libs PREPEND -l)
    if(ABUT_WITH_ZSTD)
        list(APPEND io_requires libzstd)
    endif()
    abut_install_pc(abut_io "Mesh files, fields and shape texts for abut"
        REQUIRES "abut = ${PROJECT_VERSION}" "abut_models = ${PROJECT_VERSION}"
        REQUIRES_PRIVATE ${io_requires} LIBS -labut_io LIBS_PRIVATE ${io_libs})
endif()
if(TARGET abut_bullet)
    abut_install_pc(abut_bullet "abut's shapes in Bullet" REQUIRES "abut = ${PROJECT_VERSION}" bullet
        LIBS -labut_bullet)
endif()
if(TARGET abut_bullet_double)
    abut_install_pc(abut_bullet_double "abut's shapes in Bullet in double"
        REQUIRES "abut = ${PROJECT_VERSION}" bullet-float64 LIBS -labut_bullet_double)
endif()
