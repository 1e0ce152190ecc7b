// abut query: distances and gradients at points given as text.
//
// Text is read in chunks and cut into blocks at line ends. The workers turn blocks of text into blocks of
// answers, which are written in order, so that memory stays bounded for any number of points and the answer
// does not depend on the number of workers.
#include "command.h"
#include "format_number.h"
#include "output.h"
#include "point_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    BLOCK_BYTES = 1 << 15, // of text; also the longest line
    BLOCK_COUNT = 32,
    CHUNK_BYTES = BLOCK_BYTES * BLOCK_COUNT,
    SHORTEST_LINE = 6, // "0 0 0\n"
    BLOCK_POINTS = BLOCK_BYTES / SHORTEST_LINE + 1,
    ANSWER_SIZE = 4 * FORMAT_FLOAT_SIZE + 40, // four numbers and the names around them in JSON
    BATCH = 512
};

/// Points nearer to the surface than this part of their distance from the middle of the shape are asked again
/// in a frame of their own: rounding their coordinates to float about the middle moves them by up to 2^-24 of
/// that distance, which is then more than a millionth of the answer.
#define NEAR_SHARE (1.0f / 16.0f)

typedef struct QuerySettings
{
    CommonSettings common;
    const char* pose;
} QuerySettings;

/// The shape and the frame that most points are asked in.
typedef struct Query
{
    const AbutShape* shape;
    AbutPose pose;       // of the shape in the world
    AbutPosition center; // the middle of its bounds in the world
    AbutPose local_pose; // of the shape in a world that is moved to there
    bool json;
} Query;

typedef struct Block
{
    const char* text; // whole lines
    const char* end;
    char* answers;
    size_t answer_size;
    uint64_t line_count;
    uint64_t point_count;
    const char* reason; // why line number `line_count` is bad, or NULL
} Block;

typedef struct QueryWork
{
    const Query* query;
    Block blocks[BLOCK_COUNT];
    uint32_t block_count;
} QueryWork;

// -----------------------------------------------------------------------------------------------------------
// Answers for a batch of points
// -----------------------------------------------------------------------------------------------------------

typedef struct PointBatch
{
    AbutPosition points[BATCH];
    size_t count;
    float x[BATCH], y[BATCH], z[BATCH];
    float distance[BATCH], gradient_x[BATCH], gradient_y[BATCH], gradient_z[BATCH];
} PointBatch;

static Query make_query(const AbutShape* shape, const AbutPose* pose, bool json)
{
    AbutBox box = abut_shape_info(shape).bounds;
    AbutVec3 middle = abut_vec3(0.5f * box.min.x + 0.5f * box.max.x, 0.5f * box.min.y + 0.5f * box.max.y,
                                0.5f * box.min.z + 0.5f * box.max.z);
    if (!abut_vec3_is_finite(middle))
    {
        middle = abut_vec3(0.0f, 0.0f, 0.0f);
    }
    Query query = { .shape = shape, .pose = *pose, .local_pose = *pose, .json = json };
    query.center = abut_pose_transform_point(pose, middle);
    query.local_pose.position.x -= query.center.x;
    query.local_pose.position.y -= query.center.y;
    query.local_pose.position.z -= query.center.z;
    return query;
}

static void ask_again(const Query* query, PointBatch* batch, size_t i)
{
    AbutVec3 gradient;
    batch->distance[i] = abut_shape_distance_at(query->shape, &query->pose, batch->points[i], &gradient);
    batch->gradient_x[i] = gradient.x;
    batch->gradient_y[i] = gradient.y;
    batch->gradient_z[i] = gradient.z;
}

static void ask(const Query* query, PointBatch* batch)
{
    for (size_t i = 0; i < batch->count; ++i)
    {
        batch->x[i] = (float)(batch->points[i].x - query->center.x);
        batch->y[i] = (float)(batch->points[i].y - query->center.y);
        batch->z[i] = (float)(batch->points[i].z - query->center.z);
    }
    AbutPoints points = { batch->x, batch->y, batch->z };
    AbutSamples samples = { batch->distance, batch->gradient_x, batch->gradient_y, batch->gradient_z };
    abut_shape_sample(query->shape, &query->local_pose, points, batch->count, samples);
    for (size_t i = 0; i < batch->count; ++i)
    {
        float far = fmaxf(fabsf(batch->x[i]), fmaxf(fabsf(batch->y[i]), fabsf(batch->z[i])));
        if (!(fabsf(batch->distance[i]) >= NEAR_SHARE * far))
        {
            ask_again(query, batch, i);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// Answers as text
// -----------------------------------------------------------------------------------------------------------

static char* put_text(char* out, const char* text)
{
    size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

static char* put_json_number(char* out, float value)
{
    return isfinite(value) ? out + format_float(out, value) : put_text(out, "null");
}

static char* put_json_answer(char* out, const PointBatch* batch, size_t i)
{
    out = put_json_number(put_text(out, ",\n{\"distance\":"), batch->distance[i]);
    out = put_json_number(put_text(out, ",\"gradient\":["), batch->gradient_x[i]);
    out = put_json_number(put_text(out, ","), batch->gradient_y[i]);
    out = put_json_number(put_text(out, ","), batch->gradient_z[i]);
    return put_text(out, "]}");
}

static char* put_plain_answer(char* out, const PointBatch* batch, size_t i)
{
    const float values[4] = { batch->distance[i], batch->gradient_x[i], batch->gradient_y[i],
                              batch->gradient_z[i] };
    for (int k = 0; k < 4; ++k)
    {
        out += format_float(out, values[k]);
        *out++ = k < 3 ? ' ' : '\n';
    }
    return out;
}

static void answer_batch(const Query* query, Block* block, PointBatch* batch)
{
    ask(query, batch);
    char* out = block->answers + block->answer_size;
    for (size_t i = 0; i < batch->count; ++i)
    {
        out = query->json ? put_json_answer(out, batch, i) : put_plain_answer(out, batch, i);
    }
    block->answer_size = (size_t)(out - block->answers);
    block->point_count += batch->count;
    batch->count = 0;
}

static void answer_block(void* context, uint32_t index, uint32_t worker)
{
    (void)worker;
    QueryWork* work = context;
    Block* block = &work->blocks[index];
    PointBatch batch;
    batch.count = 0;
    for (const char* line = block->text; line < block->end && block->reason == NULL;)
    {
        const char* end = memchr(line, '\n', (size_t)(block->end - line));
        PointLine kind = point_line_parse(line, end, &batch.points[batch.count], &block->reason);
        block->line_count += 1;
        batch.count += kind == POINT_LINE_POINT;
        if (batch.count == BATCH)
        {
            answer_batch(work->query, block, &batch);
        }
        line = end + 1;
    }
    answer_batch(work->query, block, &batch);
}

// -----------------------------------------------------------------------------------------------------------
// Text in, text out
// -----------------------------------------------------------------------------------------------------------

typedef struct PointReader
{
    FILE* stream;
    const char* name;
    char* text; // CHUNK_BYTES, and room for a newline
    size_t size;
    size_t pending; // bytes at the end that belong to a line which goes on
    bool at_end;
    uint64_t line_count;
    uint64_t point_count;
    double total_bytes; // 0 when not known
    double read_bytes;
} PointReader;

static bool fail_line(const PointReader* reader, uint64_t line, const char* reason)
{
    message_error("%s:%" PRIu64 ": %s", reader->name, line, reason);
    return false;
}

/// Fills the buffer behind what is carried over.
static bool read_chunk(PointReader* reader)
{
    memmove(reader->text, reader->text + reader->size, reader->pending);
    size_t wanted = CHUNK_BYTES - reader->pending;
    errno = 0;
    size_t got = fread(reader->text + reader->pending, 1, wanted, reader->stream);
    if (ferror(reader->stream))
    {
        message_error("%s: cannot read: %s", reader->name, strerror(errno));
        return false;
    }
    reader->at_end = got < wanted;
    reader->read_bytes += (double)got;
    reader->size = reader->pending + got;
    if (reader->at_end && reader->size > 0 && reader->text[reader->size - 1] != '\n')
    {
        reader->text[reader->size++] = '\n'; // the last line may do without
    }
    return true;
}

/// The end of the last line in [begin, end), or `begin` when none ends there.
static const char* last_line_end(const char* begin, const char* end)
{
    while (end > begin && end[-1] != '\n')
    {
        --end;
    }
    return end;
}

/// Cuts the chunk into blocks of whole lines. What follows the last line end is carried over.
static void cut_chunk(PointReader* reader, QueryWork* work)
{
    const char* at = reader->text;
    const char* end = reader->text + reader->size;
    work->block_count = 0;
    while (work->block_count < BLOCK_COUNT)
    {
        const char* limit = end - at > BLOCK_BYTES ? at + BLOCK_BYTES : end;
        const char* cut = last_line_end(at, limit);
        if (cut == at)
        {
            break;
        }
        Block* block = &work->blocks[work->block_count++];
        block->text = at;
        block->end = cut;
        block->answer_size = 0;
        block->line_count = 0;
        block->point_count = 0;
        block->reason = NULL;
        at = cut;
    }
    reader->pending = (size_t)(end - at);
    reader->size -= reader->pending;
}

/// Writes the answers in order, up to the first bad line.
static bool write_answers(PointReader* reader, const QueryWork* work)
{
    for (uint32_t i = 0; i < work->block_count; ++i)
    {
        const Block* block = &work->blocks[i];
        // The first answer of a JSON list has no comma before it.
        size_t skip = work->query->json && reader->point_count == 0 && block->answer_size > 0 ? 1 : 0;
        if (!output_write(block->answers + skip, block->answer_size - skip))
        {
            return false;
        }
        reader->point_count += block->point_count;
        reader->line_count += block->line_count;
        if (block->reason != NULL)
        {
            return fail_line(reader, reader->line_count, block->reason);
        }
    }
    return true;
}

static bool answer_all(const Session* session, PointReader* reader, QueryWork* work)
{
    // Who types points, or waits for another program to print them, wants no line between the answers.
    Progress progress = { 0 };
    if (reader->total_bytes > 0.0 && !isatty(STDOUT_FILENO))
    {
        progress = progress_start("answering");
    }
    while (!reader->at_end || reader->pending > 0)
    {
        if (!read_chunk(reader))
        {
            return false;
        }
        cut_chunk(reader, work);
        session->host.parallel_for(session->host.user, work->block_count, answer_block, work);
        if (!write_answers(reader, work))
        {
            return false;
        }
        if (work->block_count == 0 && reader->pending > 0)
        {
            return fail_line(reader, reader->line_count + 1, "a line of more than 32768 bytes");
        }
        if (reader->total_bytes > 0.0)
        {
            progress_show(&progress, (float)(reader->read_bytes / reader->total_bytes));
        }
    }
    progress_end();
    return true;
}

static bool open_reader(PointReader* reader, const char* path)
{
    memset(reader, 0, sizeof(*reader));
    bool standard = path == NULL || strcmp(path, "-") == 0;
    reader->name = standard ? "standard input" : path;
    reader->stream = standard ? stdin : fopen(path, "rb");
    if (reader->stream == NULL)
    {
        message_error("%s: cannot open: %s", path, strerror(errno));
        return false;
    }
    struct stat status;
    if (fstat(fileno(reader->stream), &status) == 0 && S_ISREG(status.st_mode))
    {
        reader->total_bytes = (double)status.st_size;
    }
    return true;
}

static bool allocate_buffers(PointReader* reader, QueryWork* work)
{
    reader->text = malloc(CHUNK_BYTES + 1);
    bool good = reader->text != NULL;
    for (int i = 0; i < BLOCK_COUNT; ++i)
    {
        work->blocks[i].answers = malloc((size_t)BLOCK_POINTS * ANSWER_SIZE);
        good = good && work->blocks[i].answers != NULL;
    }
    if (!good)
    {
        message_error("no memory for the points");
    }
    return good;
}

static bool answer_points(const Session* session, const Query* query, const char* path)
{
    PointReader reader;
    if (!open_reader(&reader, path))
    {
        return false;
    }
    QueryWork work = { .query = query };
    bool good = allocate_buffers(&reader, &work);
    if (good && query->json)
    {
        fputs("{\"samples\":[", stdout);
    }
    good = good && answer_all(session, &reader, &work);
    if (good && query->json)
    {
        fputs("\n]}\n", stdout);
    }
    for (int i = 0; i < BLOCK_COUNT; ++i)
    {
        free(work.blocks[i].answers);
    }
    free(reader.text);
    if (reader.stream != stdin)
    {
        fclose(reader.stream);
    }
    return good;
}

static ExitCode run(const Session* session, const void* settings_pointer)
{
    const QuerySettings* settings = settings_pointer;
    const Positionals* arguments = session->positionals;
    AbutPose pose;
    if (!command_parse_pose("pose", settings->pose, &pose))
    {
        return EXIT_USAGE;
    }
    AbutShape* shape;
    if (!command_load_distance(session, arguments->items[0], &shape))
    {
        return EXIT_INPUT;
    }
    Query query = make_query(shape, &pose, settings->common.json);
    bool good = answer_points(session, &query, arguments->count > 1 ? arguments->items[1] : NULL);
    abut_shape_destroy(shape);
    return good ? EXIT_DONE : EXIT_INPUT;
}

static const Option options[] = {
    { "pose", 0, OPTION_TEXT, offsetof(QuerySettings, pose), "POSE",
      "where the shape stands: x,y,z[,qx,qy,qz,qw[,scale]]", 0, 0, 0 },
    COMMON_OPTIONS,
};

const Command command_query = {
    .name = "query",
    .usage = "SHAPE [POINTS] [options]",
    .summary = "distance and gradient at points",
    .description =
        "Reads a point \"x y z\" per line from the file POINTS, or from standard input, and prints a line\n"
        "\"distance gx gy gz\" for each. Distances are negative inside. Blanks or commas stand between "
        "numbers;\n"
        "empty lines and what follows a # are passed over. Coordinates are taken in double relative to the\n"
        "shape, so a small part far from the origin is as sharp as at it. With --json: {\"samples\":\n"
        "[{\"distance\", \"gradient\"}]}.",
    .examples = "  echo 1 0 0 | abut query sphere:0.5\n"
                "  abut query 'difference(box:1,1,1;sphere:0.6)' points.xyz > distances.txt\n"
                "  abut query capsule:0.01,0.1 points.csv --pose 10000,0,0 --json\n"
                "  seq -f '0 %g 0' 0 0.1 2 | abut query terrain:10,1\n",
    .options = options,
    .least_arguments = 1,
    .most_arguments = 2,
    .lists_shapes = true,
    .run = run,
};
