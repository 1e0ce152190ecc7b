# Shaders of src/gpu: GLSL to SPIR-V by glslang, as a header of words that src/gpu/shaders.c includes. Each is
# compiled twice, with and without addresses of device memory. Without glslang or the headers of Vulkan the
# library has no devices (src/gpu/unavailable.c).
find_program(ABUT_GLSLANG NAMES glslangValidator glslang)
find_path(ABUT_VULKAN_HEADERS vulkan/vulkan.h)
set(ABUT_GPU AUTO CACHE STRING
    "Devices by Vulkan (needs glslang and the headers): ON, OFF, or AUTO where it can be")
set(abut_gpu_built OFF)
if(ABUT_GPU STREQUAL "AUTO" AND CMAKE_CROSSCOMPILING) # the headers are those of another system
    set(ABUT_GLSLANG ABUT_GLSLANG-NOTFOUND)
endif()
if(ABUT_GPU AND ABUT_GLSLANG AND ABUT_VULKAN_HEADERS)
    set(abut_gpu_built ON)
elseif(ABUT_GPU STREQUAL "ON")
    message(FATAL_ERROR "ABUT_GPU needs glslangValidator (Debian: glslang-tools) and the headers of Vulkan "
        "(Debian: libvulkan-dev)")
endif()

# abut_add_shaders(<source folder> <out: header> NAMES ...)
function(abut_add_shaders source_dir header)
    cmake_parse_arguments(ARG "" "" "NAMES" ${ARGN})
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/shaders)
    file(MAKE_DIRECTORY ${folder})
    # Whatever a shader may include.
    file(GLOB_RECURSE texts CONFIGURE_DEPENDS ${source_dir}/gpu/*.inl ${source_dir}/gpu/*.glsl
        ${source_dir}/*_math.inl)
    set(outputs)
    set(includes)
    foreach(name ${ARG_NAMES})
        foreach(variant "" _addresses)
            set(output ${folder}/${name}${variant}.h)
            set(define)
            if(variant)
                set(define -DGPU_ADDRESSES)
            endif()
            add_custom_command(OUTPUT ${output} ${folder}/${name}${variant}.spv
                COMMAND ${ABUT_GLSLANG} --quiet --target-env vulkan1.2 -I${source_dir} ${define}
                    --vn abut_spirv_${name}${variant} -o ${output} ${source_dir}/gpu/shaders/${name}.comp
                COMMAND ${ABUT_GLSLANG} --quiet --target-env vulkan1.2 -I${source_dir} ${define}
                    -o ${folder}/${name}${variant}.spv ${source_dir}/gpu/shaders/${name}.comp
                DEPENDS ${source_dir}/gpu/shaders/${name}.comp ${texts}
                COMMENT "Compiling shader ${name}${variant}")
            list(APPEND outputs ${output})
            string(APPEND includes "#include \"${name}${variant}.h\"\n")
        endforeach()
    endforeach()
    file(GENERATE OUTPUT ${folder}/abut_shaders.h CONTENT "${includes}")
    add_custom_target(abut_shaders DEPENDS ${outputs})
    set(${header} ${folder} PARENT_SCOPE)
endfunction()
