#include "io/field/field_pack.h"

#include "io/memory.h"
#include "io/mesh/bytes.h"
#include "io/process/node_filter.h"

#include <string.h>

#ifdef ABUT_WITH_ZSTD
#include <zstd.h>
#endif

static const char magic[8] = "abutzst";

enum
{
    VERSION = 1,
    HEADER_BYTES = 64,
    BLOCK_ALIGNMENT = 64,
    /// No frame of zstd unpacks to more: four bytes make at most 128 KiB. What claims more is not worth the
    /// memory.
    MAX_RATIO = 1 << 15,
};

/// Offsets of the header.
enum
{
    AT_VERSION = 8,
    AT_HEADER_BYTES = 12,
    AT_BLOCK_BYTES = 16,
    AT_FRAME_BYTES = 24,
    AT_NODES_OFFSET = 32,
    AT_NODES_BYTES = 40,
    AT_NODE_BYTES = 48,
    AT_COMPONENT_BYTES = 52,
    AT_CHECKSUM = 56,
};

bool abut_io_field_is_packed(const void* data, size_t size)
{
    return size >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

#ifndef ABUT_WITH_ZSTD

AbutResult abut_io_field_pack(const AbutShape* field, int level, const AbutHost* host, AbutIoPacked* out)
{
    (void)field;
    (void)level;
    (void)host;
    *out = (AbutIoPacked){ 0 };
    return abut_fail(ABUT_UNSUPPORTED, "fields cannot be compressed: this build is without zstd");
}

AbutResult abut_io_field_unpack(const void* data, size_t size, const char* name, const AbutHost* host,
                                AbutShape** out)
{
    (void)data;
    (void)size;
    (void)host;
    *out = NULL;
    return abut_fail(ABUT_UNSUPPORTED, "%s: the field is compressed, and this build is without zstd", name);
}

#else

static uint64_t checksum(const char* file, size_t size)
{
    char header[HEADER_BYTES];
    memcpy(header, file, HEADER_BYTES);
    memset(header + AT_CHECKSUM, 0, 8);
    return abut_hash(file + HEADER_BYTES, size - HEADER_BYTES, abut_hash(header, HEADER_BYTES, 0));
}

// -----------------------------------------------------------------------------------------------------------
// Packing
// -----------------------------------------------------------------------------------------------------------

typedef struct Packer
{
    ZSTD_CCtx* context;
    ZSTD_outBuffer out;
} Packer;

/// Hands bytes to zstd; the room is that of the worst case, so it never runs out.
static bool pack_bytes(Packer* packer, const void* bytes, size_t size, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = { bytes, size, 0 };
    size_t left = 0;
    do
    {
        left = ZSTD_compressStream2(packer->context, &packer->out, &in, directive);
        if (ZSTD_isError(left) || (packer->out.pos == packer->out.size && left != 0))
        {
            return false;
        }
    } while (in.pos < in.size || (directive == ZSTD_e_end && left != 0));
    return true;
}

static bool pack_nodes(Packer* packer, AbutIoNodeFilter filter, const uint8_t* nodes, size_t size)
{
    uint8_t filtered[ABUT_IO_FILTER_BYTES];
    size_t total = size / filter.node_bytes;
    bool fine = true;
    for (size_t begin = 0; begin < total && fine; begin += ABUT_IO_FILTER_NODES)
    {
        size_t count = total - begin < ABUT_IO_FILTER_NODES ? total - begin : ABUT_IO_FILTER_NODES;
        abut_io_filter_nodes(&filter, nodes + begin * filter.node_bytes, count, filtered);
        fine = pack_bytes(packer, filtered, count * filter.node_bytes, ZSTD_e_continue);
    }
    return fine;
}

static AbutIoNodeFilter filter_of(const AbutShape* field)
{
    AbutFieldFormat format = abut_field_info(field).format;
    return (AbutIoNodeFilter){
        .node_bytes = format == ABUT_FIELD_F32   ? 4
                      : format == ABUT_FIELD_F16 ? 2
                                                 : 8,
        .component_bytes = format == ABUT_FIELD_F16 ? 2 : 4,
    };
}

/// Everything before the nodes, the nodes, everything behind them.
static bool pack_block(Packer* packer, const AbutShape* field, int level)
{
    size_t size, nodes_size;
    const char* block = abut_field_data(field, &size);
    const char* nodes = abut_field_nodes(field, &nodes_size);
    const char* rest = nodes + nodes_size;
    return !ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel, level)) &&
           !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(packer->context, size)) &&
           pack_bytes(packer, block, (size_t)(nodes - block), ZSTD_e_continue) &&
           pack_nodes(packer, filter_of(field), (const uint8_t*)nodes, nodes_size) &&
           pack_bytes(packer, rest, size - (size_t)(rest - block), ZSTD_e_end);
}

static void write_header(const AbutShape* field, AbutIoPacked* file)
{
    size_t size, nodes_size;
    const char* block = abut_field_data(field, &size);
    const char* nodes = abut_field_nodes(field, &nodes_size);
    AbutIoNodeFilter filter = filter_of(field);
    char* header = file->bytes;
    memcpy(header, magic, sizeof(magic));
    abut_io_put_u32(header + AT_VERSION, VERSION);
    abut_io_put_u32(header + AT_HEADER_BYTES, HEADER_BYTES);
    abut_io_put_u64(header + AT_BLOCK_BYTES, size);
    abut_io_put_u64(header + AT_FRAME_BYTES, file->size - HEADER_BYTES);
    abut_io_put_u64(header + AT_NODES_OFFSET, (uint64_t)(nodes - block));
    abut_io_put_u64(header + AT_NODES_BYTES, nodes_size);
    abut_io_put_u32(header + AT_NODE_BYTES, filter.node_bytes);
    abut_io_put_u32(header + AT_COMPONENT_BYTES, filter.component_bytes);
    abut_io_put_u64(header + AT_CHECKSUM, checksum(header, file->size));
}

AbutResult abut_io_field_pack(const AbutShape* field, int level, const AbutHost* host, AbutIoPacked* out)
{
    size_t size;
    abut_field_data(field, &size);
    *out = (AbutIoPacked){ .capacity = HEADER_BYTES + ZSTD_compressBound(size) };
    out->bytes = abut_io_allocate(host, out->capacity);
    if (out->bytes == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    Packer packer = { .context = ZSTD_createCCtx(), .out = { out->bytes, out->capacity, HEADER_BYTES } };
    bool done = packer.context != NULL && pack_block(&packer, field, level);
    ZSTD_freeCCtx(packer.context);
    if (!done)
    {
        abut_io_free(host, out->bytes, out->capacity);
        return abut_fail(ABUT_OUT_OF_MEMORY, "out of memory while compressing a field of %zu bytes", size);
    }
    out->size = packer.out.pos;
    write_header(field, out);
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Unpacking
// -----------------------------------------------------------------------------------------------------------

/// What a header says, once it has been checked.
typedef struct PackedHeader
{
    uint64_t block_bytes, nodes_offset, nodes_bytes;
    AbutIoNodeFilter filter;
} PackedHeader;

static AbutResult fail_byte(const char* name, int offset, const char* what)
{
    return abut_fail(ABUT_INVALID_DATA, "%s: byte %d: %s", name, offset, what);
}

static AbutResult check_identity(const char* file, size_t size, const char* name)
{
    if (size < HEADER_BYTES || !abut_io_field_is_packed(file, size))
    {
        return fail_byte(name, 0, "this is not a compressed field, or it is cut off in its header");
    }
    uint32_t version = abut_io_u32(file + AT_VERSION, false);
    if (version != VERSION)
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "%s: byte %d: version %u of compressed fields; this library reads version %d", name,
                         AT_VERSION, version, VERSION);
    }
    if (abut_io_u32(file + AT_HEADER_BYTES, false) != HEADER_BYTES)
    {
        return fail_byte(name, AT_HEADER_BYTES, "the header has the wrong size");
    }
    if (abut_io_u64(file + AT_FRAME_BYTES, false) != size - HEADER_BYTES)
    {
        return fail_byte(name, AT_FRAME_BYTES, "the file is cut off or has something behind it");
    }
    return ABUT_OK;
}

static AbutResult check_sizes(const PackedHeader* header, size_t frame_bytes, const char* name)
{
    if (header->block_bytes / MAX_RATIO > frame_bytes || header->block_bytes > PTRDIFF_MAX / 2)
    {
        return fail_byte(name, AT_BLOCK_BYTES,
                         "the field is said to be larger than these bytes can unpack to");
    }
    if (header->nodes_offset > header->block_bytes ||
        header->nodes_bytes > header->block_bytes - header->nodes_offset)
    {
        return fail_byte(name, AT_NODES_OFFSET, "the nodes are not inside of the field");
    }
    uint32_t node = header->filter.node_bytes, component = header->filter.component_bytes;
    bool known =
        (node == 4 && component == 4) || (node == 2 && component == 2) || (node == 8 && component == 4);
    if (!known || header->nodes_bytes % node != 0)
    {
        return fail_byte(name, AT_NODE_BYTES, "unknown kind of nodes");
    }
    return ABUT_OK;
}

static AbutResult check_header(const char* file, size_t size, const char* name, PackedHeader* header)
{
    AbutResult result = check_identity(file, size, name);
    if (result != ABUT_OK)
    {
        return result;
    }
    *header = (PackedHeader){
        .block_bytes = abut_io_u64(file + AT_BLOCK_BYTES, false),
        .nodes_offset = abut_io_u64(file + AT_NODES_OFFSET, false),
        .nodes_bytes = abut_io_u64(file + AT_NODES_BYTES, false),
        .filter = { .node_bytes = abut_io_u32(file + AT_NODE_BYTES, false),
                    .component_bytes = abut_io_u32(file + AT_COMPONENT_BYTES, false) },
    };
    result = check_sizes(header, size - HEADER_BYTES, name);
    if (result == ABUT_OK && checksum(file, size) != abut_io_u64(file + AT_CHECKSUM, false))
    {
        return fail_byte(name, AT_CHECKSUM,
                         "the checksum does not match: the bytes were changed after the field was written");
    }
    return result;
}

static AbutResult unpack_block(const char* file, size_t size, const char* name, const PackedHeader* header,
                               uint8_t* block)
{
    const char* frame = file + HEADER_BYTES;
    size_t frame_bytes = size - HEADER_BYTES, block_bytes = (size_t)header->block_bytes;
    // One frame that says its size, and nothing behind it.
    if (ZSTD_getFrameContentSize(frame, frame_bytes) != header->block_bytes ||
        ZSTD_findFrameCompressedSize(frame, frame_bytes) != frame_bytes ||
        ZSTD_decompress(block, block_bytes, frame, frame_bytes) != block_bytes)
    {
        return fail_byte(name, HEADER_BYTES, "the compressed bytes are damaged");
    }
    AbutIoNodeFilter filter = header->filter;
    uint8_t* nodes = block + header->nodes_offset;
    size_t total = (size_t)header->nodes_bytes / filter.node_bytes;
    for (size_t begin = 0; begin < total; begin += ABUT_IO_FILTER_NODES)
    {
        size_t count = total - begin < ABUT_IO_FILTER_NODES ? total - begin : ABUT_IO_FILTER_NODES;
        abut_io_unfilter_nodes(&filter, nodes + begin * filter.node_bytes, count);
    }
    return ABUT_OK;
}

/// The host stands behind the block, so that it is there when the block goes.
static size_t host_offset(size_t block_bytes)
{
    return (block_bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
}

static void release_block(void* user, void* data, size_t size)
{
    (void)user;
    AbutHost host;
    memcpy(&host, (const char*)data + host_offset(size), sizeof(host));
    abut_io_free(&host, data, host_offset(size) + sizeof(host));
}

AbutResult abut_io_field_unpack(const void* data, size_t size, const char* name, const AbutHost* host,
                                AbutShape** out)
{
    *out = NULL;
    PackedHeader header;
    AbutResult result = check_header(data, size, name, &header);
    if (result != ABUT_OK)
    {
        return result;
    }
    size_t block_bytes = (size_t)header.block_bytes;
    uint8_t* block = abut_io_allocate(host, host_offset(block_bytes) + sizeof(AbutHost));
    if (block == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    memcpy(block + host_offset(block_bytes), host, sizeof(*host));
    result = unpack_block(data, size, name, &header, block);
    if (result == ABUT_OK)
    {
        AbutFieldDataDef def = abut_field_data_def();
        def.data = block;
        def.size = block_bytes;
        def.release = release_block;
        def.name = name;
        def.host = host;
        result = abut_field_create_from_data(&def, out);
    }
    if (result != ABUT_OK)
    {
        release_block(NULL, block, block_bytes);
    }
    return result;
}

#endif
