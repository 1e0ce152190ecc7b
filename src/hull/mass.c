// Tetrahedra from the mean of the vertices to the triangles of all faces. With corners p, q, r from there,
// their sum s, and d = p · (q × r): volume d/6, first moment d/24 · s, second moments
// d/120 · (pᵢpⱼ + qᵢqⱼ + rᵢrⱼ + sᵢsⱼ).
#include "hull/mass.h"

#include "math/dmat3.h"

typedef struct Moments
{
    double volume;    // times 6
    AbutDVec3 first;  // times 24
    AbutDMat3 second; // times 120; upper half
} Moments;

static void add_tetrahedron(Moments* self, AbutDVec3 p, AbutDVec3 q, AbutDVec3 r)
{
    AbutDVec3 s = abut_dvec3_add(abut_dvec3_add(p, q), r);
    double d = abut_dvec3_dot(p, abut_dvec3_cross(q, r));
    self->volume += d;
    self->first = abut_dvec3_mul_add(self->first, d, s);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = i; j < 3; ++j)
        {
            self->second.m[i][j] +=
                d *
                (abut_dvec3_get(p, i) * abut_dvec3_get(p, j) + abut_dvec3_get(q, i) * abut_dvec3_get(q, j) +
                 abut_dvec3_get(r, i) * abut_dvec3_get(r, j) + abut_dvec3_get(s, i) * abut_dvec3_get(s, j));
        }
    }
}

/// About the centre of mass, which is `center` from the reference.
static void set_inertia(AbutMassData* mass, const Moments* m, AbutDVec3 center)
{
    AbutDMat3 central;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = i; j < 3; ++j)
        {
            double moment = mass->volume * abut_dvec3_get(center, i) * abut_dvec3_get(center, j);
            central.m[i][j] = central.m[j][i] = m->second.m[i][j] / 120.0 - moment;
        }
    }
    double trace = central.m[0][0] + central.m[1][1] + central.m[2][2];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            mass->inertia[i][j] = (i == j ? trace : 0.0) - central.m[i][j];
        }
    }
}

AbutMassData abut_hull_mass(const AbutHull* hull)
{
    AbutMassData mass = { 0 };
    Moments moments = { 0 };
    for (uint32_t i = 0; i < hull->face_count && hull->dimension == 3; ++i)
    {
        const AbutHullFace* face = &abut_hull_faces(hull)[i];
        AbutDVec3 p =
            abut_dvec3_sub(abut_hull_position(hull, abut_hull_tail(hull, face->first)), hull->interior);
        for (uint32_t k = 1; k + 1 < face->count; ++k)
        {
            uint32_t q = abut_hull_tail(hull, face->first + k), r = abut_hull_tail(hull, face->first + k + 1);
            add_tetrahedron(&moments, p, abut_dvec3_sub(abut_hull_position(hull, q), hull->interior),
                            abut_dvec3_sub(abut_hull_position(hull, r), hull->interior));
        }
    }
    mass.volume = moments.volume / 6.0;
    if (!(mass.volume > 0.0))
    {
        return (AbutMassData){ 0 };
    }
    AbutDVec3 center = abut_dvec3_div(moments.first, 24.0 * mass.volume);
    set_inertia(&mass, &moments, center);
    abut_dvec3_to_array(abut_dvec3_add(hull->interior, center), mass.center);
    return mass;
}
