// Points against hulls. Inside, the highest plane is the nearest face, since the hull is the intersection of
// its half-spaces. Outside, GJK (Gilbert, Johnson, Keerthi 1988) with a single point finds the closest one;
// it is left out where the projection to the highest plane is in its face.
#include "hull/distance.h"

#include "hull/kernels.h"
#include "hull/simplex.h"

enum
{
    MOST_STEPS = 64
};

/// Progress of the squared distance, relative, below which the closest point has been found.
#define PROGRESS 1e-15

/// Distances under this fraction of the size have directions of rounding: the face's normal is used.
#define ON_SURFACE 1e-9

/// The highest plane above a point; the first of equal ones.
static uint32_t highest_face(const AbutHull* hull, AbutDVec3 p, double* height)
{
    return abut_hull_kernels()->highest_plane(abut_hull_plane_lanes(hull), hull->plane_lane_count, p, height);
}

static bool projects_into(const AbutHull* hull, uint32_t index, AbutDVec3 p)
{
    const AbutHullFace* face = &abut_hull_faces(hull)[index];
    for (uint32_t i = 0; i < face->count; ++i)
    {
        AbutHullPlane side = abut_hull_edge_face_plane(hull, face->first + i);
        if (abut_hull_plane_distance(&side, p) < 0.0)
        {
            return false;
        }
    }
    return true;
}

/// The vector from the closest point of the hull to p, from a vertex to start with.
static AbutDVec3 from_closest(const AbutHull* hull, AbutDVec3 p, uint32_t vertex)
{
    AbutDVec3 simplex[4];
    uint32_t count = 1;
    simplex[0] = abut_dvec3_sub(abut_hull_position(hull, vertex), p);
    AbutDVec3 v = simplex[0];
    double squared = abut_dvec3_squared_length(v);
    for (int step = 0; step < MOST_STEPS && squared > 0.0; ++step)
    {
        vertex = abut_hull_support(hull, abut_dvec3_neg(v), vertex);
        AbutDVec3 w = abut_dvec3_sub(abut_hull_position(hull, vertex), p);
        if (squared - abut_dvec3_dot(v, w) <= PROGRESS * squared || count == 4)
        {
            break;
        }
        simplex[count] = w;
        AbutSimplexChoice choice = abut_simplex_closest(simplex, count + 1);
        double next = abut_dvec3_squared_length(choice.point);
        if (!(next < squared))
        {
            choice = abut_simplex_closest_of_all(simplex, count + 1);
            next = abut_dvec3_squared_length(choice.point);
        }
        if (choice.count == 4 || !(next < squared))
        {
            break;
        }
        squared = next;
        v = choice.point;
        count = choice.count;
        for (uint32_t i = 0; i < count; ++i)
        {
            simplex[i] = simplex[choice.indices[i]];
        }
    }
    return abut_dvec3_neg(v);
}

/// The direction where a point is on the surface, in a flat hull or on one without faces.
static AbutDVec3 any_normal(const AbutHull* hull, uint32_t face)
{
    return hull->face_count > 0 ? abut_hull_faces(hull)[face].normal : abut_dvec3(1.0, 0.0, 0.0);
}

AbutHullDistance abut_hull_distance(const AbutHull* hull, AbutDVec3 point)
{
    double height = INFINITY;
    uint32_t face = 0;
    if (isnan(point.x) || isnan(point.y) || isnan(point.z))
    {
        return (AbutHullDistance){ NAN, abut_dvec3(NAN, NAN, NAN) };
    }
    if (hull->face_count > 0)
    {
        face = highest_face(hull, point, &height);
        if ((height <= 0.0 && hull->dimension == 3) || projects_into(hull, face, point))
        {
            return (AbutHullDistance){ height, abut_hull_faces(hull)[face].normal };
        }
    }
    uint32_t start = hull->face_count > 0 ? abut_hull_tail(hull, abut_hull_faces(hull)[face].first) : 0;
    AbutDVec3 away = from_closest(hull, point, start);
    double distance = abut_dvec3_length(away);
    if (!isfinite(distance) || distance <= ON_SURFACE * hull->diameter)
    {
        return (AbutHullDistance){ distance, any_normal(hull, face) };
    }
    return (AbutHullDistance){ distance, abut_dvec3_div(away, distance) };
}
