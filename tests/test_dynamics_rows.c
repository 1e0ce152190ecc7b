// The kernels that solve contacts, four pairs of bodies at once, against the textbook for one pair at a time.
#include "dynamics/impulse/kernels.h"
#include "math/dvec3.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum
{
    BODIES = 8, // A of lane i is body i, B is body 4 + i; body 7 does not move
    ROWS = 5
};

typedef struct Case
{
    AbutSolveSpeed speeds[BODIES];
    AbutSolveMass masses[BODIES];
    AbutSolveBundle bundle;
    AbutSolveRow rows[ROWS];
} Case;

static AbutSolveRun run_of(Case* self)
{
    return (AbutSolveRun){ .speeds = self->speeds,
                           .masses = self->masses,
                           .bundles = &self->bundle,
                           .rows = self->rows,
                           .per_second = 240.0 };
}

static void fill_random(TestRandom* random, double* out, int count, double size)
{
    for (int i = 0; i < count; ++i)
    {
        out[i] = test_random_range(random, -size, size);
    }
}

/// A symmetric matrix with positive eigenvalues.
static void make_inverse(TestRandom* random, double out[3][3])
{
    double root[3][3];
    fill_random(random, (double*)root, 9, 1.0);
    for (int i = 0; i < 9; ++i)
    {
        out[i / 3][i % 3] = abut_dot(root[i / 3], root[i % 3]) + (i % 4 == 0 ? 0.5 : 0.0);
    }
}

static void make_axes(TestRandom* random, AbutSolveRow* row, int lane)
{
    AbutVec3 direction = test_random_direction(random), other = test_random_direction(random);
    double n[3] = { direction.x, direction.y, direction.z }, o[3] = { other.x, other.y, other.z }, t[2][3];
    abut_cross(n, o, t[0]);
    abut_cross(n, t[0], t[1]);
    for (int i = 0; i < 3; ++i)
    {
        row->axis[0][i][lane] = n[i] / abut_length(n);
        row->axis[1][i][lane] = t[0][i] / abut_length(t[0]);
        row->axis[2][i][lane] = t[1][i] / abut_length(t[1]);
    }
}

static void make_row(TestRandom* random, AbutSolveRow* row, int lane)
{
    make_axes(random, row, lane);
    for (int i = 0; i < 3; ++i)
    {
        row->arm_a[i][lane] = test_random_range(random, -1.0, 1.0);
        row->arm_b[i][lane] = test_random_range(random, -1.0, 1.0);
        row->impulse[i][lane] = test_random_range(random, i == 0 ? 0.0 : -0.1, 0.1);
    }
    row->load[lane] = test_random_range(random, 0.0, 0.1);
    row->gap[lane] = test_random_range(random, -0.02, 0.02);
}

static void make_case(TestRandom* random, Case* out)
{
    memset(out, 0, sizeof(*out));
    AbutSolveBundle* bundle = &out->bundle;
    bundle->count = ROWS;
    for (int i = 0; i < BODIES; ++i)
    {
        fill_random(random, (double*)&out->speeds[i], 6, 1.0);
        for (int k = 0; k < 3 && i != 7; ++k)
        {
            out->masses[i].give[k] = test_random_range(random, 0.0, 1.0); // also nearly locked axes
        }
        if (i != 7)
        {
            make_inverse(random, out->masses[i].inverse);
        }
    }
    for (int lane = 0; lane < 4; ++lane)
    {
        bundle->a[lane] = (uint32_t)lane;
        bundle->b[lane] = (uint32_t)lane + 4;
        bundle->moves_a[lane] = 1;
        bundle->moves_b[lane] = lane != 3;
        bundle->push_speed[lane] = 3.0;
        bundle->load_rate[lane] = 0.1;
        bundle->friction[lane] = test_random_range(random, 0.0, 1.0);
        bundle->bias_rate[lane] = test_random_range(random, 50.0, 200.0);
        bundle->mass_scale[lane] = test_random_range(random, 0.5, 1.0);
        bundle->impulse_scale[lane] = 1.0 - bundle->mass_scale[lane];
        for (int k = 0; k < 3; ++k)
        {
            bundle->give_a[k][lane] = out->masses[lane].give[k];
            bundle->give_b[k][lane] = out->masses[lane + 4].give[k];
        }
        for (int k = 0; k < ROWS - (lane == 1 ? 2 : 0); ++k) // lane 1 has fewer contacts
        {
            make_row(random, &out->rows[k], lane);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The textbook: impulses at points of bodies
// ---------------------------------------------------------------------------------------------------------------------

typedef struct Contact
{
    double axis[3][3], arm[2][3], impulse[3], load, gap;
} Contact;

static Contact contact_of(const AbutSolveRow* row, int lane)
{
    Contact out = { .load = row->load[lane], .gap = row->gap[lane] };
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            out.axis[k][i] = row->axis[k][i][lane];
        }
        out.arm[0][i] = row->arm_a[i][lane];
        out.arm[1][i] = row->arm_b[i][lane];
        out.impulse[i] = row->impulse[i][lane];
    }
    return out;
}

static void push_body(AbutSolveSpeed* speed, const AbutSolveMass* mass, const double arm[3],
                      const double impulse[3], double sign)
{
    double turn[3];
    abut_cross(arm, impulse, turn);
    for (int i = 0; i < 3; ++i)
    {
        speed->linear[i] += sign * mass->give[i] * impulse[i];
        speed->angular[i] += sign * abut_dot(mass->inverse[i], turn);
    }
}

static void push_pair(Case* self, int lane, const Contact* contact, int axis, double size)
{
    const double* d = contact->axis[axis];
    const double impulse[3] = { size * d[0], size * d[1], size * d[2] };
    push_body(&self->speeds[lane], &self->masses[lane], contact->arm[0], impulse, 1.0);
    push_body(&self->speeds[lane + 4], &self->masses[lane + 4], contact->arm[1], impulse, -1.0);
}

static double speed_along(const Case* self, int lane, const Contact* contact, int axis)
{
    double turn[3], v[3] = { 0.0, 0.0, 0.0 };
    for (int side = 0; side < 2; ++side)
    {
        const AbutSolveSpeed* speed = &self->speeds[lane + 4 * side];
        abut_cross(speed->angular, contact->arm[side], turn);
        for (int i = 0; i < 3; ++i)
        {
            v[i] += (side == 0 ? 1.0 : -1.0) * (speed->linear[i] + turn[i]);
        }
    }
    return abut_dot(v, contact->axis[axis]);
}

/// What a push of 1 changes, by pushing.
static double mass_along(const Case* self, int lane, const Contact* contact, int axis)
{
    Case still = *self;
    memset(still.speeds, 0, sizeof(still.speeds));
    push_pair(&still, lane, contact, axis, 1.0);
    return 1.0 / speed_along(&still, lane, contact, axis);
}

static void rub(Case* self, int lane, Contact* contact)
{
    double wanted[2], most = self->bundle.friction[lane] * contact->impulse[0];
    for (int k = 0; k < 2; ++k)
    {
        wanted[k] = contact->impulse[1 + k] -
                    mass_along(self, lane, contact, 1 + k) * speed_along(self, lane, contact, 1 + k);
    }
    double size = hypot(wanted[0], wanted[1]), part = size > most ? most / size : 1.0;
    for (int k = 0; k < 2; ++k)
    {
        push_pair(self, lane, contact, 1 + k, part * wanted[k] - contact->impulse[1 + k]);
        contact->impulse[1 + k] = part * wanted[k];
    }
}

static void press(Case* self, int lane, Contact* contact, bool springs)
{
    double bias = 0.0, part = 1.0, yields = 0.0;
    if (contact->gap > 0.0)
    {
        bias = contact->gap * 240.0;
    }
    else if (springs)
    {
        bias = fmax(self->bundle.bias_rate[lane] * contact->gap, -3.0);
        part = self->bundle.mass_scale[lane];
        yields = self->bundle.impulse_scale[lane];
    }
    double change =
        -mass_along(self, lane, contact, 0) * part * (speed_along(self, lane, contact, 0) + bias) -
        yields * (contact->impulse[0] - contact->load);
    double total = fmax(contact->impulse[0] + change, 0.0);
    push_pair(self, lane, contact, 0, total - contact->impulse[0]);
    contact->impulse[0] = total;
}

static int rows_of(int lane)
{
    return ROWS - (lane == 1 ? 2 : 0);
}

static void solve_by_the_book(Case* self, bool springs)
{
    for (int lane = 0; lane < 4; ++lane)
    {
        Contact contacts[ROWS];
        for (int k = 0; k < rows_of(lane); ++k)
        {
            contacts[k] = contact_of(&self->rows[k], lane);
            if (springs)
            {
                rub(self, lane, &contacts[k]);
            }
        }
        for (int k = 0; k < rows_of(lane); ++k)
        {
            if (springs || contacts[k].gap <= 0.0 || contacts[k].impulse[0] > 0.0)
            {
                press(self, lane, &contacts[k], springs);
            }
        }
        for (int k = 0; k < rows_of(lane); ++k)
        {
            if (!springs)
            {
                rub(self, lane, &contacts[k]);
                self->rows[k].total[lane] += contacts[k].impulse[0];
                self->rows[k].load[lane] += 0.1 * (contacts[k].impulse[0] - contacts[k].load);
            }
            for (int i = 0; i < 3; ++i)
            {
                self->rows[k].impulse[i][lane] = contacts[k].impulse[i];
            }
        }
    }
}

static void assert_same(const Case* actual, const Case* expected)
{
    for (int i = 0; i < BODIES; ++i)
    {
        const double *a = (const double*)&actual->speeds[i], *b = (const double*)&expected->speeds[i];
        for (int k = 0; k < 6; ++k)
        {
            test_assert_near(a[k], b[k], 1e-11);
        }
    }
    for (int i = 0; i < ROWS * 4; ++i)
    {
        const AbutSolveRow *a = &actual->rows[i / 4], *b = &expected->rows[i / 4];
        for (int k = 0; k < 3; ++k)
        {
            test_assert_near(a->impulse[k][i % 4], b->impulse[k][i % 4], 1e-11);
        }
        test_assert_near(a->total[i % 4], b->total[i % 4], 1e-11);
        test_assert_near(a->load[i % 4], b->load[i % 4], 1e-11);
        test_assert_near(a->gap[i % 4], b->gap[i % 4], 1e-14);
    }
}

static void test_pushes_and_relaxation_are_those_of_the_textbook(void** state)
{
    (void)state;
    TestRandom random = { 11 };
    const AbutSolveKernels* kernels = abut_solve_kernels();
    for (int round = 0; round < 300; ++round)
    {
        Case self, book;
        make_case(&random, &self);
        AbutSolveRun run = run_of(&self);
        kernels->prepare(&run, 0, 1);
        for (int pass = 0; pass < 2; ++pass)
        {
            book = self;
            solve_by_the_book(&book, pass == 0);
            (pass == 0 ? kernels->push : kernels->relax)(&run, 0, 1);
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
        AbutSolveRun run = run_of(&self);
        abut_solve_kernels()->prepare(&run, 0, 1);
        book = self;
        for (int i = 0; i < ROWS * 4 * 3; ++i)
        {
            int lane = i % 4, row = i / 4 % ROWS, axis = i / 4 / ROWS;
            Contact contact = contact_of(&book.rows[row], lane);
            push_pair(&book, lane, &contact, axis, contact.impulse[axis]);
        }
        abut_solve_kernels()->warm(&run, 0, 1);
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
            AbutSolveRun run = run_of(&results[i]);
            AbutSolveKernel* const passes[] = { kernels->prepare, kernels->warm, kernels->push,
                                                kernels->relax };
            for (int pass = 0; pass < 4; ++pass)
            {
                passes[pass](&run, 0, 1);
            }
            assert_memory_equal(&results[i], &results[0], sizeof(Case));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pushes_and_relaxation_are_those_of_the_textbook),
        cmocka_unit_test(test_a_warm_start_is_the_sum_of_all_impulses),
        cmocka_unit_test(test_all_instruction_sets_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
