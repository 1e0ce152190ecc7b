// The kernels that solve contacts, four pairs of bodies at once, against the textbook for one pair at a time.
#include "dynamics/impulse/kernels.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum
{
    BODIES = 8, // A of lane i is body i, B is body 4 + i; body 7 does not move
    CONSTRAINTS = 5
};

typedef struct Case
{
    AbutSolveVelocity velocities[BODIES];
    AbutSolveMass masses[BODIES];
    AbutWideConstraint wide;
    AbutContactConstraint constraints[CONSTRAINTS];
} Case;

static AbutSolveContext context_of(Case* self)
{
    return (AbutSolveContext){ .velocities = self->velocities,
                               .masses = self->masses,
                               .wide_constraints = &self->wide,
                               .contact_constraints = self->constraints,
                               .per_second = 240.0 };
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(const double a[3])
{
    return sqrt(dot(a, a));
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void fill_random(TestRandom* random, double* out, int count, double size)
{
    for (int i = 0; i < count; ++i)
    {
        out[i] = test_random_range(random, -size, size);
    }
}

/// A symmetric matrix with positive eigenvalues.
static void make_inverse_inertia(TestRandom* random, double out[3][3])
{
    double root[3][3];
    fill_random(random, (double*)root, 9, 1.0);
    for (int i = 0; i < 9; ++i)
    {
        out[i / 3][i % 3] = dot(root[i / 3], root[i % 3]) + (i % 4 == 0 ? 0.5 : 0.0);
    }
}

static void make_axes(TestRandom* random, AbutContactConstraint* constraint, int lane)
{
    AbutVec3 direction = test_random_direction(random), other = test_random_direction(random);
    double n[3] = { direction.x, direction.y, direction.z }, o[3] = { other.x, other.y, other.z }, t[2][3];
    cross(n, o, t[0]);
    cross(n, t[0], t[1]);
    for (int i = 0; i < 3; ++i)
    {
        constraint->axis[0][i][lane] = n[i] / length(n);
        constraint->axis[1][i][lane] = t[0][i] / length(t[0]);
        constraint->axis[2][i][lane] = t[1][i] / length(t[1]);
    }
}

static void make_constraint(TestRandom* random, AbutContactConstraint* constraint, int lane)
{
    make_axes(random, constraint, lane);
    for (int i = 0; i < 3; ++i)
    {
        constraint->r_a[i][lane] = test_random_range(random, -1.0, 1.0);
        constraint->r_b[i][lane] = test_random_range(random, -1.0, 1.0);
        constraint->impulse[i][lane] = test_random_range(random, i == 0 ? 0.0 : -0.1, 0.1);
    }
    constraint->load[lane] = test_random_range(random, 0.0, 0.1);
    constraint->gap[lane] = test_random_range(random, -0.02, 0.02);
}

static void make_case(TestRandom* random, Case* out)
{
    memset(out, 0, sizeof(*out));
    AbutWideConstraint* wide = &out->wide;
    wide->count = CONSTRAINTS;
    for (int i = 0; i < BODIES; ++i)
    {
        fill_random(random, (double*)&out->velocities[i], 6, 1.0);
        for (int k = 0; k < 3 && i != 7; ++k)
        {
            out->masses[i].axis_inverse_mass[k] =
                test_random_range(random, 0.0, 1.0); // also nearly locked axes
        }
        if (i != 7)
        {
            make_inverse_inertia(random, out->masses[i].inverse_inertia);
        }
    }
    for (int lane = 0; lane < 4; ++lane)
    {
        wide->a[lane] = (uint32_t)lane;
        wide->b[lane] = (uint32_t)lane + 4;
        wide->moves_a[lane] = 1;
        wide->moves_b[lane] = lane != 3;
        wide->max_depenetration_speed[lane] = 3.0;
        wide->load_rate[lane] = 0.1;
        wide->load_depth[lane] = -INFINITY;
        wide->friction[lane] = test_random_range(random, 0.0, 1.0);
        wide->bias_rate[lane] = test_random_range(random, 50.0, 200.0);
        wide->mass_scale[lane] = test_random_range(random, 0.5, 1.0);
        wide->impulse_scale[lane] = 1.0 - wide->mass_scale[lane];
        for (int k = 0; k < 3; ++k)
        {
            wide->inverse_mass_a[k][lane] = out->masses[lane].axis_inverse_mass[k];
            wide->inverse_mass_b[k][lane] = out->masses[lane + 4].axis_inverse_mass[k];
        }
        for (int k = 0; k < CONSTRAINTS - (lane == 1 ? 2 : 0); ++k) // lane 1 has fewer contacts
        {
            make_constraint(random, &out->constraints[k], lane);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// The textbook: impulses at points of bodies
// -----------------------------------------------------------------------------------------------------------

typedef struct Contact
{
    double axis[3][3], r[2][3], impulse[3], load, gap;
} Contact;

static Contact contact_of(const AbutContactConstraint* constraint, int lane)
{
    Contact out = { .load = constraint->load[lane], .gap = constraint->gap[lane] };
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            out.axis[k][i] = constraint->axis[k][i][lane];
        }
        out.r[0][i] = constraint->r_a[i][lane];
        out.r[1][i] = constraint->r_b[i][lane];
        out.impulse[i] = constraint->impulse[i][lane];
    }
    return out;
}

static void apply_to_body(AbutSolveVelocity* velocity, const AbutSolveMass* mass, const double r[3],
                          const double impulse[3], double sign)
{
    double moment[3];
    cross(r, impulse, moment);
    for (int i = 0; i < 3; ++i)
    {
        velocity->linear[i] += sign * mass->axis_inverse_mass[i] * impulse[i];
        velocity->angular[i] += sign * dot(mass->inverse_inertia[i], moment);
    }
}

static void apply_impulse(Case* self, int lane, const Contact* contact, int axis, double size)
{
    const double* d = contact->axis[axis];
    const double impulse[3] = { size * d[0], size * d[1], size * d[2] };
    apply_to_body(&self->velocities[lane], &self->masses[lane], contact->r[0], impulse, 1.0);
    apply_to_body(&self->velocities[lane + 4], &self->masses[lane + 4], contact->r[1], impulse, -1.0);
}

static double velocity_along(const Case* self, int lane, const Contact* contact, int axis)
{
    double swept[3], v[3] = { 0.0, 0.0, 0.0 };
    for (int side = 0; side < 2; ++side)
    {
        const AbutSolveVelocity* velocity = &self->velocities[lane + 4 * side];
        cross(velocity->angular, contact->r[side], swept);
        for (int i = 0; i < 3; ++i)
        {
            v[i] += (side == 0 ? 1.0 : -1.0) * (velocity->linear[i] + swept[i]);
        }
    }
    return dot(v, contact->axis[axis]);
}

/// What a push of 1 changes, by pushing.
static double effective_mass_along(const Case* self, int lane, const Contact* contact, int axis)
{
    Case still = *self;
    memset(still.velocities, 0, sizeof(still.velocities));
    apply_impulse(&still, lane, contact, axis, 1.0);
    return 1.0 / velocity_along(&still, lane, contact, axis);
}

static void rub(Case* self, int lane, Contact* contact)
{
    double wanted[2], most = self->wide.friction[lane] * contact->impulse[0];
    for (int k = 0; k < 2; ++k)
    {
        wanted[k] = contact->impulse[1 + k] - effective_mass_along(self, lane, contact, 1 + k) *
                                                  velocity_along(self, lane, contact, 1 + k);
    }
    double size = hypot(wanted[0], wanted[1]), fraction = size > most ? most / size : 1.0;
    for (int k = 0; k < 2; ++k)
    {
        apply_impulse(self, lane, contact, 1 + k, fraction * wanted[k] - contact->impulse[1 + k]);
        contact->impulse[1 + k] = fraction * wanted[k];
    }
}

static void press(Case* self, int lane, Contact* contact, bool springs)
{
    double bias = 0.0, fraction = 1.0, yields = 0.0;
    if (contact->gap > 0.0)
    {
        bias = contact->gap * 240.0;
    }
    else if (springs)
    {
        bias = fmax(self->wide.bias_rate[lane] * contact->gap, -3.0);
        fraction = self->wide.mass_scale[lane];
        yields = self->wide.impulse_scale[lane];
    }
    double change = -effective_mass_along(self, lane, contact, 0) * fraction *
                        (velocity_along(self, lane, contact, 0) + bias) -
                    yields * (contact->impulse[0] - contact->load);
    double total_impulse = fmax(contact->impulse[0] + change, 0.0);
    apply_impulse(self, lane, contact, 0, total_impulse - contact->impulse[0]);
    contact->impulse[0] = total_impulse;
}

static int constraint_count(int lane)
{
    return CONSTRAINTS - (lane == 1 ? 2 : 0);
}

static void solve_by_the_book(Case* self, bool springs)
{
    for (int lane = 0; lane < 4; ++lane)
    {
        Contact contacts[CONSTRAINTS];
        for (int k = 0; k < constraint_count(lane); ++k)
        {
            contacts[k] = contact_of(&self->constraints[k], lane);
            if (springs)
            {
                rub(self, lane, &contacts[k]);
            }
        }
        for (int k = 0; k < constraint_count(lane); ++k)
        {
            if (springs || contacts[k].gap <= 0.0 || contacts[k].impulse[0] > 0.0)
            {
                press(self, lane, &contacts[k], springs);
            }
        }
        for (int k = 0; k < constraint_count(lane); ++k)
        {
            if (!springs)
            {
                rub(self, lane, &contacts[k]);
                self->constraints[k].total_impulse[lane] += contacts[k].impulse[0];
                self->constraints[k].load[lane] += 0.1 * (contacts[k].impulse[0] - contacts[k].load);
            }
            for (int i = 0; i < 3; ++i)
            {
                self->constraints[k].impulse[i][lane] = contacts[k].impulse[i];
            }
        }
    }
}

static void assert_same(const Case* actual, const Case* expected)
{
    for (int i = 0; i < BODIES; ++i)
    {
        const double *a = (const double*)&actual->velocities[i], *b = (const double*)&expected->velocities[i];
        for (int k = 0; k < 6; ++k)
        {
            test_assert_near(a[k], b[k], 1e-11);
        }
    }
    for (int i = 0; i < CONSTRAINTS * 4; ++i)
    {
        const AbutContactConstraint *a = &actual->constraints[i / 4], *b = &expected->constraints[i / 4];
        for (int k = 0; k < 3; ++k)
        {
            test_assert_near(a->impulse[k][i % 4], b->impulse[k][i % 4], 1e-11);
        }
        test_assert_near(a->total_impulse[i % 4], b->total_impulse[i % 4], 1e-11);
        test_assert_near(a->load[i % 4], b->load[i % 4], 1e-11);
        test_assert_near(a->gap[i % 4], b->gap[i % 4], 1e-14);
    }
}

static void test_biased_solve_and_relaxation_are_those_of_the_textbook(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    const AbutSolveKernels* kernels = abut_solve_kernels();
    for (int round = 0; round < 300; ++round)
    {
        Case self, book;
        make_case(&random, &self);
        AbutSolveContext context = context_of(&self);
        kernels->prepare(&context, 0, 1);
        for (int pass = 0; pass < 2; ++pass)
        {
            book = self;
            solve_by_the_book(&book, pass == 0);
            (pass == 0 ? kernels->solve_biased : kernels->relax)(&context, 0, 1);
            assert_same(&self, &book);
        }
    }
}

static void test_a_warm_start_is_the_sum_of_all_impulses(void** state)
{
    (void)state;
    TestRandom random = { 12 };
    for (int round = 0; round < 100; ++round)
    {
        Case self, book;
        make_case(&random, &self);
        AbutSolveContext context = context_of(&self);
        abut_solve_kernels()->prepare(&context, 0, 1);
        book = self;
        for (int i = 0; i < CONSTRAINTS * 4 * 3; ++i)
        {
            int lane = i % 4, constraint = i / 4 % CONSTRAINTS, axis = i / 4 / CONSTRAINTS;
            Contact contact = contact_of(&book.constraints[constraint], lane);
            apply_impulse(&book, lane, &contact, axis, contact.impulse[axis]);
        }
        abut_solve_kernels()->warm_start(&context, 0, 1);
        assert_same(&self, &book);
    }
}

static void test_all_instruction_sets_give_the_same_bits(void** state)
{
    (void)state;
    TestRandom random = { 13 };
    for (int round = 0; round < 100; ++round)
    {
        Case first, results[ABUT_SIMD_SET_COUNT];
        make_case(&random, &first);
        for (int i = 0; i < ABUT_SIMD_SET_COUNT; ++i)
        {
            if (!abut_simd_runs((AbutSimdSet)i))
            {
                continue;
            }
            const AbutSolveKernels* kernels = abut_solve_kernels_of((AbutSimdSet)i);
            results[i] = first;
            AbutSolveContext context = context_of(&results[i]);
            AbutSolveKernel* const passes[] = { kernels->prepare, kernels->warm_start, kernels->solve_biased,
                                                kernels->relax };
            for (int pass = 0; pass < 4; ++pass)
            {
                passes[pass](&context, 0, 1);
            }
            assert_memory_equal(&results[i], &results[0], sizeof(Case));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_biased_solve_and_relaxation_are_those_of_the_textbook),
        cmocka_unit_test(test_a_warm_start_is_the_sum_of_all_impulses),
        cmocka_unit_test(test_all_instruction_sets_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
