// Solver kernels of wide constraints (dynamics/impulse/kernels.h).
#ifndef ABUT_DYNAMICS_IMPULSE_SOLVE_KERNELS_INL
#define ABUT_DYNAMICS_IMPULSE_SOLVE_KERNELS_INL

#include "dynamics/impulse/kernels.h"
#include "simd/lanes.inl"
#include "simd/wide_double.h"

typedef struct Solve3
{
    WideDouble x, y, z;
} Solve3;

/// Linear and angular velocities of both sides.
typedef struct SolvePair
{
    Solve3 va, wa, vb, wb;
} SolvePair;

typedef struct SolveMatrix
{
    Solve3 vectors[3];
} SolveMatrix;

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

/// Three vectors of lanes, one after the other.
KERNEL_INLINE Solve3 solve_load_vectors(const double* p, int lane)
{
    return (Solve3){ solve_load(p + lane), solve_load(p + ABUT_SOLVE_LANES + lane),
                     solve_load(p + 2 * ABUT_SOLVE_LANES + lane) };
}

/// Loads an array of three by lanes. (A function cannot take both constant and other arrays of arrays in ISO
/// C.)
#define solve_load3(vectors, lane) solve_load_vectors(&(vectors)[0][0], lane)

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

KERNEL_INLINE Solve3 solve_transform(const SolveMatrix* m, Solve3 v)
{
    return (Solve3){ solve_dot(m->vectors[0], v), solve_dot(m->vectors[1], v), solve_dot(m->vectors[2], v) };
}

/// Gathers numbers at `stride` doubles apart for each body.
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

KERNEL_INLINE SolveMatrix solve_gather_matrix(const double* base, size_t stride, const uint32_t* index)
{
    return (SolveMatrix){ { solve_gather3(base, stride, index), solve_gather3(base + 3, stride, index),
                            solve_gather3(base + 6, stride, index) } };
}

KERNEL_INLINE SolvePair solve_gather_pair(const AbutSolveContext* context, const AbutWideConstraint* wide,
                                          int lane)
{
    const size_t stride = sizeof(AbutSolveVelocity) / sizeof(double);
    const double* velocities = (const double*)context->velocities;
    return (SolvePair){ solve_gather3(velocities, stride, wide->a + lane),
                        solve_gather3(velocities + 3, stride, wide->a + lane),
                        solve_gather3(velocities, stride, wide->b + lane),
                        solve_gather3(velocities + 3, stride, wide->b + lane) };
}

KERNEL_INLINE void solve_scatter(AbutSolveVelocity* velocities, const uint32_t* index, const uint8_t* moves,
                                 Solve3 v, Solve3 w)
{
    for (int i = 0; i < WIDE_DOUBLES; ++i)
    {
        if (moves[i] != 0)
        {
            AbutSolveVelocity* velocity = &velocities[index[i]];
            velocity->linear[0] = v.x[i];
            velocity->linear[1] = v.y[i];
            velocity->linear[2] = v.z[i];
            velocity->angular[0] = w.x[i];
            velocity->angular[1] = w.y[i];
            velocity->angular[2] = w.z[i];
        }
    }
}

KERNEL_INLINE void solve_scatter_pair(const AbutSolveContext* context, const AbutWideConstraint* wide,
                                      int lane, const SolvePair* pair)
{
    solve_scatter(context->velocities, wide->a + lane, wide->moves_a + lane, pair->va, pair->wa);
    solve_scatter(context->velocities, wide->b + lane, wide->moves_b + lane, pair->vb, pair->wb);
}

/// Relative velocity of A at the contact.
KERNEL_INLINE Solve3 solve_velocity(const SolvePair* pair, const AbutContactConstraint* constraint, int lane)
{
    Solve3 w_cross_r_a = solve_cross(pair->wa, solve_load3(constraint->r_a, lane));
    Solve3 w_cross_r_b = solve_cross(pair->wb, solve_load3(constraint->r_b, lane));
    return solve_add(solve_sub(pair->va, pair->vb), solve_sub(w_cross_r_a, w_cross_r_b));
}

/// An impulse along an axis of a contact constraint.
KERNEL_INLINE void solve_apply(SolvePair* pair, const AbutWideConstraint* wide,
                               const AbutContactConstraint* constraint, int axis, int lane,
                               WideDouble impulse)
{
    Solve3 direction = solve_load3(constraint->axis[axis], lane);
    Solve3 inverse_mass_a = solve_multiply(solve_load3(wide->inverse_mass_a, lane), direction);
    Solve3 inverse_mass_b = solve_multiply(solve_load3(wide->inverse_mass_b, lane), direction);
    pair->va = solve_add(pair->va, solve_scale(inverse_mass_a, impulse));
    pair->wa =
        solve_add(pair->wa, solve_scale(solve_load3(constraint->inv_inertia_rn_a[axis], lane), impulse));
    pair->vb = solve_sub(pair->vb, solve_scale(inverse_mass_b, impulse));
    pair->wb =
        solve_sub(pair->wb, solve_scale(solve_load3(constraint->inv_inertia_rn_b[axis], lane), impulse));
}

/// Friction, limited by friction times the normal impulse; both tangents at once, for a circular limit.
KERNEL_INLINE void solve_friction(SolvePair* pair, const AbutWideConstraint* wide,
                                  AbutContactConstraint* constraint, int lane)
{
    Solve3 v = solve_velocity(pair, constraint, lane);
    WideDouble most = solve_load(wide->friction + lane) * solve_load(constraint->impulse[0] + lane);
    WideDouble old_x = solve_load(constraint->impulse[1] + lane),
               old_y = solve_load(constraint->impulse[2] + lane);
    WideDouble x = old_x - solve_load(constraint->effective_mass[1] + lane) *
                               solve_dot(v, solve_load3(constraint->axis[1], lane));
    WideDouble y = old_y - solve_load(constraint->effective_mass[2] + lane) *
                               solve_dot(v, solve_load3(constraint->axis[2], lane));
    WideDouble size = wide_double_sqrt(x * x + y * y);
    WideDouble fraction = wide_double_select(size > most, most / size, wide_double_splat(1.0));
    x *= fraction;
    y *= fraction;
    solve_store(constraint->impulse[1] + lane, x);
    solve_store(constraint->impulse[2] + lane, y);
    solve_apply(pair, wide, constraint, 1, lane, x - old_x);
    solve_apply(pair, wide, constraint, 2, lane, y - old_y);
}

/// Adds to the normal impulse, which stays ≥ 0, in the lanes of `acts`.
KERNEL_INLINE void solve_add_normal_impulse(SolvePair* pair, const AbutWideConstraint* wide,
                                            AbutContactConstraint* constraint, int lane, WideDouble change,
                                            WideDoubleMask acts)
{
    WideDouble old = solve_load(constraint->impulse[0] + lane);
    WideDouble total_impulse =
        wide_double_select(acts, wide_double_max(old + change, wide_double_splat(0.0)), old);
    solve_store(constraint->impulse[0] + lane, total_impulse);
    solve_apply(pair, wide, constraint, 0, lane, total_impulse - old);
}

/// Biased normal impulse: open gaps may just close; penetration is resolved by springs.
KERNEL_INLINE void solve_soft_normal(SolvePair* pair, const AbutSolveContext* context,
                                     const AbutWideConstraint* wide, AbutContactConstraint* constraint,
                                     int lane)
{
    WideDouble gap = solve_load(constraint->gap + lane), old = solve_load(constraint->impulse[0] + lane);
    WideDouble depth = gap + solve_load(wide->slop + lane), zero = wide_double_splat(0.0);
    WideDoubleMask is_open = depth >= zero; // or within the slop: no springs
    WideDouble spring = wide_double_max(solve_load(wide->bias_rate + lane) * depth,
                                        -solve_load(wide->max_depenetration_speed + lane));
    WideDouble bias = wide_double_select(is_open, wide_double_max(gap, zero) * context->per_second, spring);
    WideDouble fraction =
        wide_double_select(is_open, wide_double_splat(1.0), solve_load(wide->mass_scale + lane));
    WideDouble impulse_scale_now = wide_double_select(is_open, zero, solve_load(wide->impulse_scale + lane));
    WideDouble load = solve_load(constraint->load + lane);
    WideDouble effective_mass = solve_load(constraint->effective_mass[0] + lane) * fraction;
    WideDouble velocity =
        solve_dot(solve_velocity(pair, constraint, lane), solve_load3(constraint->axis[0], lane));
    solve_add_normal_impulse(pair, wide, constraint, lane,
                             -(effective_mass * (velocity + bias)) - impulse_scale_now * (old - load),
                             is_open | ~is_open);
}

/// Normal impulse without a bias. Open contacts are left to the next substep: slowed down here, an impact
/// would be split in two.
KERNEL_INLINE void solve_rigid_normal(SolvePair* pair, const AbutSolveContext* context,
                                      const AbutWideConstraint* wide, AbutContactConstraint* constraint,
                                      int lane)
{
    WideDouble gap = solve_load(constraint->gap + lane), old = solve_load(constraint->impulse[0] + lane);
    WideDouble bias = wide_double_max(gap * context->per_second, wide_double_splat(0.0));
    WideDouble velocity =
        solve_dot(solve_velocity(pair, constraint, lane), solve_load3(constraint->axis[0], lane));
    WideDouble change = -(solve_load(constraint->effective_mass[0] + lane) * (velocity + bias));
    solve_add_normal_impulse(pair, wide, constraint, lane, change, (gap <= 0.0) | (old > 0.0));
}

// -----------------------------------------------------------------------------------------------------------
// Kernels
// -----------------------------------------------------------------------------------------------------------

/// Inverse inertia times r × axis of one body; returns its share of the inverse effective mass.
KERNEL_INLINE WideDouble solve_inv_inertia_rn(const SolveMatrix* inverse_inertia, Solve3 r, Solve3 axis,
                                              int lane, double inv_inertia_rn_out[3][ABUT_SOLVE_LANES])
{
    Solve3 r_cross_axis = solve_cross(r, axis),
           velocity_change = solve_transform(inverse_inertia, r_cross_axis);
    solve_store3(inv_inertia_rn_out, lane, velocity_change);
    return solve_dot(r_cross_axis, velocity_change);
}

KERNEL_INLINE void solve_prepare_constraint(const SolveMatrix* inverse_inertia_a,
                                            const SolveMatrix* inverse_inertia_b, Solve3 inverse_mass,
                                            AbutContactConstraint* constraint, int lane)
{
    Solve3 r_a = solve_load3(constraint->r_a, lane), r_b = solve_load3(constraint->r_b, lane);
    for (int i = 0; i < 3; ++i)
    {
        Solve3 axis = solve_load3(constraint->axis[i], lane);
        WideDouble sum = solve_dot(solve_multiply(inverse_mass, axis), axis);
        sum += solve_inv_inertia_rn(inverse_inertia_a, r_a, axis, lane, constraint->inv_inertia_rn_a[i]);
        sum += solve_inv_inertia_rn(inverse_inertia_b, r_b, axis, lane, constraint->inv_inertia_rn_b[i]);
        WideDouble effective_mass = wide_double_select(sum > 0.0, 1.0 / sum, wide_double_splat(0.0));
        solve_store(constraint->effective_mass[i] + lane, effective_mass);
    }
}

static void solve_prepare_kernel(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    const size_t stride = sizeof(AbutSolveMass) / sizeof(double);
    const double* inverse_inertias = (const double*)context->masses + 3;
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutWideConstraint* wide = &context->wide_constraints[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES; lane += WIDE_DOUBLES)
        {
            SolveMatrix inverse_inertia_a = solve_gather_matrix(inverse_inertias, stride, wide->a + lane);
            SolveMatrix inverse_inertia_b = solve_gather_matrix(inverse_inertias, stride, wide->b + lane);
            Solve3 inverse_mass =
                solve_add(solve_load3(wide->inverse_mass_a, lane), solve_load3(wide->inverse_mass_b, lane));
            for (uint32_t k = 0; k < wide->count; ++k)
            {
                solve_prepare_constraint(&inverse_inertia_a, &inverse_inertia_b, inverse_mass,
                                         &context->contact_constraints[wide->first + k], lane);
            }
        }
    }
}

static void solve_warm_start_kernel(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutWideConstraint* wide = &context->wide_constraints[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES; lane += WIDE_DOUBLES)
        {
            SolvePair pair = solve_gather_pair(context, wide, lane);
            for (uint32_t k = 0; k < wide->count; ++k)
            {
                const AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
                solve_apply(&pair, wide, constraint, 0, lane, solve_load(constraint->impulse[0] + lane));
                solve_apply(&pair, wide, constraint, 1, lane, solve_load(constraint->impulse[1] + lane));
                solve_apply(&pair, wide, constraint, 2, lane, solve_load(constraint->impulse[2] + lane));
            }
            solve_scatter_pair(context, wide, lane, &pair);
        }
    }
}

static void solve_biased_kernel(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutWideConstraint* wide = &context->wide_constraints[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES; lane += WIDE_DOUBLES)
        {
            SolvePair pair = solve_gather_pair(context, wide, lane);
            for (uint32_t k = 0; k < wide->count; ++k)
            {
                solve_friction(&pair, wide, &context->contact_constraints[wide->first + k], lane);
            }
            for (uint32_t iteration = 0; iteration <= wide->extra_iterations; ++iteration)
            {
                for (uint32_t k = 0; k < wide->count; ++k)
                {
                    solve_soft_normal(&pair, context, wide, &context->contact_constraints[wide->first + k],
                                      lane);
                }
            }
            solve_scatter_pair(context, wide, lane, &pair);
        }
    }
}

/// Impulses of the closed contacts of a manifold, on average.
KERNEL_INLINE WideDouble solve_mean_impulse(const AbutSolveContext* context, const AbutWideConstraint* wide,
                                            int lane)
{
    WideDouble zero = wide_double_splat(0.0), one = wide_double_splat(1.0), sum = zero, count = zero;
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        WideDouble impulse = solve_load(context->contact_constraints[wide->first + k].impulse[0] + lane);
        sum += impulse;
        count += wide_double_select(impulse > 0.0, one, zero);
    }
    return sum / wide_double_max(count, one);
}

/// Loads follow the relaxed impulses. Contacts of a convex manifold share its load equally until they are
/// deep: loads of their own would be the integral term of a controller of the rotation, which drives the
/// sway of stacks.
KERNEL_INLINE void solve_update_loads(const AbutSolveContext* context, const AbutWideConstraint* wide,
                                      int lane)
{
    WideDouble zero = wide_double_splat(0.0), mean = solve_mean_impulse(context, wide, lane);
    WideDouble depth = solve_load(wide->load_depth + lane);
    for (uint32_t k = 0; k < wide->count; ++k)
    {
        AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
        WideDouble impulse = solve_load(constraint->impulse[0] + lane),
                   load = solve_load(constraint->load + lane);
        WideDouble share = wide_double_select(impulse > 0.0, mean, zero);
        WideDouble kept = wide_double_select(load < impulse, load, impulse); // of a contact that was deep
        WideDoubleMask is_deep = solve_load(constraint->gap + lane) <= -depth;
        WideDouble target = wide_double_select(is_deep, impulse, wide_double_max(share, kept));
        solve_store(constraint->load + lane, load + solve_load(wide->load_rate + lane) * (target - load));
    }
}

static void solve_relax_kernel(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutWideConstraint* wide = &context->wide_constraints[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES; lane += WIDE_DOUBLES)
        {
            SolvePair pair = solve_gather_pair(context, wide, lane);
            for (uint32_t k = 0; k < wide->count; ++k)
            {
                solve_rigid_normal(&pair, context, wide, &context->contact_constraints[wide->first + k],
                                   lane);
            }
            for (uint32_t k = 0; k < wide->count; ++k)
            {
                AbutContactConstraint* constraint = &context->contact_constraints[wide->first + k];
                solve_friction(&pair, wide, constraint, lane);
                solve_store(constraint->total_impulse + lane, solve_load(constraint->total_impulse + lane) +
                                                                  solve_load(constraint->impulse[0] + lane));
            }
            solve_update_loads(context, wide, lane);
            solve_scatter_pair(context, wide, lane, &pair);
        }
    }
}

#endif
