/// @file gpu.h
/// Devices that compute the same bytes as the processor: GPUs of any vendor through Vulkan 1.2, and software
/// devices. docs/gpu.md has the design.
///
/// The Vulkan loader is opened at run time: the library links nothing, and where there is no loader or no
/// device, abut_device_create() says so. A device that fails its self-test (other bits than the processor) is
/// refused.
#ifndef ABUT_GPU_H
#define ABUT_GPU_H

#include <abut/base.h>
#include <abut/math.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutDeviceKind
{
    ABUT_DEVICE_DISCRETE,   ///< a GPU with memory of its own
    ABUT_DEVICE_INTEGRATED, ///< a GPU that shares the memory of the processor
    ABUT_DEVICE_VIRTUAL,    ///< a GPU of another machine
    ABUT_DEVICE_OTHER,
    ABUT_DEVICE_SOFTWARE, ///< the processor itself, behind the interface of a GPU
    ABUT_DEVICE_KIND_COUNT
} AbutDeviceKind;

/// "discrete", "integrated", "virtual", "other", "software"; never NULL.
ABUT_API const char* abut_device_kind_name(AbutDeviceKind kind);

typedef struct AbutDeviceInfo
{
    uint32_t index; ///< in the order of the loader
    AbutDeviceKind kind;
    char name[256];
    char driver[256];
    uint32_t vulkan_major, vulkan_minor;
    uint64_t memory_bytes;     ///< of its largest heap of device memory
    uint64_t max_buffer_bytes; ///< that a shader can bind
    uint32_t max_group;        ///< invocations of a workgroup
    bool addresses;            ///< shaders read fields by address; otherwise fields are bound, up to 512 MiB
    bool usable;               ///< has what is needed, and passed the self-test
    char verdict[256];         ///< of the self-test, or the reason why the device is not usable
} AbutDeviceInfo;

/// All devices, each with its self-test, up to `capacity` of them; *count is the number of all. No loader and
/// no device are no error: *count is 0, and abut_last_error() has the reason.
/// @return ABUT_OK or ABUT_OUT_OF_MEMORY
ABUT_API AbutResult abut_device_list(AbutDeviceInfo* infos, uint32_t capacity, uint32_t* count);

/// A device and its memory. One call at a time. Keeps the fields that it holds alive.
typedef struct AbutDevice AbutDevice;

/// Definition of a device; abut_device_def() has the defaults.
typedef struct AbutDeviceDef
{
    const AbutHost* host; ///< NULL: the default host
    /// An index of abut_device_list(), or a part of a name in any case ("radeon"). NULL, "" or "gpu": the
    /// environment variable ABUT_GPU, in the same form, or else the best device; a software device only where
    /// there is no other.
    const char* name;
    uint64_t memory_budget; ///< bytes for fields; 0: half of the device's memory
    uint32_t chunk_particles; ///< particles of a launch, 2¹⁰ to 2²²; default 2¹⁸, for which scratch is 13 MB
    bool two_passes;          ///< particles walk twice, as in the paper: first counts, then contacts
    bool bind_fields;         ///< do not use addresses of device memory
    bool stage;               ///< copy through staging memory, also where device memory can be mapped
    bool validate;            ///< use the Khronos validation layer, with its messages to the host's log
} AbutDeviceDef;

ABUT_API AbutDeviceDef abut_device_def(void);

/// @return ABUT_UNSUPPORTED with a message where there is no loader, no device (of that name), or the device
/// has not passed; ABUT_OUT_OF_MEMORY; ABUT_INVALID_ARGUMENT
ABUT_API AbutResult abut_device_create(const AbutDeviceDef* def, AbutDevice** out);

/// NULL is ignored. Colliders that use the device must be destroyed, or told of another one, before.
ABUT_API void abut_device_destroy(AbutDevice* device);

ABUT_API AbutDeviceInfo abut_device_info(const AbutDevice* device);

/// abut_shape_sample() of a field in its own frame, on the device: the same bytes. Gradients are optional.
/// Points must be finite, within 2⁶⁰ of the origin.
/// @return ABUT_UNSUPPORTED for shapes that are no fields and for fields whose numbers a device might flush
/// or overflow (cells under 2⁻³⁰ or over 2³⁰, nodes over 2³⁰ cells or, unless they are 0, under 2⁻⁶⁰);
/// ABUT_LIMIT_EXCEEDED for fields over the memory budget; ABUT_OUT_OF_MEMORY; ABUT_DEVICE_LOST
ABUT_API AbutResult abut_device_sample(AbutDevice* device, const AbutShape* field, AbutPoints points,
                                       size_t count, AbutSamples out);

/// Work of a device since it was created, or since abut_device_reset_stats().
typedef struct AbutDeviceStats
{
    uint64_t submissions; ///< to the queue
    uint64_t particles, hits;
    uint64_t thinned_hits;  ///< of these, left out on the device: not the deepest of a voxel or of a pair
    uint64_t boxes, leaves; ///< of distance octrees: divided ones, and those that were sampled
    uint64_t uploaded_bytes, downloaded_bytes;
    uint64_t uploaded_fields, evicted_fields;
    uint64_t field_bytes;    ///< of the fields on the device, now
    uint64_t scratch_bytes;  ///< of all other memory on the device, now
    double device_seconds;   ///< of launches, by the timestamps of the device
    double wait_seconds;     ///< of the same and their submission, by the clock of the processor
    double transfer_seconds; ///< of uploads and downloads, by the clock of the processor
} AbutDeviceStats;

ABUT_API AbutDeviceStats abut_device_stats(const AbutDevice* device);

ABUT_API void abut_device_reset_stats(AbutDevice* device);

#ifdef __cplusplus
}
#endif

#endif
