// Each triangle and a reference point span a tetrahedron with a signed volume; the tetrahedra of a closed
// surface add up to the solid. With corners p, q, r from that point, their sum s, and d = p · (q × r):
//
//   ∫ dV = d / 6      ∫ xᵢ dV = d / 24 · sᵢ      ∫ xᵢ xⱼ dV = d / 120 · (pᵢpⱼ + qᵢqⱼ + rᵢrⱼ + sᵢsⱼ)
//
// The result is independent of the reference point exactly when the areas of the triangles, as vectors, add
// up to zero: then the reference is the centre of the bounds, for the least rounding. A surface with holes
// has the usual reference, the origin.
#include "mesh/mass.h"

#include "base/fp_env.h"
#include "base/tasks.h"
#include "mesh/corners.h"

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
    AbutDVec3 first;
    double second[6]; // xx, yy, zz, xy, yz, zx
} Moments;

/// Twice the area, as a vector and as a number.
typedef struct Areas
{
    AbutDVec3 vector;
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
    AbutDVec3 reference;
    BlockSum blocks[BLOCK_COUNT];
} MassContext;

/// Vertex `vertex` from the reference point.
static AbutDVec3 corner_of(const MassContext* self, uint32_t vertex)
{
    return abut_dvec3_sub(abut_mesh_dvertex(self->mesh, vertex), self->reference);
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
        AbutDVec3 p = corner_of(self, corners[0]), q = corner_of(self, corners[1]),
                  r = corner_of(self, corners[2]);
        AbutDVec3 area = abut_dvec3_cross(abut_dvec3_sub(q, p), abut_dvec3_sub(r, p));
        areas.vector = abut_dvec3_add(areas.vector, area);
        areas.magnitude += abut_dvec3_length(area);
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
        sum.vector = abut_dvec3_add(sum.vector, self->blocks[b].areas.vector);
        sum.magnitude += self->blocks[b].areas.magnitude;
    }
    return abut_dvec3_length(sum.vector) <= AREA_NOISE * sum.magnitude;
}

static void choose_reference(const AbutHost* host, MassContext* self)
{
    if (self->mesh->triangle_count > 0 && is_closed(host, self))
    {
        self->reference = abut_box_dcenter(self->mesh->bounds);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Moments
// -----------------------------------------------------------------------------------------------------------

/// Adds scale · (vᵢvᵢ for i = x, y, z, then xy, yz, zx), summed over four vectors.
static void add_products(const AbutDVec3 v[4], double scale, double second[6])
{
    AbutDVec3 p = v[0], q = v[1], r = v[2], s = v[3];
    second[0] += scale * (p.x * p.x + q.x * q.x + r.x * r.x + s.x * s.x);
    second[1] += scale * (p.y * p.y + q.y * q.y + r.y * r.y + s.y * s.y);
    second[2] += scale * (p.z * p.z + q.z * q.z + r.z * r.z + s.z * s.z);
    second[3] += scale * (p.x * p.y + q.x * q.y + r.x * r.y + s.x * s.y);
    second[4] += scale * (p.y * p.z + q.y * q.z + r.y * r.z + s.y * s.z);
    second[5] += scale * (p.z * p.x + q.z * q.x + r.z * r.x + s.z * s.x);
}

static void add_triangle(const MassContext* self, const uint32_t* corners, Moments* m)
{
    AbutDVec3 v[4] = { corner_of(self, corners[0]), corner_of(self, corners[1]),
                       corner_of(self, corners[2]) };
    double d = abut_dvec3_dot(v[0], abut_dvec3_cross(v[1], v[2]));
    v[3] = abut_dvec3_add(abut_dvec3_add(v[0], v[1]), v[2]);
    m->volume += d;
    m->volume_magnitude += fabs(d);
    m->first = abut_dvec3_mul_add(m->first, d, v[3]);
    add_products(v, d, m->second);
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
        sum.first = abut_dvec3_add(sum.first, m->first);
        for (int i = 0; i < 6; ++i)
        {
            sum.second[i] += m->second[i];
        }
    }
    return sum;
}

/// The tensor ∫ (|r|² I − r rᵀ) about the centre of volume, from the second moments about the reference
/// point and the offset `center` between the two (Steiner).
static void set_inertia(AbutMassData* mass, const Moments* m, AbutDVec3 center)
{
    const double c[] = { center.x, center.y, center.z };
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
    bool has_volume = fabs(m.volume) > VOLUME_NOISE * m.volume_magnitude;
    AbutDVec3 c = has_volume ? abut_dvec3_div(m.first, 4.0 * m.volume) : abut_dvec3_zero();
    abut_dvec3_to_array(abut_dvec3_add(self->reference, c), mass.center);
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
