// Checks of a block before it is used: every number of the header, every section, and the bytes between them.
// Valid contents of a section are defined beside the code that reads it (field/nodes/node.h,
// field/bounds/pyramid.h, field/bounds/distance_octree.h); any bytes are valid half spaces, lower planes and
// cell errors.
#include "field/block_check.h"

#include "field/bounds/distance_octree.h"
#include "field/bounds/pyramid.h"
#include "field/mass.h"
#include "field/nodes/node.h"

#include <math.h>
#include <string.h>

static AbutResult fail_block(const char* name, size_t offset, const char* what)
{
    return abut_fail(ABUT_INVALID_DATA, "%s: byte %zu: %s", name, offset, what);
}

#define FAIL_AT(member, what) fail_block(name, offsetof(AbutFieldHeader, member), what)

// -----------------------------------------------------------------------------------------------------------
// Header
// -----------------------------------------------------------------------------------------------------------

static AbutResult check_identity(const AbutFieldHeader* h, size_t size, const char* name)
{
    if (memcmp(h->magic, ABUT_FIELD_MAGIC, sizeof(h->magic)) != 0)
    {
        return FAIL_AT(magic, "this is not an abut field");
    }
    if (h->version != ABUT_FIELD_VERSION)
    {
        return abut_fail(
            ABUT_INVALID_DATA,
            "%s: byte %zu: format version %u; this library reads version %u: bake the field again", name,
            offsetof(AbutFieldHeader, version), h->version, ABUT_FIELD_VERSION);
    }
    if (h->header_bytes != sizeof(AbutFieldHeader))
    {
        return FAIL_AT(header_bytes, "the header has the wrong size");
    }
    if (h->total_bytes != size)
    {
        return abut_fail(ABUT_INVALID_DATA,
                         "%s: the header says %llu bytes, but there are %zu: the file is cut off or has "
                         "something behind it",
                         name, (unsigned long long)h->total_bytes, size);
    }
    return ABUT_OK;
}

static bool is_measure(float value)
{
    return value >= 0.0f; // may be infinite, not NaN
}

static bool is_zero(const void* bytes, size_t size)
{
    const char* at = bytes;
    return size == 0 || (at[0] == 0 && memcmp(at, at + 1, size - 1) == 0);
}

const char* abut_field_grid_fault(const AbutFieldHeader* h)
{
    if (!(h->cell_size >= ABUT_FIELD_MIN_CELL_SIZE && h->cell_size <= ABUT_FIELD_LARGEST))
    {
        return "the cell size is not a number from 1e-30 to 1e30";
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = h->cell_size * ABUT_BRICK_CELLS * (double)h->brick_count[axis];
        if (!(fabs(h->origin[axis]) <= ABUT_FIELD_LARGEST && size <= ABUT_FIELD_LARGEST))
        {
            return "the grid reaches beyond 1e30, or the origin is not finite";
        }
    }
    return NULL;
}

static AbutResult check_grid(const AbutFieldHeader* h, const char* name)
{
    if (h->brick_count[0] == 0 || h->brick_count[1] == 0 || h->brick_count[2] == 0)
    {
        return FAIL_AT(brick_count, "there are no bricks");
    }
    if (h->format >= ABUT_FIELD_FORMAT_COUNT)
    {
        return FAIL_AT(format, "unknown node format");
    }
    if (h->sparse > 1 || h->has_octree > 1 || h->exact > 1 ||
        h->sign_flags >> ABUT_FIELD_SIGN_MASS_SHIFT > ABUT_MASS_UNKNOWN || h->reserved_end != 0)
    {
        return FAIL_AT(sparse, "a flag is neither 0 nor 1, or a reserved number is not 0");
    }
    const char* fault = abut_field_grid_fault(h);
    return fault == NULL ? ABUT_OK : FAIL_AT(origin, fault);
}

static AbutResult check_measures(const AbutFieldHeader* h, const char* name)
{
    if (!is_measure(h->slope) || !isfinite(h->slope) || !is_measure(h->error_bound) ||
        !is_measure(h->measured_max) || !is_measure(h->measured_rms))
    {
        return FAIL_AT(slope, "slope or error is not a number, or negative");
    }
    if (!(h->source_slope >= 1.0f))
    {
        return FAIL_AT(source_slope, "the slope of the source is not a number of at least 1");
    }
    if (!is_measure(h->node_error) || !isfinite(h->node_error) || !is_measure(h->gap_width))
    {
        return FAIL_AT(node_error, "the error of nodes is not finite, or negative");
    }
    if (!(h->uncertain_volume >= 0.0) || !isfinite(h->uncertain_volume))
    {
        return FAIL_AT(uncertain_volume, "the volume in doubt is not finite, or negative");
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        if (!(h->solid[axis] <= h->solid[axis + 3]))
        {
            return FAIL_AT(solid, "the box of the solid is not a number, or inside out");
        }
    }
    return ABUT_OK;
}

/// True for a mass that a solid within the grid can have, or for none at all.
static bool is_mass_in_grid(const AbutFieldHeader* h, const AbutMassData* mass)
{
    // Integrals are rounded.
    const double slack = 1e-6;
    double box = 1.0, squares = 0.0;
    bool fits = true;
    for (int axis = 0; axis < 3; ++axis)
    {
        double size = h->cell_size * ABUT_BRICK_CELLS * h->brick_count[axis];
        double rounding = slack * (size + fabs(h->origin[axis]));
        fits = fits && fabs(mass->center[axis] - (h->origin[axis] + 0.5 * size)) <= 0.5 * size + rounding;
        box *= size;
        squares += (size + rounding) * (size + rounding);
    }
    const double most = mass->volume * squares;
    fits = fits && mass->inertia[0][0] <= most && mass->inertia[1][1] <= most && mass->inertia[2][2] <= most;
    return fits && mass->volume <= box * (1.0 + slack) && abut_field_mass_is_solid(mass);
}

static bool are_finite(const double* numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (!isfinite(numbers[i]))
        {
            return false;
        }
    }
    return true;
}

/// A mesh that is open, or inside out, may have any finite mass.
static AbutResult check_mass(const AbutFieldHeader* h, const char* name)
{
    AbutMassData mass = abut_field_unpack_mass(h->mass);
    if (!is_zero(h->mass, sizeof(h->mass)) && !is_mass_in_grid(h, &mass))
    {
        return FAIL_AT(mass, "volume, centre or inertia are not those of a solid in the grid");
    }
    if (!are_finite(h->mesh_mass, 13))
    {
        return FAIL_AT(mesh_mass, "volume, centre or inertia of the mesh are not finite");
    }
    return ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// Sections
// -----------------------------------------------------------------------------------------------------------

static uint64_t brick_total(const AbutFieldHeader* header)
{
    return (uint64_t)header->brick_count[0] * header->brick_count[1] * header->brick_count[2];
}

/// All that the layout determines must be equal to it.
static AbutResult check_layout(const AbutFieldHeader* h, const char* name)
{
    AbutFieldHeader expected = *h;
    AbutResult result = abut_field_block_layout(&expected);
    if (result != ABUT_OK)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: %s", name, abut_last_error());
    }
    if (expected.total_bytes != h->total_bytes || expected.level_count != h->level_count ||
        memcmp(&expected.octree_step, &h->octree_step, sizeof(float)) != 0 ||
        memcmp(expected.sections, h->sections, sizeof(h->sections)) != 0)
    {
        return FAIL_AT(sections, "sections are not where the counts put them");
    }
    uint64_t bricks = brick_total(h);
    if (h->sparse != 0 ? h->stored_brick_count > bricks : h->stored_brick_count != bricks)
    {
        return FAIL_AT(stored_brick_count,
                       "more bricks are stored than there are, or a dense field lacks some");
    }
    if (h->sparse != 0 ? h->error_brick_count != h->stored_brick_count : h->error_brick_count > bricks)
    {
        return FAIL_AT(error_brick_count,
                       "cell errors are not those of the stored bricks, or more than bricks");
    }
    return ABUT_OK;
}

/// The bytes between each section and the next.
static AbutResult check_padding(const AbutFieldHeader* h, const void* data, const char* name)
{
    for (int i = 0; i < ABUT_FIELD_SECTION_COUNT; ++i)
    {
        uint64_t end = h->sections[i].offset + h->sections[i].size;
        uint64_t next = (end + ABUT_FIELD_ALIGNMENT - 1) / ABUT_FIELD_ALIGNMENT * ABUT_FIELD_ALIGNMENT;
        if (!is_zero((const char*)data + end, (size_t)(next - end)))
        {
            return fail_block(name, (size_t)end, "the bytes between two sections are not 0");
        }
    }
    return ABUT_OK;
}

static AbutResult check_slots(const AbutFieldHeader* h, const void* data, const char* name)
{
    const uint32_t* slots = (const uint32_t*)((const char*)data + h->sections[ABUT_FIELD_SLOTS].offset);
    uint64_t bricks = brick_total(h), used = 0;
    for (uint64_t i = 0; i < bricks; ++i)
    {
        used += slots[i] != ABUT_FIELD_NO_SLOT ? 1u : 0u;
        if (slots[i] != ABUT_FIELD_NO_SLOT && slots[i] >= h->error_brick_count)
        {
            return abut_fail(ABUT_INVALID_DATA, "%s: byte %llu: brick %llu refers to stored brick %u of %u",
                             name, (unsigned long long)(h->sections[ABUT_FIELD_SLOTS].offset + 4 * i),
                             (unsigned long long)i, slots[i], h->error_brick_count);
        }
    }
    if (used != h->error_brick_count)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: byte %llu: %llu bricks refer to %u stored bricks", name,
                         (unsigned long long)h->sections[ABUT_FIELD_SLOTS].offset, (unsigned long long)used,
                         h->error_brick_count);
    }
    return ABUT_OK;
}

static AbutResult check_nodes(const AbutFieldHeader* h, const void* data, const char* name)
{
    const AbutFieldSection* section = &h->sections[ABUT_FIELD_NODES];
    AbutFieldFormat format = (AbutFieldFormat)h->format;
    const void* nodes = (const char*)data + section->offset;
    size_t bytes = abut_field_node_bytes(format), count = (size_t)section->size / bytes;
    size_t bad = abut_field_find_invalid_node(nodes, format, h->cell_size, count);
    if (bad < count)
    {
        return abut_fail(
            ABUT_INVALID_DATA, "%s: byte %llu: node %zu is %g cells; a distance is finite and at most %g",
            name, (unsigned long long)(section->offset + bytes * bad), bad,
            (double)abut_field_node(nodes, format, h->cell_size, bad).value, (double)ABUT_FIELD_MAX_CELLS);
    }
    return ABUT_OK;
}

/// Bounds of bricks and boxes, and numbers of the octree.
static AbutResult check_bounds(const AbutFieldHeader* h, const void* data, const char* name)
{
    const AbutFieldSection *pyramid = &h->sections[ABUT_FIELD_PYRAMID],
                           *octree = &h->sections[ABUT_FIELD_DISTANCE_OCTREE];
    size_t entries = (size_t)pyramid->size / sizeof(AbutPackedBounds);
    size_t bad = abut_field_find_invalid_bounds(
        (const AbutPackedBounds*)((const char*)data + pyramid->offset), entries);
    if (bad < entries)
    {
        return fail_block(name, (size_t)pyramid->offset + bad * sizeof(AbutPackedBounds),
                          "bounds are not numbers, or not in order");
    }
    size_t numbers = (size_t)octree->size / sizeof(int16_t);
    bad = abut_distance_octree_find_invalid(data, numbers);
    if (bad < numbers)
    {
        return fail_block(name, (size_t)octree->offset + bad * sizeof(int16_t),
                          "a box of the octree that is beyond the grid is not empty");
    }
    return ABUT_OK;
}

AbutResult abut_field_block_check(const void* data, size_t size, bool skip_checksum, const char* name)
{
    if (size < sizeof(AbutFieldHeader))
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: %zu bytes are too few for the header of a field (%zu)", name,
                         size, sizeof(AbutFieldHeader));
    }
    AbutFieldHeader header;
    memcpy(&header, data, sizeof(header));
    AbutResult result = check_identity(&header, size, name);
    result = result == ABUT_OK ? check_grid(&header, name) : result;
    result = result == ABUT_OK ? check_measures(&header, name) : result;
    result = result == ABUT_OK ? check_layout(&header, name) : result;
    if (result == ABUT_OK && !skip_checksum && abut_field_block_checksum(data, size) != header.checksum)
    {
        result = FAIL_AT(checksum,
                         "the checksum does not match: the bytes were changed after the field was written");
    }
    result = result == ABUT_OK ? check_mass(&header, name) : result;
    result = result == ABUT_OK ? check_padding(&header, data, name) : result;
    result = result == ABUT_OK ? check_slots(&header, data, name) : result;
    result = result == ABUT_OK ? check_nodes(&header, data, name) : result;
    return result == ABUT_OK ? check_bounds(&header, data, name) : result;
}
