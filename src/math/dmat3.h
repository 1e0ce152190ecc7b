/// @file dmat3.h
/// 3×3 matrices of doubles, row by row. Matrices are passed by pointer to const and returned by value. Every
/// sum over an index goes from the left, (0 + 1) + 2, and starts with its first term, as in math/dvec3.h.
#ifndef ABUT_MATH_DMAT3_H
#define ABUT_MATH_DMAT3_H

#include "math/dquat.h"
#include "math/dvec3.h"

typedef struct AbutDMat3
{
    double m[3][3]; // m[row][column]
} AbutDMat3;

static inline AbutDMat3 abut_dmat3_from_rows(AbutDVec3 x, AbutDVec3 y, AbutDVec3 z)
{
    return (AbutDMat3){ { { x.x, x.y, x.z }, { y.x, y.y, y.z }, { z.x, z.y, z.z } } };
}

static inline AbutDMat3 abut_dmat3_from_columns(AbutDVec3 x, AbutDVec3 y, AbutDVec3 z)
{
    return (AbutDMat3){ { { x.x, y.x, z.x }, { x.y, y.y, z.y }, { x.z, y.z, z.z } } };
}

static inline AbutDMat3 abut_dmat3_diagonal(AbutDVec3 d)
{
    return (AbutDMat3){ { { d.x, 0.0, 0.0 }, { 0.0, d.y, 0.0 }, { 0.0, 0.0, d.z } } };
}

static inline AbutDMat3 abut_dmat3_identity(void)
{
    return abut_dmat3_diagonal(abut_dvec3(1.0, 1.0, 1.0));
}

static inline AbutDVec3 abut_dmat3_row(const AbutDMat3* a, int row)
{
    return abut_dvec3(a->m[row][0], a->m[row][1], a->m[row][2]);
}

static inline AbutDVec3 abut_dmat3_column(const AbutDMat3* a, int column)
{
    return abut_dvec3(a->m[0][column], a->m[1][column], a->m[2][column]);
}

static inline AbutDMat3 abut_dmat3_transpose(const AbutDMat3* a)
{
    return abut_dmat3_from_rows(abut_dmat3_column(a, 0), abut_dmat3_column(a, 1), abut_dmat3_column(a, 2));
}

/// Entry ij is s·aᵢⱼ.
static inline AbutDMat3 abut_dmat3_scale(double s, const AbutDMat3* a)
{
    return abut_dmat3_from_rows(abut_dvec3_scale(abut_dmat3_row(a, 0), s),
                                abut_dvec3_scale(abut_dmat3_row(a, 1), s),
                                abut_dvec3_scale(abut_dmat3_row(a, 2), s));
}

static inline AbutDMat3 abut_dmat3_sub(const AbutDMat3* a, const AbutDMat3* b)
{
    return abut_dmat3_from_rows(abut_dvec3_sub(abut_dmat3_row(a, 0), abut_dmat3_row(b, 0)),
                                abut_dvec3_sub(abut_dmat3_row(a, 1), abut_dmat3_row(b, 1)),
                                abut_dvec3_sub(abut_dmat3_row(a, 2), abut_dmat3_row(b, 2)));
}

static inline bool abut_dmat3_equal(const AbutDMat3* a, const AbutDMat3* b)
{
    return abut_dvec3_equal(abut_dmat3_row(a, 0), abut_dmat3_row(b, 0)) &&
           abut_dvec3_equal(abut_dmat3_row(a, 1), abut_dmat3_row(b, 1)) &&
           abut_dvec3_equal(abut_dmat3_row(a, 2), abut_dmat3_row(b, 2));
}

/// a·v: component i is (aᵢ₀·v.x + aᵢ₁·v.y) + aᵢ₂·v.z.
static inline AbutDVec3 abut_dmat3_transform(const AbutDMat3* a, AbutDVec3 v)
{
    return abut_dvec3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                      a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                      a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

/// aᵀ·v: component i is (a₀ᵢ·v.x + a₁ᵢ·v.y) + a₂ᵢ·v.z. The inverse of abut_dmat3_transform() for a rotation.
static inline AbutDVec3 abut_dmat3_transform_transposed(const AbutDMat3* a, AbutDVec3 v)
{
    return abut_dvec3(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                      a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                      a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

/// a·b: entry ij is (aᵢ₀·b₀ⱼ + aᵢ₁·b₁ⱼ) + aᵢ₂·b₂ⱼ.
static inline AbutDMat3 abut_dmat3_multiply(const AbutDMat3* a, const AbutDMat3* b)
{
    return abut_dmat3_from_rows(abut_dmat3_transform_transposed(b, abut_dmat3_row(a, 0)),
                                abut_dmat3_transform_transposed(b, abut_dmat3_row(a, 1)),
                                abut_dmat3_transform_transposed(b, abut_dmat3_row(a, 2)));
}

/// aᵀ·b: entry ij is (a₀ᵢ·b₀ⱼ + a₁ᵢ·b₁ⱼ) + a₂ᵢ·b₂ⱼ.
static inline AbutDMat3 abut_dmat3_multiply_transposed(const AbutDMat3* a, const AbutDMat3* b)
{
    return abut_dmat3_from_rows(abut_dmat3_transform_transposed(b, abut_dmat3_column(a, 0)),
                                abut_dmat3_transform_transposed(b, abut_dmat3_column(a, 1)),
                                abut_dmat3_transform_transposed(b, abut_dmat3_column(a, 2)));
}

/// a + s·v·vᵀ: entry ij is aᵢⱼ + (vᵢ·vⱼ)·s.
static inline void abut_dmat3_add_outer(AbutDMat3* a, AbutDVec3 v, double s)
{
    const AbutDVec3 rows[3] = { abut_dvec3_scale(v, v.x), abut_dvec3_scale(v, v.y),
                                abut_dvec3_scale(v, v.z) };
    *a = abut_dmat3_from_rows(abut_dvec3_mul_add(abut_dmat3_row(a, 0), s, rows[0]),
                              abut_dvec3_mul_add(abut_dmat3_row(a, 1), s, rows[1]),
                              abut_dvec3_mul_add(abut_dmat3_row(a, 2), s, rows[2]));
}

/// The inverse of a regular symmetric matrix: cofactors divided by the determinant along the first row.
static inline AbutDMat3 abut_dmat3_inverse_symmetric(const AbutDMat3* a)
{
    AbutDVec3 x = abut_dmat3_row(a, 0), y = abut_dmat3_row(a, 1), z = abut_dmat3_row(a, 2);
    AbutDVec3 yz = abut_dvec3_cross(y, z), zx = abut_dvec3_cross(z, x), xy = abut_dvec3_cross(x, y);
    double determinant = abut_dvec3_dot(x, yz);
    return abut_dmat3_from_rows(abut_dvec3_div(yz, determinant), abut_dvec3_div(zx, determinant),
                                abut_dvec3_div(xy, determinant));
}

/// The rotation of a quaternion of any length; the identity where abut_dquat_normalize() is. The division by
/// the squared length makes the matrix a rotation whatever the rounding of q, and quarter rotations exact.
static inline AbutDMat3 abut_dmat3_from_dquat(AbutDQuat q)
{
    double n = abut_dquat_squared_length(q);
    if (!(n > 0.0) || !isfinite(n))
    {
        return abut_dmat3_identity();
    }
    double x = q.x, y = q.y, z = q.z, w = q.w;
    if (n == 1.0) // the same bits without divisions
    {
        return (AbutDMat3){ {
            { (w * w - z * z) + (x * x - y * y), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y) },
            { 2.0 * (x * y + w * z), (w * w - x * x) + (y * y - z * z), 2.0 * (y * z - w * x) },
            { 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), (w * w - y * y) + (z * z - x * x) },
        } };
    }
    return (AbutDMat3){ {
        { ((w * w - z * z) + (x * x - y * y)) / n, 2.0 * (x * y - w * z) / n, 2.0 * (x * z + w * y) / n },
        { 2.0 * (x * y + w * z) / n, ((w * w - x * x) + (y * y - z * z)) / n, 2.0 * (y * z - w * x) / n },
        { 2.0 * (x * z - w * y) / n, 2.0 * (y * z + w * x) / n, ((w * w - y * y) + (z * z - x * x)) / n },
    } };
}

/// The same of a quaternion of a length near 1, by one division: other last bits.
static inline AbutDMat3 abut_dmat3_from_dquat_quick(AbutDQuat q)
{
    double x = q.x, y = q.y, z = q.z, w = q.w, s = 1.0 / abut_dquat_squared_length(q), d = 2.0 * s;
    return (AbutDMat3){ {
        { ((w * w - z * z) + (x * x - y * y)) * s, (x * y - w * z) * d, (x * z + w * y) * d },
        { (x * y + w * z) * d, ((w * w - x * x) + (y * y - z * z)) * s, (y * z - w * x) * d },
        { (x * z - w * y) * d, (y * z + w * x) * d, ((w * w - y * y) + (z * z - x * x)) * s },
    } };
}

/// As abut_quat_to_matrix().
static inline AbutDMat3 abut_dmat3_from_quat(AbutQuat q)
{
    return abut_dmat3_from_dquat(abut_dquat_from_quat(q));
}

#endif
