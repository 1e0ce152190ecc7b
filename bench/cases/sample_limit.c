// The limit of bench sample. The only intrinsics outside of src/simd: the loop stands for itself, without our
// wide types.
#include "sample_limit.h"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>

/// Along one axis: the cell, and the part of the way through it.
static inline __m256 split(const SampleGrid* grid, int axis, __m256 p, __m256i* cell)
{
    __m256 u = _mm256_mul_ps(_mm256_sub_ps(p, _mm256_set1_ps(grid->origin[axis])),
                             _mm256_set1_ps(grid->inverse_cell));
    u = _mm256_max_ps(_mm256_setzero_ps(), _mm256_min_ps(_mm256_set1_ps((float)grid->cells), u));
    *cell = _mm256_cvttps_epi32(_mm256_min_ps(_mm256_set1_ps((float)(grid->cells - 1)), u));
    return _mm256_sub_ps(u, _mm256_cvtepi32_ps(*cell));
}

static inline __m256 blend(__m256 a, __m256 b, __m256 t)
{
    return _mm256_fmadd_ps(t, _mm256_sub_ps(b, a), a);
}

static inline void gather_singles(const float* values, int row, int slab, __m256i at, __m256 v[8])
{
    for (int corner = 0; corner < 8; ++corner)
    {
        v[corner] = _mm256_i32gather_ps(
            values + (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * slab, at, 4);
    }
}

static inline void gather_pairs(const float* values, int row, int slab, __m256i at, __m256 v[8])
{
    const __m128i at_low = _mm256_castsi256_si128(at), at_high = _mm256_extracti128_si256(at, 1);
    for (int i = 0; i < 4; ++i)
    {
        const double* base = (const double*)(const void*)(values + (i & 1) * row + (i >> 1) * slab);
        const __m256 low = _mm256_castpd_ps(_mm256_i32gather_pd(base, at_low, 4));
        const __m256 high = _mm256_castpd_ps(_mm256_i32gather_pd(base, at_high, 4));
        const __m256 even = _mm256_permute2f128_ps(low, high, 0x20);
        const __m256 odd = _mm256_permute2f128_ps(low, high, 0x31);
        v[2 * i] = _mm256_shuffle_ps(even, odd, _MM_SHUFFLE(2, 0, 2, 0));
        v[2 * i + 1] = _mm256_shuffle_ps(even, odd, _MM_SHUFFLE(3, 1, 3, 1));
    }
}

static inline __attribute__((always_inline)) void sample_eight(const SampleGrid* grid, SamplePoints points,
                                                               SampleOutput out, size_t i, bool gradient,
                                                               bool pairs)
{
    const int row = grid->cells + 1, slab = row * row;
    __m256i x, y, z;
    const __m256 tx = split(grid, 0, _mm256_loadu_ps(points.x + i), &x);
    const __m256 ty = split(grid, 1, _mm256_loadu_ps(points.y + i), &y);
    const __m256 tz = split(grid, 2, _mm256_loadu_ps(points.z + i), &z);
    const __m256i at = _mm256_add_epi32(x, _mm256_add_epi32(_mm256_mullo_epi32(y, _mm256_set1_epi32(row)),
                                                            _mm256_mullo_epi32(z, _mm256_set1_epi32(slab))));
    __m256 v[8];
    if (pairs)
    {
        gather_pairs(grid->values, row, slab, at, v);
    }
    else
    {
        gather_singles(grid->values, row, slab, at, v);
    }
    const __m256 v00 = blend(v[0], v[1], tx), v10 = blend(v[2], v[3], tx);
    const __m256 v01 = blend(v[4], v[5], tx), v11 = blend(v[6], v[7], tx);
    const __m256 low = blend(v00, v10, ty), high = blend(v01, v11, ty);
    _mm256_storeu_ps(out.distance + i, blend(low, high, tz));
    if (gradient)
    {
        const __m256 inverse = _mm256_set1_ps(grid->inverse_cell);
        const __m256 x_low = blend(_mm256_sub_ps(v[1], v[0]), _mm256_sub_ps(v[3], v[2]), ty);
        const __m256 x_high = blend(_mm256_sub_ps(v[5], v[4]), _mm256_sub_ps(v[7], v[6]), ty);
        const __m256 gy = blend(_mm256_sub_ps(v10, v00), _mm256_sub_ps(v11, v01), tz);
        _mm256_storeu_ps(out.gradient[0] + i, _mm256_mul_ps(inverse, blend(x_low, x_high, tz)));
        _mm256_storeu_ps(out.gradient[1] + i, _mm256_mul_ps(inverse, gy));
        _mm256_storeu_ps(out.gradient[2] + i, _mm256_mul_ps(inverse, _mm256_sub_ps(high, low)));
    }
}

static inline __attribute__((always_inline)) void sample_all(const SampleGrid* grid, SamplePoints points,
                                                             SampleOutput out, bool gradient, bool pairs)
{
    const SampleGrid local = *grid; // which the stores cannot alias
    for (size_t i = 0; i < points.count; i += 8)
    {
        sample_eight(&local, points, out, i, gradient, pairs);
    }
}

bool sample_limit_run(const SampleGrid* grid, SamplePoints points, SampleOutput out, bool pairs)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    {
        return false;
    }
    const bool gradient = out.gradient[0] != NULL;
    if (pairs)
    {
        gradient ? sample_all(grid, points, out, true, true) : sample_all(grid, points, out, false, true);
    }
    else
    {
        gradient ? sample_all(grid, points, out, true, false) : sample_all(grid, points, out, false, false);
    }
    return true;
}

#else

bool sample_limit_run(const SampleGrid* grid, SamplePoints points, SampleOutput out, bool pairs)
{
    (void)grid;
    (void)points;
    (void)out;
    (void)pairs;
    return false;
}

#endif

#if !defined(BENCH_HAS_OPENVDB)

VdbSampler* vdb_sampler_create(const SampleGrid* grid)
{
    (void)grid;
    return NULL;
}

void vdb_sampler_destroy(VdbSampler* sampler)
{
    (void)sampler;
}

void vdb_sampler_run(const VdbSampler* sampler, const SampleGrid* grid, SamplePoints points, float* distance)
{
    (void)sampler;
    (void)grid;
    (void)points;
    (void)distance;
}

#endif
