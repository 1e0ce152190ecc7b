#include "packed.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum
{
    BLOCK_ROWS = 4096, // as in viewer/src/packed.js
    CHUNK_SIZE = 3 << 14,
    TEXT_SIZE = CHUNK_SIZE / 3 * 4
};

struct PackedWriter
{
    FILE* stream;
    uint32_t words, back;
    uint32_t* block; // BLOCK_ROWS rows: what differs from the rows before
    uint32_t block_rows;
    uint32_t* history; // the last `back` rows, in a ring
    uint64_t row_count;
    unsigned char* planes; // the block in the order word, byte, row
    z_stream deflater;
    size_t left; // bytes that wait for a third one
    unsigned char chunk[CHUNK_SIZE + 2];
    char text[TEXT_SIZE];
};

// -----------------------------------------------------------------------------------------------------------
// base64
// -----------------------------------------------------------------------------------------------------------

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode_triple(const unsigned char* bytes, char* out)
{
    uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
    for (int i = 0; i < 4; ++i)
    {
        out[i] = digits[bits >> (18 - 6 * i) & 63];
    }
}

/// Writes the whole triples of the first `size` bytes of the chunk and moves the rest to its front.
static void write_triples(PackedWriter* writer, size_t size)
{
    size_t triples = size / 3;
    for (size_t i = 0; i < triples; ++i)
    {
        encode_triple(writer->chunk + 3 * i, writer->text + 4 * i);
    }
    fwrite(writer->text, 4, triples, writer->stream);
    writer->left = size - 3 * triples;
    memmove(writer->chunk, writer->chunk + 3 * triples, writer->left);
}

static void write_last_triple(PackedWriter* writer)
{
    if (writer->left == 0)
    {
        return;
    }
    unsigned char last[3] = { 0, 0, 0 };
    char out[4];
    memcpy(last, writer->chunk, writer->left);
    encode_triple(last, out);
    memset(out + writer->left + 1, '=', 3 - writer->left);
    fwrite(out, 1, sizeof(out), writer->stream);
}

// -----------------------------------------------------------------------------------------------------------
// deflate
// -----------------------------------------------------------------------------------------------------------

static bool deflate_step(PackedWriter* writer, int flush)
{
    do
    {
        writer->deflater.next_out = writer->chunk + writer->left;
        writer->deflater.avail_out = (uInt)(CHUNK_SIZE - writer->left);
        if (deflate(&writer->deflater, flush) == Z_STREAM_ERROR)
        {
            return false;
        }
        write_triples(writer, CHUNK_SIZE - writer->deflater.avail_out);
    } while (writer->deflater.avail_out == 0);
    return true;
}

static bool deflate_bytes(PackedWriter* writer, const unsigned char* bytes, size_t size)
{
    const size_t most = (size_t)1 << 30; // zlib counts in 32 bits
    for (size_t done = 0; done < size;)
    {
        size_t chunk = size - done < most ? size - done : most;
        // zlib reads through this pointer only, but declares it without const unless told otherwise.
        writer->deflater.next_in = (Bytef*)(uintptr_t)(bytes + done);
        writer->deflater.avail_in = (uInt)chunk;
        if (!deflate_step(writer, Z_NO_FLUSH))
        {
            return false;
        }
        done += chunk;
    }
    return true;
}

// -----------------------------------------------------------------------------------------------------------
// Rows
// -----------------------------------------------------------------------------------------------------------

static void add_row(PackedWriter* writer, const uint32_t* row)
{
    uint32_t* before = writer->history + (size_t)(writer->row_count % writer->back) * writer->words;
    uint32_t* out = writer->block + (size_t)writer->block_rows * writer->words;
    for (uint32_t i = 0; i < writer->words; ++i)
    {
        out[i] = row[i] - before[i];
        before[i] = row[i];
    }
    writer->row_count += 1;
    writer->block_rows += 1;
}

static bool flush_block(PackedWriter* writer)
{
    unsigned char* out = writer->planes;
    for (uint32_t word = 0; word < writer->words; ++word)
    {
        for (uint32_t byte = 0; byte < 4; ++byte)
        {
            for (uint32_t row = 0; row < writer->block_rows; ++row)
            {
                *out++ =
                    (unsigned char)(writer->block[(size_t)row * writer->words + word] >> (8 * byte) & 255);
            }
        }
    }
    writer->block_rows = 0;
    return deflate_bytes(writer, writer->planes, (size_t)(out - writer->planes));
}

static void release(PackedWriter* writer)
{
    free(writer->block);
    free(writer->history);
    free(writer->planes);
    free(writer);
}

static bool reserve(PackedWriter* writer)
{
    if (writer->words == 0)
    {
        return true;
    }
    writer->block = malloc((size_t)BLOCK_ROWS * writer->words * sizeof(uint32_t));
    writer->planes = malloc((size_t)BLOCK_ROWS * writer->words * sizeof(uint32_t));
    writer->history = calloc((size_t)writer->back * writer->words, sizeof(uint32_t));
    return writer->block != NULL && writer->planes != NULL && writer->history != NULL;
}

PackedWriter* packed_begin(FILE* stream, uint32_t words, uint32_t back)
{
    PackedWriter* writer = calloc(1, sizeof(*writer));
    if (writer == NULL)
    {
        return NULL;
    }
    writer->stream = stream;
    writer->words = words;
    writer->back = back;
    if (!reserve(writer) || deflateInit(&writer->deflater, Z_DEFAULT_COMPRESSION) != Z_OK)
    {
        release(writer);
        return NULL;
    }
    fprintf(stream, "{\"words\":%u,\"back\":%u,\"data\":\"", words, back);
    return writer;
}

bool packed_add(PackedWriter* writer, const void* rows, size_t row_count)
{
    if (writer->words == 0)
    {
        return deflate_bytes(writer, rows, row_count);
    }
    for (size_t i = 0; i < row_count; ++i)
    {
        uint32_t row[64];
        size_t size = writer->words * sizeof(uint32_t);
        memcpy(row, (const unsigned char*)rows + i * size, size); // floats, as likely as not
        add_row(writer, row);
        if (writer->block_rows == BLOCK_ROWS && !flush_block(writer))
        {
            return false;
        }
    }
    return true;
}

bool packed_end(PackedWriter* writer)
{
    bool good = writer->block_rows == 0 || flush_block(writer);
    writer->deflater.avail_in = 0;
    good = deflate_step(writer, Z_FINISH) && good;
    deflateEnd(&writer->deflater);
    write_last_triple(writer);
    fputs("\"}", writer->stream);
    release(writer);
    return good;
}

bool packed_write(FILE* stream, const void* rows, size_t row_count, uint32_t words)
{
    PackedWriter* writer = packed_begin(stream, words, words > 0 ? 1 : 0);
    if (writer == NULL)
    {
        return false;
    }
    bool good = packed_add(writer, rows, row_count);
    return packed_end(writer) && good;
}
