// Which parts of a mesh look inward.
//
// A part is a set of triangles that edges connect. It looks inward when its signed volume is negative, but that may be meant:
// the wall of a cavity does. So it matters what surrounds the part, the winding number of everything else there:
//
//   - in a solid (1 or more) a part stays as it is: a cavity, or a solid in a solid;
//   - in free space (0) a part of negative volume is a solid turned inside out, and is flipped;
//   - in a solid turned inside out (−1 or less) a part is flipped together with that solid.
//
// An open part has a volume too, about the centre of its area, which is clear when it is nearly closed. Sheets and loose
// triangles have none of their own and are judged together.
#include "bake/sign/classifier.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "mesh/corners.h"

#include <string.h>

/// Of the area to the power 1.5; a ball has 0.094. Open parts under the first are sheets; sheets that together are over the second
/// are a soup that surrounds something.
static const double SHEET_VOLUME = 0.01, SOUP_VOLUME = 0.001;

/// |∫ n dA| / ∫ dA over which a sheet is one, and not the two sides of a plate with a hole.
static const double SHEET_FACING = 0.5;

/// Of area times size: what rounding may make of no volume at all.
static const double VOLUME_NOISE = 1e-12;

enum
{
    PART_BLOCK = 64,
};

typedef struct Part
{
    double area, center[3]; // ∫ dA, ∫ y dA
    double normal[3];       // ∫ n dA
    double volume;          // first ⅓ ∫ y·n dA, then about the centre of area
    uint32_t triangle;      // the first
    bool open, sheet, flip;
} Part;

typedef struct Orienting
{
    AbutSigner* signer;
    uint32_t* part_of; // by triangle
    Part* parts;
    uint32_t part_count;
    double origin[3], size;
} Orienting;

// ---------------------------------------------------------------------------------------------------------------------
// Volumes
// ---------------------------------------------------------------------------------------------------------------------

/// Numbers the parts in the order of their first triangles, which are the roots of the forest.
static void number_parts(Orienting* self)
{
    uint32_t* forest = self->signer->half_edges.parts;
    for (uint32_t t = 0; t < abut_signer_mesh(self->signer)->triangle_count; ++t)
    {
        uint32_t root = abut_part_root(forest, t);
        self->part_of[t] = root == t ? self->part_count++ : self->part_of[root];
    }
}

static void add_triangle(const Orienting* self, uint32_t triangle, Part* part)
{
    double p[3][3], u[3], v[3], n[3], middle[3];
    abut_load_triangle(abut_signer_mesh(self->signer), triangle, p);
    abut_subtract(p[1], p[0], u);
    abut_subtract(p[2], p[0], v);
    abut_cross(u, v, n);
    double area = 0.5 * abut_length(n);
    for (int i = 0; i < 3; ++i)
    {
        middle[i] = (p[0][i] + p[1][i] + p[2][i]) / 3.0 - self->origin[i];
        part->center[i] += area * middle[i];
        part->normal[i] += 0.5 * n[i];
    }
    part->area += area;
    part->volume += abut_dot(middle, n) / 6.0;
}

/// Moves the point of reference of the volume to the centre of area.
static void center_volume(Part* part)
{
    if (part->area > 0.0)
    {
        part->volume -= abut_dot(part->center, part->normal) / (3.0 * part->area);
    }
}

static double natural_volume(const Part* part)
{
    return part->area * sqrt(part->area);
}

static void measure_parts(Orienting* self, const AbutBorder* border)
{
    uint32_t triangle_count = abut_signer_mesh(self->signer)->triangle_count;
    for (uint32_t t = triangle_count; t-- > 0;)
    {
        self->parts[self->part_of[t]].triangle = t;
    }
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        add_triangle(self, t, &self->parts[self->part_of[t]]);
    }
    for (uint32_t i = 0; i < border->edge_count; ++i)
    {
        self->parts[self->part_of[border->edges[i].triangle]].open = true;
    }
    for (uint32_t i = 0; i < self->part_count; ++i)
    {
        Part* part = &self->parts[i];
        center_volume(part);
        part->sheet = part->open ? fabs(part->volume) < SHEET_VOLUME * natural_volume(part)
                                 : fabs(part->volume) < VOLUME_NOISE * part->area * self->size;
        bool loose = part->open && part->sheet && abut_length(part->normal) >= SHEET_FACING * part->area;
        self->signer->surrounds = self->signer->surrounds || loose;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Decisions
// ---------------------------------------------------------------------------------------------------------------------

/// The middle of a face lies between its two sides, so the part itself adds half of what lies behind it.
static void decide_part(const Orienting* self, Part* part)
{
    double corners[3][3], middle[3], own = part->volume < 0.0 ? -0.5 : 0.5;
    abut_load_triangle(abut_signer_mesh(self->signer), part->triangle, corners);
    for (int i = 0; i < 3; ++i)
    {
        middle[i] = (corners[0][i] + corners[1][i] + corners[2][i]) / 3.0;
    }
    AbutWindingValue value = abut_winding_at(&self->signer->winding, middle, 2.0, part->triangle);
    double around = floor(value.number - own + 0.5);
    part->flip = around < 0.0 || (around == 0.0 && part->volume < 0.0);
}

static void decide_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Orienting* self = context;
    for (uint64_t i = (uint64_t)block * PART_BLOCK; i < ((uint64_t)block + 1) * PART_BLOCK; ++i)
    {
        if (i < self->part_count && !self->parts[i].sheet)
        {
            decide_part(self, &self->parts[i]);
        }
    }
}

static bool any_inward(const Orienting* self)
{
    for (uint32_t i = 0; i < self->part_count; ++i)
    {
        if (!self->parts[i].sheet && self->parts[i].volume < 0.0)
        {
            return true;
        }
    }
    return false;
}

static void decide_sheets(Orienting* self)
{
    Part all = { 0 };
    for (uint32_t t = 0; t < abut_signer_mesh(self->signer)->triangle_count; ++t)
    {
        if (self->parts[self->part_of[t]].sheet)
        {
            add_triangle(self, t, &all);
        }
    }
    center_volume(&all);
    for (uint32_t i = 0; all.volume < -SOUP_VOLUME * natural_volume(&all) && i < self->part_count; ++i)
    {
        self->parts[i].flip = self->parts[i].flip || self->parts[i].sheet;
    }
}

static AbutResult flip_triangles(const Orienting* self)
{
    AbutSigner* signer = self->signer;
    uint32_t triangle_count = abut_signer_mesh(signer)->triangle_count;
    bool any = false;
    for (uint32_t i = 0; i < self->part_count; ++i)
    {
        any = any || self->parts[i].flip;
    }
    if (!any)
    {
        return ABUT_OK;
    }
    signer->flipped = abut_memory_allocate(&signer->host, triangle_count, sizeof(uint8_t));
    if (signer->flipped == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        signer->flipped[t] = self->parts[self->part_of[t]].flip;
    }
    signer->info.inverted = true;
    signer->winding.flipped = signer->flipped;
    abut_winding_update(&signer->host, &signer->winding);
    return ABUT_OK;
}

static AbutResult orient_parts(Orienting* self, const AbutBorder* border)
{
    measure_parts(self, border);
    if (any_inward(self))
    {
        abut_parallel_for(&self->signer->host, abut_block_count(self->part_count, PART_BLOCK), decide_block,
                          self);
    }
    decide_sheets(self);
    return flip_triangles(self);
}

AbutResult abut_signer_orient(AbutSigner* signer, const AbutBorder* border)
{
    const AbutMesh* mesh = abut_signer_mesh(signer);
    Orienting self = { .signer = signer };
    self.part_of = abut_memory_allocate(&signer->host, mesh->triangle_count, sizeof(uint32_t));
    if (self.part_of == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    double low[3], high[3];
    abut_load_vertex(mesh->bounds.min, low);
    abut_load_vertex(mesh->bounds.max, high);
    for (int i = 0; i < 3; ++i)
    {
        self.origin[i] = 0.5 * (low[i] + high[i]);
        self.size = abut_larger(self.size, high[i] - low[i]);
    }
    number_parts(&self);
    self.parts = abut_memory_allocate_zero(&signer->host, self.part_count, sizeof(Part));
    AbutResult result = self.parts != NULL ? orient_parts(&self, border) : ABUT_OUT_OF_MEMORY;
    abut_memory_free(&signer->host, self.parts, self.part_count, sizeof(Part));
    abut_memory_free(&signer->host, self.part_of, mesh->triangle_count, sizeof(uint32_t));
    return result;
}
