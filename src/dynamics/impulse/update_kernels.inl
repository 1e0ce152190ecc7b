// Contacts of convex solids at the present poses (dynamics/contacts/convex_contacts.h), in lanes.
#ifndef ABUT_DYNAMICS_IMPULSE_UPDATE_KERNELS_INL
#define ABUT_DYNAMICS_IMPULSE_UPDATE_KERNELS_INL

#include "dynamics/impulse/solve_kernels.inl"

/// Poses of both bodies of a wide constraint.
typedef struct UpdatePair
{
    SolveMatrix rotation_a, rotation_b;
    SolveMatrix rotation_normal; // of the body that the normal is fixed to
    Solve3 between;              // from the centre of mass of B to that of A
    WideDoubleMask on_b;         // the anchor on B is the point of contact
    WideDoubleMask is_central;   // two balls: the normal is the line of their centres
} UpdatePair;

KERNEL_INLINE Solve3 update_select(WideDoubleMask mask, Solve3 yes, Solve3 no)
{
    return (Solve3){ wide_double_select(mask, yes.x, no.x), wide_double_select(mask, yes.y, no.y),
                     wide_double_select(mask, yes.z, no.z) };
}

KERNEL_INLINE UpdatePair update_gather_pair(const AbutSolveContext* context, const AbutWideConstraint* wide,
                                            int lane)
{
    const size_t stride = sizeof(AbutSolvePose) / sizeof(double);
    const double* poses = (const double*)context->poses;
    UpdatePair pair;
    pair.rotation_a = solve_gather_matrix(poses + 3, stride, wide->a + lane);
    pair.rotation_b = solve_gather_matrix(poses + 3, stride, wide->b + lane);
    pair.between =
        solve_sub(solve_gather3(poses, stride, wide->a + lane), solve_gather3(poses, stride, wide->b + lane));
    pair.on_b = solve_load(wide->on_b + lane) > 0.0;
    pair.is_central = solve_load(wide->is_central + lane) > 0.0;
    for (int i = 0; i < 3; ++i)
    {
        pair.rotation_normal.vectors[i] =
            update_select(pair.on_b, pair.rotation_a.vectors[i], pair.rotation_b.vectors[i]);
    }
    return pair;
}

/// Two perpendicular tangents, as abut_contacts_make_tangents(); 0 for a normal of 0, in a lane without
/// contact.
KERNEL_INLINE void update_make_tangents(Solve3 n, Solve3 tangent[2])
{
    WideDouble zero = wide_double_splat(0.0), one = wide_double_splat(1.0);
    WideDouble x = wide_double_max(n.x, -n.x), y = wide_double_max(n.y, -n.y), z = wide_double_max(n.z, -n.z);
    WideDoubleMask is_x = (x <= y) & (x <= z), is_y = ~is_x & (y <= z);
    Solve3 axis = { wide_double_select(is_x, one, zero), wide_double_select(is_y, one, zero),
                    wide_double_select(is_x | is_y, zero, one) };
    Solve3 across = solve_cross(n, axis);
    WideDouble length = wide_double_sqrt(solve_dot(across, across));
    length = wide_double_select(length > 0.0, length, one);
    tangent[0] = (Solve3){ across.x / length, across.y / length, across.z / length };
    tangent[1] = solve_cross(n, tangent[0]);
}

/// The new axes, and the impulses along them.
KERNEL_INLINE void update_axes(AbutContactConstraint* constraint, int lane, Solve3 n)
{
    Solve3 tangent[2];
    WideDouble cosine = solve_dot(solve_load3(constraint->axis[0], lane), n);
    Solve3 friction_impulse = solve_add(
        solve_scale(solve_load3(constraint->axis[1], lane), solve_load(constraint->impulse[1] + lane)),
        solve_scale(solve_load3(constraint->axis[2], lane), solve_load(constraint->impulse[2] + lane)));
    update_make_tangents(n, tangent);
    solve_store(constraint->impulse[0] + lane,
                solve_load(constraint->impulse[0] + lane) * wide_double_max(cosine, wide_double_splat(0.0)));
    solve_store(constraint->impulse[1] + lane, solve_dot(friction_impulse, tangent[0]));
    solve_store(constraint->impulse[2] + lane, solve_dot(friction_impulse, tangent[1]));
    solve_store3(constraint->axis[0], lane, n);
    solve_store3(constraint->axis[1], lane, tangent[0]);
    solve_store3(constraint->axis[2], lane, tangent[1]);
}

KERNEL_INLINE void update_contact(const UpdatePair* pair, AbutContactConstraint* constraint, int lane)
{
    Solve3 at_a = solve_transform(&pair->rotation_a, solve_load3(constraint->anchor_a, lane));
    Solve3 at_b = solve_transform(&pair->rotation_b, solve_load3(constraint->anchor_b, lane));
    Solve3 apart = solve_add(pair->between, solve_sub(at_a, at_b));
    Solve3 n = solve_transform(&pair->rotation_normal, solve_load3(constraint->local_normal, lane));
    WideDouble squared = solve_dot(apart, apart), distance = wide_double_sqrt(squared);
    Solve3 central = { apart.x / distance, apart.y / distance, apart.z / distance };
    n = update_select(pair->is_central & (squared > 0.0), central, n);
    WideDouble radius_a = solve_load(constraint->radius_a + lane),
               radius_b = solve_load(constraint->radius_b + lane);
    Solve3 surface_a = solve_sub(at_a, solve_scale(n, radius_a));
    Solve3 surface_b = solve_add(at_b, solve_scale(n, radius_b));
    update_axes(constraint, lane, n);
    solve_store(constraint->gap + lane, solve_dot(n, apart) - radius_a - radius_b);
    solve_store3(constraint->r_a, lane,
                 update_select(pair->on_b, solve_sub(surface_b, pair->between), surface_a));
    solve_store3(constraint->r_b, lane,
                 update_select(pair->on_b, surface_b, solve_add(surface_a, pair->between)));
}

static void solve_update_convex_kernel(const AbutSolveContext* context, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutWideConstraint* wide = &context->wide_constraints[i];
        for (int lane = 0; lane < ABUT_SOLVE_LANES && wide->is_convex; lane += WIDE_DOUBLES)
        {
            UpdatePair pair = update_gather_pair(context, wide, lane);
            for (uint32_t k = 0; k < wide->count; ++k)
            {
                update_contact(&pair, &context->contact_constraints[wide->first + k], lane);
            }
        }
    }
}

#endif
