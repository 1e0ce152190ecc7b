// Oriented boxes: axes of the covariance of the triangles' areas (Gottschalk, Lin, Manocha, "OBBTree", 1996),
// tests by the 15 separating axes.
#include "bvh/lab/volume.h"

#include <float.h>
#include <math.h>

enum
{
    SWEEPS = 12, // of Jacobi's method; three to five suffice
};

typedef struct OrientedBox
{
    AbutDVec3 center;
    AbutDVec3 axis[3];
    double half[3];
} OrientedBox;

_Static_assert(sizeof(OrientedBox) == 15 * sizeof(double), "an oriented box is 15 doubles");

// -----------------------------------------------------------------------------------------------------------
// Axes
// -----------------------------------------------------------------------------------------------------------

static AbutDTriangle triangle_of(const AbutBvhItem* item)
{
    return (AbutDTriangle){ { abut_dvec3_from_vec3(item->corners[0]), abut_dvec3_from_vec3(item->corners[1]),
                              abut_dvec3_from_vec3(item->corners[2]) } };
}

static double triangle_area(const AbutDTriangle* t)
{
    AbutDVec3 e = abut_dvec3_sub(t->corners[1], t->corners[0]),
              f = abut_dvec3_sub(t->corners[2], t->corners[0]);
    return 0.5 * abut_dvec3_length(abut_dvec3_cross(e, f));
}

static AbutDVec3 centroid_of(const AbutDTriangle* t)
{
    AbutDVec3 sum = abut_dvec3_add(abut_dvec3_add(t->corners[0], t->corners[1]), t->corners[2]);
    return abut_dvec3_scale(sum, 1.0 / 3.0);
}

/// Sums over triangles with the area as weight; with the weight 1 where no triangle has any.
static AbutDMat3 covariance_of(const AbutBvhItem* items, uint32_t count)
{
    double total = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDTriangle t = triangle_of(&items[i]);
        total += triangle_area(&t);
    }
    bool flat = !(total > 0.0);
    AbutDVec3 mean = abut_dvec3_zero();
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDTriangle t = triangle_of(&items[i]);
        double weight = flat ? 1.0 / count : triangle_area(&t) / total;
        mean = abut_dvec3_mul_add(mean, weight, centroid_of(&t));
    }
    AbutDMat3 sum = abut_dmat3_diagonal(abut_dvec3_zero());
    for (uint32_t i = 0; i < count; ++i)
    {
        AbutDTriangle t = triangle_of(&items[i]);
        double weight = (flat ? 1.0 / count : triangle_area(&t) / total) / 12.0;
        abut_dmat3_add_outer(&sum, abut_dvec3_sub(centroid_of(&t), mean), 9.0 * weight);
        for (int corner = 0; corner < 3; ++corner)
        {
            abut_dmat3_add_outer(&sum, abut_dvec3_sub(t.corners[corner], mean), weight);
        }
    }
    return sum;
}

/// One rotation of Jacobi's method, in the plane of p and q.
static void rotate(AbutDMat3* a, AbutDMat3* vectors, int p, int q)
{
    double off = a->m[p][q];
    if (off == 0.0)
    {
        return;
    }
    double theta = (a->m[q][q] - a->m[p][p]) / (2.0 * off);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k)
    {
        double x = a->m[k][p], y = a->m[k][q];
        a->m[k][p] = c * x - s * y;
        a->m[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k)
    {
        double x = a->m[p][k], y = a->m[q][k];
        a->m[p][k] = c * x - s * y;
        a->m[q][k] = s * x + c * y;
        x = vectors->m[k][p], y = vectors->m[k][q];
        vectors->m[k][p] = c * x - s * y;
        vectors->m[k][q] = s * x + c * y;
    }
}

/// Perpendicular unit vectors from two that nearly are; those of the frame where they are not.
static AbutDMat3 make_axes(AbutDVec3 first, AbutDVec3 second)
{
    AbutDVec3 x = abut_dvec3_normalize(first);
    AbutDVec3 y = abut_dvec3_normalize(abut_dvec3_mul_sub(second, abut_dvec3_dot(second, x), x));
    AbutDVec3 z = abut_dvec3_cross(x, y);
    return fabs(abut_dvec3_squared_length(z) - 1.0) < 1e-12 ? abut_dmat3_from_rows(x, y, z)
                                                            : abut_dmat3_identity();
}

AbutDMat3 abut_bvh_principal_axes(const AbutBvhItem* items, uint32_t count)
{
    AbutDMat3 a = covariance_of(items, count), vectors = abut_dmat3_identity();
    for (int sweep = 0; sweep < SWEEPS; ++sweep)
    {
        rotate(&a, &vectors, 0, 1);
        rotate(&a, &vectors, 0, 2);
        rotate(&a, &vectors, 1, 2);
    }
    int first = 0, last = 0; // largest and smallest variance
    for (int i = 1; i < 3; ++i)
    {
        first = a.m[i][i] > a.m[first][first] ? i : first;
        last = a.m[i][i] <= a.m[last][last] ? i : last;
    }
    int second = first == last ? (first + 1) % 3 : 3 - first - last;
    return make_axes(abut_dmat3_column(&vectors, first), abut_dmat3_column(&vectors, second));
}

// -----------------------------------------------------------------------------------------------------------
// Boxes
// -----------------------------------------------------------------------------------------------------------

typedef struct Slabs
{
    double low[3], high[3];
} Slabs;

static const Slabs NO_SLABS = { { DBL_MAX, DBL_MAX, DBL_MAX }, { -DBL_MAX, -DBL_MAX, -DBL_MAX } };

static void add_interval(Slabs* slabs, int i, double low, double high)
{
    slabs->low[i] = abut_smaller(slabs->low[i], low);
    slabs->high[i] = abut_larger(slabs->high[i], high);
}

static void set_slabs(OrientedBox* box, const Slabs* slabs)
{
    box->center = abut_dvec3_zero();
    for (int i = 0; i < 3; ++i)
    {
        box->center = abut_dvec3_mul_add(box->center, 0.5 * (slabs->low[i] + slabs->high[i]), box->axis[i]);
        box->half[i] = 0.5 * (slabs->high[i] - slabs->low[i]);
    }
}

static void fit(uint32_t half, const AbutBvhItem* items, uint32_t count, double* out)
{
    (void)half;
    OrientedBox* box = (OrientedBox*)out;
    AbutDMat3 axes = abut_bvh_principal_axes(items, count);
    Slabs slabs = NO_SLABS;
    for (int i = 0; i < 3; ++i)
    {
        box->axis[i] = abut_dmat3_row(&axes, i);
        for (uint32_t k = 0; k < 3 * count; ++k)
        {
            double along = abut_dvec3_dot(box->axis[i], abut_dvec3_from_vec3(items[k / 3].corners[k % 3]));
            add_interval(&slabs, i, along, along);
        }
    }
    set_slabs(box, &slabs);
}

static double extent_along(const OrientedBox* box, AbutDVec3 direction)
{
    return box->half[0] * fabs(abut_dvec3_dot(box->axis[0], direction)) +
           box->half[1] * fabs(abut_dvec3_dot(box->axis[1], direction)) +
           box->half[2] * fabs(abut_dvec3_dot(box->axis[2], direction));
}

static void merge(uint32_t half, const double* children, uint32_t count, double* out)
{
    (void)half;
    OrientedBox* box = (OrientedBox*)out;
    const OrientedBox* child = (const OrientedBox*)children;
    Slabs slabs = NO_SLABS;
    for (int i = 0; i < 3; ++i)
    {
        for (uint32_t k = 0; k < count; ++k)
        {
            double middle = abut_dvec3_dot(box->axis[i], child[k].center);
            double extent = extent_along(&child[k], box->axis[i]);
            add_interval(&slabs, i, middle - extent, middle + extent);
        }
    }
    set_slabs(box, &slabs);
}

static double area(uint32_t half, const double* volume)
{
    (void)half;
    const double* h = ((const OrientedBox*)volume)->half;
    return 4.0 * (h[0] * h[1] + h[1] * h[2] + h[2] * h[0]);
}

// -----------------------------------------------------------------------------------------------------------
// Tests
// -----------------------------------------------------------------------------------------------------------

/// Box B in the axes of box A.
typedef struct Relative
{
    double m[3][3], magnitude[3][3]; // axes of A by axes of B
    double offset[3];                // along the axes of A
    double half[3];                  // of B
} Relative;

static Relative relative_of(const AbutBvhFrame* frame, const OrientedBox* a, const OrientedBox* b)
{
    Relative r;
    AbutDVec3 center = abut_transform_point(&frame->transform, b->center);
    AbutDVec3 offset = abut_dvec3_sub(center, a->center);
    for (int k = 0; k < 3; ++k)
    {
        AbutDVec3 axis = abut_transform_rotate(&frame->transform, b->axis[k]);
        for (int i = 0; i < 3; ++i)
        {
            r.m[i][k] = abut_dvec3_dot(a->axis[i], axis);
            r.magnitude[i][k] = fabs(r.m[i][k]);
        }
        r.half[k] = frame->transform.scale * b->half[k];
        r.offset[k] = abut_dvec3_dot(a->axis[k], offset);
    }
    return r;
}

/// Along the faces of both.
static double face_overlap(const Relative* r, const double* half, double enough)
{
    double depth = DBL_MAX;
    for (int i = 0; i < 3; ++i)
    {
        double extent = r->half[0] * r->magnitude[i][0] + r->half[1] * r->magnitude[i][1] +
                        r->half[2] * r->magnitude[i][2];
        depth = abut_smaller(depth, half[i] + extent - fabs(r->offset[i]));
    }
    for (int k = 0; k < 3 && depth >= enough; ++k)
    {
        double extent =
            half[0] * r->magnitude[0][k] + half[1] * r->magnitude[1][k] + half[2] * r->magnitude[2][k];
        double along = r->offset[0] * r->m[0][k] + r->offset[1] * r->m[1][k] + r->offset[2] * r->m[2][k];
        depth = abut_smaller(depth, r->half[k] + extent - fabs(along));
    }
    return depth;
}

/// Least of the overlaps along the nine products of edges, which are at most 1 long.
static double edge_overlap(const Relative* r, const double* half, double enough)
{
    double depth = DBL_MAX;
    for (int i = 0; i < 3 && depth >= enough; ++i)
    {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        for (int k = 0; k < 3; ++k)
        {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            double a = half[j] * r->magnitude[l][k] + half[l] * r->magnitude[j][k];
            double b = r->half[p] * r->magnitude[i][q] + r->half[q] * r->magnitude[i][p];
            double along = r->offset[l] * r->m[j][k] - r->offset[j] * r->m[l][k];
            depth = abut_smaller(depth, a + b - fabs(along));
        }
    }
    return depth;
}

/// The depth is that of the faces: products of edges that are nearly parallel are short.
static double overlap(uint32_t unused, const AbutBvhFrame* frame, const double* a, const double* b)
{
    (void)unused;
    const OrientedBox* box = (const OrientedBox*)a;
    Relative r = relative_of(frame, box, (const OrientedBox*)b);
    double depth = face_overlap(&r, box->half, -frame->slack);
    if (depth < -frame->slack)
    {
        return depth;
    }
    double edges = edge_overlap(&r, box->half, -frame->slack);
    return edges < -frame->slack ? edges : depth;
}

static bool is_apart(uint32_t half, const double* volume, const AbutDTriangle* triangle, double slack)
{
    (void)half;
    const OrientedBox* box = (const OrientedBox*)volume;
    for (int i = 0; i < 3; ++i)
    {
        double low = DBL_MAX, high = -DBL_MAX;
        for (int k = 0; k < 3; ++k)
        {
            double along = abut_dvec3_dot(box->axis[i], abut_dvec3_sub(triangle->corners[k], box->center));
            low = abut_smaller(low, along);
            high = abut_larger(high, along);
        }
        if (low > box->half[i] + slack || high < -box->half[i] - slack)
        {
            return true;
        }
    }
    return false;
}

const AbutVolumeTable abut_bvh_oriented_box = {
    .name = "oriented box",
    .size = 15,
    .fit = fit,
    .merge = merge,
    .overlap = overlap,
    .is_apart = is_apart,
    .area = area,
};
