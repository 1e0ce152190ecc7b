// Kicks and ways that fit each other: a kick leads to a way, on which the springs have a kick of their own, and the two must be
// equal. Newton's method: the springs' kick grows less the more a body is pushed out, by a matrix that the contacts know; each
// linear problem is solved by conjugate gradients over all bodies, with the 6 × 6 block of each body as preconditioner, so that one
// body among fixed ones takes one round.
#include "dynamics/penalty.h"

#include "base/memory.h"
#include "vec/double3.h"

#include <math.h>
#include <string.h>

enum
{
    CG_LIMIT = 60,
    STALL_LIMIT = 6, // iterations without progress: what is left is rounding, or does not converge
    SHARE_LIMIT =
        6 // iterations in which the damping follows what touches; then it stays, so that they converge
};

/// Of the speeds that a body has in the step: what kicks may be off.
#define GOOD_ENOUGH 1e-5
/// ... and what they may be off when nothing gets better any more, before the step is halved.
#define STILL_GOOD 1e-2
#define CG_TOLERANCE 1e-5
/// Steps of Newton's method are not shortened beyond.
#define SHORTEST_PART 0.125

typedef double Vector6[6];
typedef double Matrix6[6][6];

/// Of the linear problem, by rows: one per body that moves.
typedef struct System
{
    AbutWorld* world;
    uint32_t count;
    Vector6 *x, *residual, *direction, *image, *scaled;
    Matrix6 *mass, *factor; // factor: Cholesky's, of the block of a body
    uint32_t* bodies;
} System;

enum
{
    DOUBLES_PER_ROW = 5 * 6 + 2 * 36
};

AbutResult abut_penalty_reserve_solver(AbutWorld* world)
{
    size_t n = (size_t)world->body_count + 1; // a world without bodies has arrays, too
    bool good =
        ABUT_PENALTY_GROW(world, vectors, n * DOUBLES_PER_ROW) && ABUT_PENALTY_GROW(world, rows, 2 * n);
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sums over contacts
// ---------------------------------------------------------------------------------------------------------------------

static void add_wrench(double out[6], const double force[3], const double moment[3],
                       const double from_center[3], double sign)
{
    double turn[3];
    abut_cross(from_center, force, turn);
    for (int i = 0; i < 3; ++i)
    {
        out[i] += sign * force[i];
        out[3 + i] += sign * (moment[i] + turn[i]);
    }
}

void abut_penalty_gather(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        memset(penalty->bodies[i].found, 0, sizeof(penalty->bodies[i].found));
    }
    for (size_t i = 0; i < penalty->contacts_count; ++i)
    {
        const AbutPenaltyContact* contact = &penalty->contacts[i];
        const AbutPenaltyPair* pair = &penalty->pairs[contact->pair];
        AbutPenaltyBody* carrier = &penalty->bodies[contact->side == 0 ? pair->a : pair->b];
        AbutPenaltyBody* solid = &penalty->bodies[contact->side == 0 ? pair->b : pair->a];
        double arm[3];
        for (int k = 0; k < 3; ++k)
        {
            arm[k] = solid->middle.position[k] - carrier->middle.position[k];
        }
        const double none[3] = { 0.0, 0.0, 0.0 };
        add_wrench(carrier->found, contact->push.impulse, contact->push.moment, arm, 1.0);
        add_wrench(solid->found, contact->push.impulse, contact->push.moment, none, -1.0);
    }
}

/// Adds Jᵀ D J of a contact: D = resist along the normal and along the surface, J the velocity at the place of a twist at
/// the pair's origin.
static void add_contact_matrix(const AbutPenaltyPush* push, AbutPenaltyPair* pair)
{
    double r[3], j[3][6] = { { 0.0 } }, d[3][3];
    for (int i = 0; i < 3; ++i)
    {
        r[i] = push->place[i] - pair->origin[i];
        j[i][i] = 1.0;
        for (int k = 0; k < 3; ++k)
        {
            d[i][k] = (push->resist[0] - push->resist[1]) * push->normal[i] * push->normal[k] +
                      (i == k ? push->resist[1] : 0.0);
        }
    }
    j[0][4] = r[2]; // ω × r
    j[0][5] = -r[1];
    j[1][3] = -r[2];
    j[1][5] = r[0];
    j[2][3] = r[1];
    j[2][4] = -r[0];
    for (int row = 0; row < 6; ++row)
    {
        double left[3];
        for (int k = 0; k < 3; ++k)
        {
            left[k] = j[0][row] * d[0][k] + j[1][row] * d[1][k] + j[2][row] * d[2][k];
        }
        for (int column = 0; column < 6; ++column)
        {
            pair->matrix[row][column] +=
                left[0] * j[0][column] + left[1] * j[1][column] + left[2] * j[2][column];
        }
    }
}

static void make_matrices(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        AbutPenaltyPair* pair = &penalty->pairs[i];
        uint32_t moving = world->bodies[pair->a].inverse_mass > 0.0 ? pair->a : pair->b;
        memcpy(pair->origin, penalty->bodies[moving].middle.position, sizeof(pair->origin));
        memset(pair->matrix, 0, sizeof(pair->matrix));
        for (size_t k = 0; k < pair->count; ++k)
        {
            const AbutPenaltyPush* push = &penalty->contacts[pair->first + k].push;
            if (push->normal_impulse > 0.0)
            {
                add_contact_matrix(push, pair);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The linear problem: (mass + Σ contacts) x = residual
// ---------------------------------------------------------------------------------------------------------------------

static bool is_locked(const AbutBody* body, int axis)
{
    return ((body->locked >> axis) & 1u) != 0;
}

/// Mass and inertia in the world's axes; of locked axes 1, which nothing is asked of.
static void make_mass(const AbutBody* body, Matrix6 out)
{
    double r[3][3], half[3][3];
    memset(out, 0, sizeof(Matrix6));
    abut_body_matrix(body->rotation, r);
    for (int i = 0; i < 3; ++i)
    {
        out[i][i] = is_locked(body, i) ? 1.0 : 1.0 / body->inverse_mass;
        for (int k = 0; k < 3; ++k)
        {
            half[i][k] =
                r[i][0] * body->inertia[0][k] + r[i][1] * body->inertia[1][k] + r[i][2] * body->inertia[2][k];
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            bool locked = is_locked(body, 3 + i) || is_locked(body, 3 + k);
            double inertia = half[i][0] * r[k][0] + half[i][1] * r[k][1] + half[i][2] * r[k][2];
            out[3 + i][3 + k] = locked ? (i == k ? 1.0 : 0.0) : inertia;
        }
    }
}

static void mask(const AbutBody* body, Vector6 v)
{
    for (int i = 0; i < 6; ++i)
    {
        v[i] = is_locked(body, i) ? 0.0 : v[i];
    }
}

static void multiply(const Matrix6 m, const Vector6 v, Vector6 out)
{
    for (int i = 0; i < 6; ++i)
    {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2] + m[i][3] * v[3] + m[i][4] * v[4] +
                 m[i][5] * v[5];
    }
}

/// Adds ± the twist of a body, seen from the pair's origin.
static void add_twist(const AbutPenaltyPair* pair, const AbutPenaltyBody* body, const Vector6 v, double sign,
                      Vector6 out)
{
    double arm[3], turn[3];
    for (int i = 0; i < 3; ++i)
    {
        arm[i] = pair->origin[i] - body->middle.position[i];
    }
    abut_cross(v + 3, arm, turn);
    for (int i = 0; i < 3; ++i)
    {
        out[i] += sign * (v[i] + turn[i]);
        out[3 + i] += sign * v[3 + i];
    }
}

static void add_pair_wrench(const AbutPenaltyPair* pair, const AbutPenaltyBody* body, const Vector6 wrench,
                            double sign, Vector6 out)
{
    double arm[3];
    for (int i = 0; i < 3; ++i)
    {
        arm[i] = pair->origin[i] - body->middle.position[i];
    }
    add_wrench(out, wrench, wrench + 3, arm, sign);
}

static void apply(const System* self, Vector6* v, Vector6* out)
{
    const AbutPenalty* penalty = self->world->penalty;
    for (uint32_t i = 0; i < self->count; ++i)
    {
        multiply((const double(*)[6])self->mass[i], v[i], out[i]);
    }
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        const uint32_t sides[2] = { pair->a, pair->b };
        Vector6 twist = { 0.0 }, wrench;
        for (int k = 0; k < 2 && pair->count > 0; ++k)
        {
            uint32_t row = penalty->rows[sides[k]];
            if (row != ABUT_PENALTY_NO_ROW)
            {
                add_twist(pair, &penalty->bodies[sides[k]], v[row], k == 0 ? 1.0 : -1.0, twist);
            }
        }
        multiply((const double(*)[6])pair->matrix, twist, wrench);
        for (int k = 0; k < 2 && pair->count > 0; ++k)
        {
            uint32_t row = penalty->rows[sides[k]];
            if (row != ABUT_PENALTY_NO_ROW)
            {
                add_pair_wrench(pair, &penalty->bodies[sides[k]], wrench, k == 0 ? 1.0 : -1.0, out[row]);
            }
        }
    }
    for (uint32_t i = 0; i < self->count; ++i)
    {
        mask(&self->world->bodies[self->bodies[i]], out[i]);
    }
}

/// Adds what a pair does to one body alone, column by column.
static void add_block(const AbutPenaltyPair* pair, const AbutPenaltyBody* body, Matrix6 out)
{
    for (int column = 0; column < 6; ++column)
    {
        Vector6 unit = { 0.0 }, twist = { 0.0 }, wrench, answer = { 0.0 };
        unit[column] = 1.0;
        add_twist(pair, body, unit, 1.0, twist);
        multiply((const double(*)[6])pair->matrix, twist, wrench);
        add_pair_wrench(pair, body, wrench, 1.0, answer);
        for (int row = 0; row < 6; ++row)
        {
            out[row][column] += answer[row];
        }
    }
}

static void factorize(const AbutBody* body, Matrix6 m)
{
    for (int i = 0; i < 6; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            m[i][k] = is_locked(body, i) || is_locked(body, k) ? (i == k ? 1.0 : 0.0) : m[i][k];
        }
    }
    for (int i = 0; i < 6; ++i)
    {
        for (int k = 0; k <= i; ++k)
        {
            double sum = m[i][k];
            for (int l = 0; l < k; ++l)
            {
                sum -= m[i][l] * m[k][l];
            }
            m[i][k] = i == k ? sqrt(fmax(sum, 1e-300)) : sum / m[k][k];
        }
    }
}

static void solve_block(Matrix6 m, const Vector6 b, Vector6 out)
{
    for (int i = 0; i < 6; ++i)
    {
        out[i] = b[i];
        for (int k = 0; k < i; ++k)
        {
            out[i] -= m[i][k] * out[k];
        }
        out[i] /= m[i][i];
    }
    for (int i = 5; i >= 0; --i)
    {
        for (int k = i + 1; k < 6; ++k)
        {
            out[i] -= m[k][i] * out[k];
        }
        out[i] /= m[i][i];
    }
}

static void make_blocks(System* self)
{
    AbutPenalty* penalty = self->world->penalty;
    memcpy(self->factor, self->mass, self->count * sizeof(Matrix6));
    for (size_t i = 0; i < penalty->pairs_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[i];
        uint32_t row_a = penalty->rows[pair->a], row_b = penalty->rows[pair->b];
        if (pair->count > 0 && row_a != ABUT_PENALTY_NO_ROW)
        {
            add_block(pair, &penalty->bodies[pair->a], self->factor[row_a]);
        }
        if (pair->count > 0 && row_b != ABUT_PENALTY_NO_ROW)
        {
            add_block(pair, &penalty->bodies[pair->b], self->factor[row_b]);
        }
    }
    for (uint32_t i = 0; i < self->count; ++i)
    {
        factorize(&self->world->bodies[self->bodies[i]], self->factor[i]);
    }
}

static double product(const System* self, Vector6* a, Vector6* b)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < self->count; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            sum += a[i][k] * b[i][k];
        }
    }
    return sum;
}

static void add_scaled(const System* self, Vector6* to, double factor, Vector6* what)
{
    for (uint32_t i = 0; i < self->count; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            to[i][k] += factor * what[i][k];
        }
    }
}

static void precondition(const System* self)
{
    for (uint32_t i = 0; i < self->count; ++i)
    {
        solve_block(self->factor[i], self->residual[i], self->scaled[i]);
    }
}

/// self->residual to self->x.
static void solve_linear(System* self)
{
    make_blocks(self);
    memset(self->x, 0, self->count * sizeof(Vector6));
    precondition(self);
    memcpy(self->direction, self->scaled, self->count * sizeof(Vector6));
    double size = product(self, self->residual, self->scaled), first = size;
    for (int i = 0; i < CG_LIMIT && size > CG_TOLERANCE * CG_TOLERANCE * first; ++i)
    {
        apply(self, self->direction, self->image);
        double bend = product(self, self->direction, self->image);
        if (!(bend > 0.0))
        {
            return;
        }
        add_scaled(self, self->x, size / bend, self->direction);
        add_scaled(self, self->residual, -size / bend, self->image);
        precondition(self);
        double next = product(self, self->residual, self->scaled), keep = next / size;
        size = next;
        for (uint32_t row = 0; row < self->count; ++row)
        {
            for (int k = 0; k < 6; ++k)
            {
                self->direction[row][k] = self->scaled[row][k] + keep * self->direction[row][k];
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Newton's method
// ---------------------------------------------------------------------------------------------------------------------

static System make_system(AbutWorld* world)
{
    AbutPenalty* penalty = world->penalty;
    System self = { .world = world, .bodies = penalty->rows + world->body_count };
    for (uint32_t i = 0; i < world->body_count; ++i)
    {
        const AbutBody* body = &world->bodies[i];
        bool moves = abut_body_is_alive(body) && abut_body_moves(body);
        penalty->rows[i] = moves ? self.count : ABUT_PENALTY_NO_ROW;
        if (moves)
        {
            self.bodies[self.count++] = i;
        }
    }
    double* memory = penalty->vectors;
    Vector6** vectors[] = { &self.x, &self.residual, &self.direction, &self.image, &self.scaled };
    for (int i = 0; i < 5; ++i, memory += (size_t)self.count * 6)
    {
        *vectors[i] = (Vector6*)memory;
    }
    self.mass = (Matrix6*)memory;
    self.factor = (Matrix6*)(memory + (size_t)self.count * 36);
    for (uint32_t i = 0; i < self.count; ++i)
    {
        make_mass(&world->bodies[self.bodies[i]], self.mass[i]);
    }
    return self;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Speed that a body has by a twist, anywhere.
static double speed_of(const AbutBody* body, const double linear[3], const double angular[3])
{
    return length(linear) + length(angular) * (double)body->radius;
}

/// How far kicks are off.
typedef struct Misfit
{
    double worst; // largest part of a body's speed
    double size;  // energy of the difference, for comparing one try with another
} Misfit;

/// Fills the residual.
static Misfit compare_kicks(System* self, double seconds)
{
    const AbutWorld* world = self->world;
    double fall = (double)abut_vec3_length(world->def.gravity) * seconds;
    Misfit misfit = { 0.0, 0.0 };
    for (uint32_t i = 0; i < self->count; ++i)
    {
        const AbutBody* body = &world->bodies[self->bodies[i]];
        const AbutPenaltyBody* extra = &world->penalty->bodies[self->bodies[i]];
        double *r = self->residual[i], linear[3], angular[3];
        for (int k = 0; k < 6; ++k)
        {
            r[k] = extra->found[k] - extra->kick[k];
        }
        mask(body, r);
        for (int k = 0; k < 3; ++k)
        {
            linear[k] = body->give[k] * r[k];
            angular[k] = body->world_inverse[k][0] * r[3] + body->world_inverse[k][1] * r[4] +
                         body->world_inverse[k][2] * r[5];
            misfit.size += linear[k] * r[k] + angular[k] * r[3 + k];
        }
        const AbutBody* end = &world->penalty->ends[self->bodies[i]];
        double usual =
            speed_of(body, body->velocity, body->spin) + speed_of(end, end->velocity, end->spin) + fall;
        misfit.worst = fmax(misfit.worst, speed_of(body, linear, angular) / fmax(usual, 1e-30));
    }
    return misfit;
}

/// kick += part · mass · x
static void correct(const System* self, double part)
{
    for (uint32_t i = 0; i < self->count; ++i)
    {
        Vector6 change;
        double* kick = self->world->penalty->bodies[self->bodies[i]].kick;
        multiply((const double(*)[6])self->mass[i], self->x[i], change);
        for (int k = 0; k < 6; ++k)
        {
            kick[k] += part * change[k];
        }
    }
}

/// What the springs make of the ways that the kicks lead to.
static Misfit look(System* self, double seconds)
{
    abut_penalty_push_all(self->world, seconds);
    abut_penalty_gather(self->world);
    return compare_kicks(self, seconds);
}

/// A step of Newton's method, shortened while it makes things worse.
static Misfit improve(System* self, double seconds, Misfit before)
{
    double part = 1.0;
    make_matrices(self->world);
    solve_linear(self);
    correct(self, part);
    for (;;)
    {
        abut_penalty_move(self->world, seconds);
        Misfit after = look(self, seconds);
        if (after.size < before.size || part <= SHORTEST_PART)
        {
            return after;
        }
        correct(self, -0.5 * part);
        part *= 0.5;
    }
}

void abut_penalty_solve(AbutWorld* world, double seconds)
{
    System system = make_system(world);
    abut_penalty_push_all(world, seconds);
    abut_penalty_share(world, seconds);
    Misfit misfit = look(&system, seconds);
    double best = misfit.worst;
    int stalled = 0;
    uint32_t limit = world->def.penalty.iteration_limit;
    for (uint32_t i = 0; i < limit && misfit.worst > GOOD_ENOUGH && stalled < STALL_LIMIT; ++i)
    {
        if (i > 0 && i <= SHARE_LIMIT)
        {
            abut_penalty_share(world, seconds);
        }
        misfit = improve(&system, seconds, misfit);
        stalled = misfit.worst < 0.9 * best ? 0 : stalled + 1;
        best = fmin(best, misfit.worst);
    }
    world->penalty->is_unsettled = !(misfit.worst <= STILL_GOOD);
}
