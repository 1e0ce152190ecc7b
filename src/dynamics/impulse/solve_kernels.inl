// Impulses of four pairs of bodies side by side (dynamics/impulse/kernels.h).
#ifndef ABUT_DYNAMICS_IMPULSE_SOLVE_KERNELS_INL
#define ABUT_DYNAMICS_IMPULSE_SOLVE_KERNELS_INL

#include "dynamics/impulse/kernels.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

typedef struct Solve3
{
    WideDouble x, y, z;
} Solve3;

/// Velocities and spins of both sides.
typedef struct SolvePair
{
    Solve3 va, wa, vb, wb;
} SolvePair;

typedef struct SolveTurn
{
    Solve3 rows[3];
} SolveTurn;

KERNEL_INLINE WideDouble solve_load(const double* p)
{
    WideDouble value;
    memcpy(&value, p, sizeof(value));
    return value;
}

KERNEL_INLINE void solve_store(double* p, WideDouble value)
{
    memcpy(p, &value, sizeof(value));
}

/// Three rows of lanes, one after the other.
KERNEL_INLINE Solve3 solve_load_rows(const double* p, int lane)
{
    return (Solve3){ solve_load(p + lane), solve_load(p + ABUT_SOLVE_LANES + lane),
                     solve_load(p + 2 * ABUT_SOLVE_LANES + lane) };
}

/// Of an array of three by lanes. (A function cannot take both constant and other arrays of arrays in ISO C.)
#define solve_load3(rows, lane) solve_load_rows(&(rows)[0][0], lane)

KERNEL_INLINE void solve_store3(double p[3][ABUT_SOLVE_LANES], int lane, Solve3 v)
{
    solve_store(p[0] + lane, v.x);
    solve_store(p[1] + lane, v.y);
    solve_store(p[2] + lane, v.z);
}

KERNEL_INLINE Solve3 solve_cross(Solve3 a, Solve3 b)
{
    return (Solve3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

KERNEL_INLINE WideDouble solve_dot(Solve3 a, Solve3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

KERNEL_INLINE Solve3 solve_add(Solve3 a, Solve3 b)
{
    return (Solve3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

KERNEL_INLINE Solve3 solve_sub(Solve3 a, Solve3 b)
{
    return (Solve3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

KERNEL_INLINE Solve3 solve_multiply(Solve3 a, Solve3 b)
{
    return (Solve3){ a.x * b.x, a.y * b.y, a.z * b.z };
}

KERNEL_INLINE Solve3 solve_scale(Solve3 a, WideDouble s)
{
    return (Solve3){ a.x * s, a.y * s, a.z * s };
}

KERNEL_INLINE Solve3 solve_turn(const SolveTurn* m, Solve3 v)
{
    return (Solve3){ solve_dot(m->rows[0], v), solve_dot(m->rows[1], v), solve_dot(m->rows[2], v) };
}

/// Lanes of numbers that lie `stride` doubles apart for each body.
KERNEL_INLINE WideDouble solve_gather(const double* base, size_t stride, const uint32_t* index)
{
#if WIDE_DOUBLES == 4
    return (WideDouble){ base[index[0] * stride], base[index[1] * stride], base[index[2] * stride],
                         base[index[3] * stride] };
#else
    return (WideDouble){ base[index[0] * stride], base[index[1] * stride] };
#endif
}

KERNEL_INLINE Solve3 solve_gather3(const double* base, size_t stride, const uint32_t* index)
{
    return (Solve3){ solve_gather(base, stride, index), solve_gather(base + 1, stride, index),
                     solve_gather(base + 2, stride, index) };
}

KERNEL_INLINE SolveTurn solve_gather_turn(const double* base, size_t stride, const uint32_t* index)
{
    return (SolveTurn){ { solve_gather3(base, stride, index), solve_gather3(base + 3, stride, index),
                          solve_gather3(base + 6, stride, index) } };
}

KERNEL_INLINE SolvePair solve_gather_pair(const AbutSolveRun* run, const AbutSolveBundle* bundle, int lane)
{
    const size_t stride = sizeof(AbutSolveSpeed) / sizeof(double);
    const double* speeds = (const double*)run->speeds;
    return (SolvePair){ solve_gather3(speeds, stride, bundle->a + lane),
                        solve_gather3(speeds + 3, stride, bundle->a + lane),
                        solve_gather3(speeds, stride, bundle->b + lane),
                        solve_gather3(speeds + 3, stride, bundle->b + lane) };
}

KERNEL_INLINE void solve_scatter(AbutSolveSpeed* speeds, const uint32_t* index, const uint8_t* moves,
                                 Solve3 v, Solve3 w)
{
    for (int i = 0; i < WIDE_DOUBLES; ++i)
    {
        if (moves[i] != 0)
        {
            AbutSolveSpeed* speed = &speeds[index[i]];
            speed->linear[0] = v.x[i];
            speed->linear[1] = v.y[i];
            speed->linear[2] = v.z[i];
            speed->angular[0] = w.x[i];
            speed->angular[1] = w.y[i];
            speed->angular[2] = w.z[i];
        }
    }
}

KERNEL_INLINE void solve_scatter_pair(const AbutSolveRun* run, const AbutSolveBundle* bundle, int lane,
                                      const SolvePair* pair)
{
    solve_scatter(run->speeds, bundle->a + lane, bundle->moves_a + lane, pair->va, pair->wa);
    solve_scatter(run->speeds, bundle->b + lane, bundle->moves_b + lane, pair->vb, pair->wb);
}

/// Of A against B at the contact.
KERNEL_INLINE Solve3 solve_velocity(const SolvePair* pair, const AbutSolveRow* row, int lane)
{
    Solve3 turn_a = solve_cross(pair->wa, solve_load3(row->arm_a, lane));
    Solve3 turn_b = solve_cross(pair->wb, solve_load3(row->arm_b, lane));
    return solve_add(solve_sub(pair->va, pair->vb), solve_sub(turn_a, turn_b));
}

/// An impulse along an axis of a row.
KERNEL_INLINE void solve_apply(SolvePair* pair, const AbutSolveBundle* bundle, const AbutSolveRow* row,
                               int axis, int lane, WideDouble impulse)
{
    Solve3 direction = solve_load3(row->axis[axis], lane);
    Solve3 give_a = solve_multiply(solve_load3(bundle->give_a, lane), direction);
    Solve3 give_b = solve_multiply(solve_load3(bundle->give_b, lane), direction);
    pair->va = solve_add(pair->va, solve_scale(give_a, impulse));
    pair->wa = solve_add(pair->wa, solve_scale(solve_load3(row->answer_a[axis], lane), impulse));
    pair->vb = solve_sub(pair->vb, solve_scale(give_b, impulse));
    pair->wb = solve_sub(pair->wb, solve_scale(solve_load3(row->answer_b[axis], lane), impulse));
}

/// Against sliding, with at most friction times the load; both tangents as one, so that the limit is a circle.
KERNEL_INLINE void solve_friction(SolvePair* pair, const AbutSolveBundle* bundle, AbutSolveRow* row, int lane)
{
    Solve3 v = solve_velocity(pair, row, lane);
    WideDouble most = solve_load(bundle->friction + lane) * solve_load(row->impulse[0] + lane);
    WideDouble old_x = solve_load(row->impulse[1] + lane), old_y = solve_load(row->impulse[2] + lane);
    WideDouble x = old_x - solve_load(row->mass[1] + lane) * solve_dot(v, solve_load3(row->axis[1], lane));
    WideDouble y = old_y - solve_load(row->mass[2] + lane) * solve_dot(v, solve_load3(row->axis[2], lane));
    WideDouble size = wide_double_sqrt(x * x + y * y);
    WideDouble part = wide_double_select(size > most, most / size, wide_double_splat(1.0));
    x *= part;
    y *= part;
    solve_store(row->impulse[1] + lane, x);
    solve_store(row->impulse[2] + lane, y);
    solve_apply(pair, bundle, row, 1, lane, x - old_x);
    solve_apply(pair, bundle, row, 2, lane, y - old_y);
}

/// Adds to the impulse along the normal, which only pushes, where `acts` says so.
KERNEL_INLINE void solve_push(SolvePair* pair, const AbutSolveBundle* bundle, AbutSolveRow* row, int lane,
                              WideDouble wanted, WideDoubleMask acts)
{
    WideDouble old = solve_load(row->impulse[0] + lane);
    WideDouble total = wide_double_select(acts, wide_double_max(old + wanted, wide_double_splat(0.0)), old);
    solve_store(row->impulse[0] + lane, total);
    solve_apply(pair, bundle, row, 0, lane, total - old);
}

/// Open gaps may close and no more; overlaps are pushed apart by springs.
KERNEL_INLINE void solve_spring(SolvePair* pair, const AbutSolveRun* run, const AbutSolveBundle* bundle,
                                AbutSolveRow* row, int lane)
{
    WideDouble gap = solve_load(row->gap + lane), old = solve_load(row->impulse[0] + lane);
    WideDouble depth = gap + solve_load(bundle->slop + lane), zero = wide_double_splat(0.0);
    WideDoubleMask shut = depth >= zero; // or open: there are no springs
    WideDouble spring =
        wide_double_max(solve_load(bundle->bias_rate + lane) * depth, -solve_load(bundle->push_speed + lane));
    WideDouble bias = wide_double_select(shut, wide_double_max(gap, zero) * run->per_second, spring);
    WideDouble part = wide_double_select(shut, wide_double_splat(1.0), solve_load(bundle->mass_scale + lane));
    WideDouble yields = wide_double_select(shut, zero, solve_load(bundle->impulse_scale + lane));
    WideDouble load = solve_load(row->load + lane);
    WideDouble mass = solve_load(row->mass[0] + lane) * part;
    WideDouble speed = solve_dot(solve_velocity(pair, row, lane), solve_load3(row->axis[0], lane));
    solve_push(pair, bundle, row, lane, -(mass * (speed + bias)) - yields * (old - load), shut | ~shut);
}

/// Without springs. What is open is for the next substep: slowed down here, a blow would fall into two.
KERNEL_INLINE void solve_stop(SolvePair* pair, const AbutSolveRun* run, const AbutSolveBundle* bundle,
                              AbutSolveRow* row, int lane)
{
    WideDouble gap = solve_load(row->gap + lane), old = solve_load(row->impulse[0] + lane);
    WideDouble bias = wide_double_max(gap * run->per_second, wide_double_splat(0.0));
    WideDouble speed = solve_dot(solve_velocity(pair, row, lane), solve_load3(row->axis[0], lane));
    WideDouble wanted = -(solve_load(row->mass[0] + lane) * (speed + bias));
    solve_push(pair, bundle, row, lane, wanted, (gap <= 0.0) | (old > 0.0));
}

// ---------------------------------------------------------------------------------------------------------------------
// Kernels
// ---------------------------------------------------------------------------------------------------------------------

/// Answers of one body to pushes along an axis; returns how fast its point becomes along it.
KERNEL_INLINE WideDouble solve_answer(const SolveTurn* inverse, Solve3 arm, Solve3 axis, int lane,
                                      double answer[3][ABUT_SOLVE_LANES])
{
    Solve3 turn = solve_cross(arm, axis), spin = solve_turn(inverse, turn);
    solve_store3(answer, lane, spin);
    return solve_dot(turn, spin);
}

KERNEL_INLINE void solve_prepare_row(const SolveTurn* inverse_a, const SolveTurn* inverse_b, Solve3 give,
                                     AbutSolveRow* row, int lane)
{
    Solve3 arm_a = solve_load3(row->arm_a, lane), arm_b = solve_load3(row->arm_b, lane);
    for (int i = 0; i < 3; ++i)
    {
        Solve3 axis = solve_load3(row->axis[i], lane);
        WideDouble sum = solve_dot(solve_multiply(give, axis), axis);
        sum += solve_answer(inverse_a, arm_a, axis, lane, row->answer_a[i]);
        sum += solve_answer(inverse_b, arm_b, axis, lane, row->answer_b[i]);
        WideDouble mass = wide_double_select(sum > 0.0, 1.0 / sum, wide_double_splat(0.0));
        solve_store(row->mass[i] + lane, mass);
    }
}

static void solve_prepare_kernel(const AbutSolveRun* run, uint32_t first, uint32_t end)
{
    const size_t stride = sizeof(AbutSolveMass) / sizeof(double);
    const double* inverses = (const double*)run->masses + 3;
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutSolveBundle* bundle = &run->bundles[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES; lane += WIDE_DOUBLES)
        {
            SolveTurn inverse_a = solve_gather_turn(inverses, stride, bundle->a + lane);
            SolveTurn inverse_b = solve_gather_turn(inverses, stride, bundle->b + lane);
            Solve3 give = solve_add(solve_load3(bundle->give_a, lane), solve_load3(bundle->give_b, lane));
            for (uint32_t k = 0; k < bundle->count; ++k)
            {
                solve_prepare_row(&inverse_a, &inverse_b, give, &run->rows[bundle->first + k], lane);
            }
        }
    }
}

static void solve_warm_kernel(const AbutSolveRun* run, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutSolveBundle* bundle = &run->bundles[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES; lane += WIDE_DOUBLES)
        {
            SolvePair pair = solve_gather_pair(run, bundle, lane);
            for (uint32_t k = 0; k < bundle->count; ++k)
            {
                const AbutSolveRow* row = &run->rows[bundle->first + k];
                solve_apply(&pair, bundle, row, 0, lane, solve_load(row->impulse[0] + lane));
                solve_apply(&pair, bundle, row, 1, lane, solve_load(row->impulse[1] + lane));
                solve_apply(&pair, bundle, row, 2, lane, solve_load(row->impulse[2] + lane));
            }
            solve_scatter_pair(run, bundle, lane, &pair);
        }
    }
}

static void solve_push_kernel(const AbutSolveRun* run, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutSolveBundle* bundle = &run->bundles[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES; lane += WIDE_DOUBLES)
        {
            SolvePair pair = solve_gather_pair(run, bundle, lane);
            for (uint32_t k = 0; k < bundle->count; ++k)
            {
                solve_friction(&pair, bundle, &run->rows[bundle->first + k], lane);
            }
            for (uint32_t sweep = 0; sweep <= bundle->extra_sweeps; ++sweep)
            {
                for (uint32_t k = 0; k < bundle->count; ++k)
                {
                    solve_spring(&pair, run, bundle, &run->rows[bundle->first + k], lane);
                }
            }
            solve_scatter_pair(run, bundle, lane, &pair);
        }
    }
}

static void solve_relax_kernel(const AbutSolveRun* run, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutSolveBundle* bundle = &run->bundles[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES; lane += WIDE_DOUBLES)
        {
            SolvePair pair = solve_gather_pair(run, bundle, lane);
            for (uint32_t k = 0; k < bundle->count; ++k)
            {
                solve_stop(&pair, run, bundle, &run->rows[bundle->first + k], lane);
            }
            for (uint32_t k = 0; k < bundle->count; ++k)
            {
                AbutSolveRow* row = &run->rows[bundle->first + k];
                solve_friction(&pair, bundle, row, lane);
                WideDouble impulse = solve_load(row->impulse[0] + lane), load = solve_load(row->load + lane);
                solve_store(row->total + lane, solve_load(row->total + lane) + impulse);
                solve_store(row->load + lane, load + solve_load(bundle->load_rate + lane) * (impulse - load));
            }
            solve_scatter_pair(run, bundle, lane, &pair);
        }
    }
}

#endif
