// Each triangle and a reference point span a tetrahedron with a signed volume; those of a closed surface
// add up to the solid. With corners p, q, r from that point, their sum s, and d = p · (q × r):
//
//   ∫ dV = d / 6      ∫ xᵢ dV = d / 24 · sᵢ      ∫ xᵢ xⱼ dV = d / 120 · (pᵢpⱼ + qᵢqⱼ + rᵢrⱼ + sᵢsⱼ)
//
// The reference point does not matter exactly when the areas of the triangles, as vectors, add up to
// nothing: then it is the centre of the bounds, where rounding is least. A surface with holes gets the
// usual answer, that of the origin.
#include "mesh/mass.h"

#include "base/fp_env.h"
#include "base/tasks.h"
#include "mesh/mesh.h"

enum
{
    /// A fixed number of blocks, so that their sums need no memory that could run out, and each sum stays
    /// short.
    BLOCK_COUNT = 256
};

/// Integrals about the reference point, times 6, 24 and 120.
typedef struct Moments
{
    double volume;
    double volume_magnitude; // the sum of |d|
    double first[3];
    double second[6]; // xx, yy, zz, xy, yz, zx
} Moments;

/// Twice the area, as a vector and as a number.
typedef struct Areas
{
    double vector[3];
    double magnitude;
} Areas;

typedef union BlockSum
{
    Areas areas;
    Moments moments;
} BlockSum;

typedef struct MassContext
{
    const AbutMesh* mesh;
    double reference[3];
    BlockSum blocks[BLOCK_COUNT];
} MassContext;

static void load_corner(const MassContext* self, uint32_t vertex, double out[3])
{
    AbutVec3 v = self->mesh->vertices[vertex];
    out[0] = v.x - self->reference[0];
    out[1] = v.y - self->reference[1];
    out[2] = v.z - self->reference[2];
}

/// The triangles of block b, so that all blocks together have each once.
static uint64_t block_begin(const MassContext* self, uint32_t b)
{
    return (uint64_t)self->mesh->triangle_count * b / BLOCK_COUNT;
}

// -----------------------------------------------------------------------------------------------------------
// Reference point
// -----------------------------------------------------------------------------------------------------------

static void sum_areas(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    MassContext* self = context;
    Areas areas = { 0 };
    for (uint64_t t = block_begin(self, block); t < block_begin(self, block + 1); ++t)
    {
        const uint32_t* corners = self->mesh->indices + 3 * t;
        double p[3], q[3], r[3];
        load_corner(self, corners[0], p);
        load_corner(self, corners[1], q);
        load_corner(self, corners[2], r);
        double squares = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            double component = (q[j] - p[j]) * (r[k] - p[k]) - (q[k] - p[k]) * (r[j] - p[j]);
            areas.vector[i] += component;
            squares += component * component;
        }
        areas.magnitude += sqrt(squares);
    }
    self->blocks[block].areas = areas;
}

/// Part of the area below which the vector sum is the rounding of coordinates (T-junctions close only to
/// within that).
static const double AREA_NOISE = 1e-6;

static bool is_closed(const AbutHost* host, MassContext* self)
{
    abut_parallel_for(host, BLOCK_COUNT, sum_areas, self);
    Areas sum = { 0 };
    for (int b = 0; b < BLOCK_COUNT; ++b)
    {
        for (int i = 0; i < 3; ++i)
        {
            sum.vector[i] += self->blocks[b].areas.vector[i];
        }
        sum.magnitude += self->blocks[b].areas.magnitude;
    }
    double length =
        sqrt(sum.vector[0] * sum.vector[0] + sum.vector[1] * sum.vector[1] + sum.vector[2] * sum.vector[2]);
    return length <= AREA_NOISE * sum.magnitude;
}

static void choose_reference(const AbutHost* host, MassContext* self)
{
    AbutBox b = self->mesh->bounds;
    if (self->mesh->triangle_count > 0 && is_closed(host, self))
    {
        self->reference[0] = 0.5 * ((double)b.min.x + b.max.x);
        self->reference[1] = 0.5 * ((double)b.min.y + b.max.y);
        self->reference[2] = 0.5 * ((double)b.min.z + b.max.z);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Moments
// -----------------------------------------------------------------------------------------------------------

static void add_triangle(const MassContext* self, const uint32_t* corners, Moments* m)
{
    double p[3], q[3], r[3];
    load_corner(self, corners[0], p);
    load_corner(self, corners[1], q);
    load_corner(self, corners[2], r);
    double d = p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
               p[2] * (q[0] * r[1] - q[1] * r[0]);
    m->volume += d;
    m->volume_magnitude += fabs(d);
    double s[3];
    for (int i = 0; i < 3; ++i)
    {
        s[i] = p[i] + q[i] + r[i];
        m->first[i] += d * s[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3;
        m->second[i] += d * (p[i] * p[i] + q[i] * q[i] + r[i] * r[i] + s[i] * s[i]);
        m->second[3 + i] += d * (p[i] * p[j] + q[i] * q[j] + r[i] * r[j] + s[i] * s[j]);
    }
}

static void sum_moments(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    MassContext* self = context;
    Moments moments = { 0 };
    for (uint64_t t = block_begin(self, block); t < block_begin(self, block + 1); ++t)
    {
        add_triangle(self, self->mesh->indices + 3 * t, &moments);
    }
    self->blocks[block].moments = moments;
}

static Moments join_moments(const MassContext* self)
{
    Moments sum = { 0 };
    for (int b = 0; b < BLOCK_COUNT; ++b)
    {
        const Moments* m = &self->blocks[b].moments;
        sum.volume += m->volume;
        sum.volume_magnitude += m->volume_magnitude;
        for (int i = 0; i < 3; ++i)
        {
            sum.first[i] += m->first[i];
        }
        for (int i = 0; i < 6; ++i)
        {
            sum.second[i] += m->second[i];
        }
    }
    return sum;
}

/// The tensor ∫ (|r|² I − r rᵀ) about the centre of volume, from the second moments about the reference
/// point and the offset c between the two (Steiner).
static void set_inertia(AbutMassData* mass, const Moments* m, const double c[3])
{
    double second[6];
    for (int i = 0; i < 3; ++i)
    {
        second[i] = m->second[i] / 120.0 - mass->volume * c[i] * c[i];
        second[3 + i] = m->second[3 + i] / 120.0 - mass->volume * c[i] * c[(i + 1) % 3];
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mass->inertia[i][i] = second[j] + second[k];
        mass->inertia[i][j] = mass->inertia[j][i] = -second[3 + i];
    }
}

/// Part of the sum of magnitudes below which a volume is rounding, and dividing by it would give a centre
/// anywhere.
static const double VOLUME_NOISE = 1e-13;

static AbutMassData make_mass(const MassContext* self)
{
    Moments m = join_moments(self);
    AbutMassData mass = { .volume = m.volume / 6.0 };
    double c[3] = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; ++i)
    {
        if (fabs(m.volume) > VOLUME_NOISE * m.volume_magnitude)
        {
            c[i] = m.first[i] / (4.0 * m.volume);
        }
        mass.center[i] = self->reference[i] + c[i];
    }
    set_inertia(&mass, &m, c);
    return mass;
}

AbutMassData abut_mesh_mass_on(const AbutHost* host, const AbutMesh* mesh)
{
    MassContext context = { .mesh = mesh };
    choose_reference(host, &context);
    abut_parallel_for(host, BLOCK_COUNT, sum_moments, &context);
    return make_mass(&context);
}

AbutMassData abut_mesh_mass(const AbutMesh* mesh)
{
    ABUT_FP_CALL(abut_mesh_mass, mesh);
    return abut_mesh_mass_on(&mesh->host, mesh);
}
