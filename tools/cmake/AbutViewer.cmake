# The page that plays simulations (viewer/), bundled by Node.js. Sets ABUT_VIEWER_PAGE to the C file that
# carries it, which a rule of this folder makes, empty where the page is not built; ABUT_NODE is Node.js.
set(ABUT_VIEWER_PAGE "" CACHE INTERNAL "")
set(viewer ${PROJECT_SOURCE_DIR}/viewer)

# abut_viewer_without(<reason>): a choice when the page is optional, an error when it was asked for.
macro(abut_viewer_without reason)
    if(ABUT_VIEWER STREQUAL "AUTO")
        message(STATUS "Without the page that plays simulations (abut simulate -o x.html): ${reason}")
        return()
    endif()
    message(FATAL_ERROR "ABUT_VIEWER is ON: ${reason}")
endmacro()

if(NOT ABUT_VIEWER)
    return()
endif()
find_program(ABUT_NODE NAMES node nodejs DOC "Node.js 18 or newer")
find_program(ABUT_NPM NAMES npm DOC "npm, of Node.js")
mark_as_advanced(ABUT_NODE ABUT_NPM)
if(NOT ABUT_NODE OR NOT ABUT_NPM)
    abut_viewer_without("Node.js and npm are not here (Debian: nodejs npm; `make` installs them)")
endif()
execute_process(COMMAND ${ABUT_NODE} --version
    OUTPUT_VARIABLE version ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^v" "" version "${version}")
if(version VERSION_LESS 18)
    abut_viewer_without("Node.js is version '${version}', and 18 or newer is needed")
endif()

# What npm installs depends on the lock file alone; a new one is a reason to configure again.
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND
    PROPERTY CMAKE_CONFIGURE_DEPENDS ${viewer}/package-lock.json)
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/install_npm viewer ${ABUT_NPM} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    abut_viewer_without("npm could not install what it is made of (see above)")
endif()

file(GLOB viewer_sources CONFIGURE_DEPENDS ${viewer}/src/*)
set(ABUT_VIEWER_PAGE ${PROJECT_BINARY_DIR}/viewer/viewer_page.c CACHE INTERNAL "")
add_custom_command(
    OUTPUT ${ABUT_VIEWER_PAGE}
    BYPRODUCTS ${PROJECT_BINARY_DIR}/viewer/viewer.html
    COMMAND ${ABUT_NODE} ${viewer}/build.js ${PROJECT_BINARY_DIR}/viewer/viewer.html ${ABUT_VIEWER_PAGE}
    DEPENDS ${viewer}/build.js ${viewer}/package-lock.json ${viewer_sources}
    COMMENT "Bundling the viewer"
    VERBATIM)
