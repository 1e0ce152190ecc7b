// The linear system of Newton's method for an island: the spring impulse falls with the velocity, by the
// derivative matrix of the contacts. Conjugate gradients over its bodies, preconditioned by the 6 × 6 block
// of each body, so that one body among fixed ones takes one iteration.
#include "dynamics/penalty/linear_solver.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/dmat3.h"

#include <math.h>
#include <string.h>

enum
{
    CG_LIMIT = 60,
    DOUBLES_PER_ROW = 5 * 6 + 2 * 36
};

#define CG_TOLERANCE 1e-5

AbutResult abut_penalty_reserve_solver(AbutWorld* world)
{
    size_t n = (size_t)world->body_count + 1; // no empty arrays
    bool good = ABUT_PENALTY_GROW(world, vectors, n * DOUBLES_PER_ROW) && ABUT_PENALTY_GROW(world, rows, n) &&
                ABUT_PENALTY_GROW(world, row_bodies, n) && ABUT_PENALTY_GROW(world, islands, n);
    return good ? ABUT_OK : ABUT_OUT_OF_MEMORY;
}

// -----------------------------------------------------------------------------------------------------------
// Matrices
// -----------------------------------------------------------------------------------------------------------

void abut_penalty_add_wrench(double out[6], AbutDVec3 force, AbutDVec3 moment, AbutDVec3 from_center,
                             double sign)
{
    AbutDVec3 torque = abut_dvec3_add(moment, abut_dvec3_cross(from_center, force));
    out[0] += sign * force.x;
    out[1] += sign * force.y;
    out[2] += sign * force.z;
    out[3] += sign * torque.x;
    out[4] += sign * torque.y;
    out[5] += sign * torque.z;
}

void abut_penalty_gather(AbutWorld* world, const AbutPenaltyPair* pair)
{
    AbutPenaltyBody* bodies = abut_penalty(world)->bodies;
    for (int side = 0; side < 2 && pair->response_count > 0; ++side)
    {
        uint32_t carrier = side == 0 ? pair->a : pair->b, solid = side == 0 ? pair->b : pair->a;
        AbutDVec3 force = abut_dvec3_from_array(pair->sum[side]),
                  moment = abut_dvec3_from_array(pair->sum[side] + 3);
        AbutDVec3 offset = abut_dvec3_sub(bodies[solid].middle.position, bodies[carrier].middle.position);
        if (abut_body_moves(&world->bodies[carrier]))
        {
            abut_penalty_add_wrench(bodies[carrier].spring_impulse, force, moment, offset, 1.0);
        }
        if (abut_body_moves(&world->bodies[solid]))
        {
            abut_penalty_add_wrench(bodies[solid].spring_impulse, force, moment, abut_dvec3_zero(), -1.0);
        }
    }
}

/// Adds Jᵀ D J of a contact: D the impulse derivative along the normal and tangents, J the velocity at the
/// contact by a twist at the pair's origin.
static void add_contact_matrix(const AbutPenaltyResponse* response, AbutPenaltyPair* pair)
{
    AbutDVec3 r = abut_dvec3_sub(response->position, pair->origin), n = response->normal;
    double tangential = response->impulse_derivative[1],
           excess = response->impulse_derivative[0] - tangential;
    AbutDMat3 d = abut_dmat3_from_rows(
        abut_dvec3_add(abut_dvec3_scale(n, excess * n.x), abut_dvec3(tangential, 0.0, 0.0)),
        abut_dvec3_add(abut_dvec3_scale(n, excess * n.y), abut_dvec3(0.0, tangential, 0.0)),
        abut_dvec3_add(abut_dvec3_scale(n, excess * n.z), abut_dvec3(0.0, 0.0, tangential)));
    const AbutDVec3 j[6] = { { 1.0, 0.0, 0.0 },  { 0.0, 1.0, 0.0 },  { 0.0, 0.0, 1.0 }, // v + ω × r
                             { 0.0, -r.z, r.y }, { r.z, 0.0, -r.x }, { -r.y, r.x, 0.0 } };
    for (int row = 0; row < 6; ++row)
    {
        AbutDVec3 left = abut_dmat3_transform_transposed(&d, j[row]);
        for (int column = 0; column < 6; ++column)
        {
            pair->matrix[row][column] += abut_dvec3_dot(left, j[column]);
        }
    }
}

static void make_matrix(const AbutWorld* world, AbutPenaltyPair* pair)
{
    const AbutPenalty* penalty = abut_penalty(world);
    uint32_t moving = world->bodies[pair->a].inverse_mass > 0.0 ? pair->a : pair->b;
    pair->origin = penalty->bodies[moving].middle.position;
    memset(pair->matrix, 0, sizeof(pair->matrix));
    for (size_t i = 0; i < pair->response_count; ++i)
    {
        const AbutPenaltyResponse* response = &penalty->responses[pair->first + i];
        if (response->normal_impulse > 0.0)
        {
            add_contact_matrix(response, pair);
        }
    }
}

static bool is_locked(const AbutBody* body, int axis)
{
    return ((body->locked >> axis) & 1u) != 0;
}

/// Mass and inertia in the world's axes; 1 for locked axes.
static void make_mass(const AbutBody* body, AbutMatrix6 out)
{
    AbutDMat3 r = abut_body_matrix(body->rotation), transposed = abut_dmat3_transpose(&r);
    AbutDMat3 half = abut_dmat3_multiply(&r, &body->inertia);
    AbutDMat3 inertia = abut_dmat3_multiply(&half, &transposed);
    memset(out, 0, sizeof(AbutMatrix6));
    for (int i = 0; i < 3; ++i)
    {
        out[i][i] = is_locked(body, i) ? 1.0 : 1.0 / body->inverse_mass;
        for (int k = 0; k < 3; ++k)
        {
            bool locked = is_locked(body, 3 + i) || is_locked(body, 3 + k);
            out[3 + i][3 + k] = locked ? (i == k ? 1.0 : 0.0) : inertia.m[i][k];
        }
    }
}

void abut_penalty_mask(const AbutBody* body, AbutVector6 v)
{
    for (int i = 0; i < 6; ++i)
    {
        v[i] = is_locked(body, i) ? 0.0 : v[i];
    }
}

void abut_penalty_multiply(const AbutMatrix6 m, const AbutVector6 v, AbutVector6 out)
{
    for (int i = 0; i < 6; ++i)
    {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2] + m[i][3] * v[3] + m[i][4] * v[4] +
                 m[i][5] * v[5];
    }
}

/// Adds ± the twist of a body, at the pair's origin.
static void add_twist(const AbutPenaltyPair* pair, const AbutPenaltyBody* body, const AbutVector6 v,
                      double sign, AbutVector6 out)
{
    AbutDVec3 linear = abut_dvec3_from_array(v), angular = abut_dvec3_from_array(v + 3);
    AbutDVec3 offset = abut_dvec3_sub(pair->origin, body->middle.position);
    AbutDVec3 at_origin = abut_dvec3_add(linear, abut_dvec3_cross(angular, offset));
    out[0] += sign * at_origin.x;
    out[1] += sign * at_origin.y;
    out[2] += sign * at_origin.z;
    out[3] += sign * angular.x;
    out[4] += sign * angular.y;
    out[5] += sign * angular.z;
}

static void add_pair_wrench(const AbutPenaltyPair* pair, const AbutPenaltyBody* body,
                            const AbutVector6 wrench, double sign, AbutVector6 out)
{
    abut_penalty_add_wrench(out, abut_dvec3_from_array(wrench), abut_dvec3_from_array(wrench + 3),
                            abut_dvec3_sub(pair->origin, body->middle.position), sign);
}

/// Row of a body in the system, or none.
static uint32_t row_of(const AbutPenaltySystem* self, uint32_t body)
{
    uint32_t row = abut_penalty(self->world)->rows[body];
    ABUT_ASSERT(row == ABUT_PENALTY_NO_ROW ||
                (row >= self->first_row && row - self->first_row < self->count));
    return row == ABUT_PENALTY_NO_ROW ? row : row - self->first_row;
}

static void apply_pair(const AbutPenaltySystem* self, const AbutPenaltyPair* pair, AbutVector6* v,
                       AbutVector6* out)
{
    const AbutPenaltyBody* bodies = abut_penalty(self->world)->bodies;
    const uint32_t indices[2] = { pair->a, pair->b };
    const uint32_t rows[2] = { row_of(self, pair->a), row_of(self, pair->b) };
    AbutVector6 twist = { 0.0 }, wrench;
    for (int k = 0; k < 2; ++k)
    {
        if (rows[k] != ABUT_PENALTY_NO_ROW)
        {
            add_twist(pair, &bodies[indices[k]], v[rows[k]], k == 0 ? 1.0 : -1.0, twist);
        }
    }
    abut_penalty_multiply((const double(*)[6])pair->matrix, twist, wrench);
    for (int k = 0; k < 2; ++k)
    {
        if (rows[k] != ABUT_PENALTY_NO_ROW)
        {
            add_pair_wrench(pair, &bodies[indices[k]], wrench, k == 0 ? 1.0 : -1.0, out[rows[k]]);
        }
    }
}

static void apply(const AbutPenaltySystem* self, AbutVector6* v, AbutVector6* out)
{
    const AbutPenalty* penalty = abut_penalty(self->world);
    for (uint32_t i = 0; i < self->count; ++i)
    {
        abut_penalty_multiply((const double(*)[6])self->mass[i], v[i], out[i]);
    }
    for (uint32_t i = 0; i < self->pair_count; ++i)
    {
        const AbutPenaltyPair* pair = &penalty->pairs[self->pairs[i]];
        if (pair->response_count > 0)
        {
            apply_pair(self, pair, v, out);
        }
    }
    for (uint32_t i = 0; i < self->count; ++i)
    {
        abut_penalty_mask(&self->world->bodies[self->bodies[i]], out[i]);
    }
}

/// Adds the diagonal block of a pair for one body, column by column.
static void add_block(const AbutPenaltyPair* pair, const AbutPenaltyBody* body, AbutMatrix6 out)
{
    for (int column = 0; column < 6; ++column)
    {
        AbutVector6 unit = { 0.0 }, twist = { 0.0 }, wrench, block_wrench = { 0.0 };
        unit[column] = 1.0;
        add_twist(pair, body, unit, 1.0, twist);
        abut_penalty_multiply((const double(*)[6])pair->matrix, twist, wrench);
        add_pair_wrench(pair, body, wrench, 1.0, block_wrench);
        for (int row = 0; row < 6; ++row)
        {
            out[row][column] += block_wrench[row];
        }
    }
}

static void factorize(const AbutBody* body, AbutMatrix6 m)
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

static void solve_block(AbutMatrix6 m, const AbutVector6 b, AbutVector6 out)
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

static void make_blocks(AbutPenaltySystem* self)
{
    AbutPenalty* penalty = abut_penalty(self->world);
    memcpy(self->factor, self->mass, self->count * sizeof(AbutMatrix6));
    for (uint32_t i = 0; i < self->pair_count; ++i)
    {
        AbutPenaltyPair* pair = &penalty->pairs[self->pairs[i]];
        const uint32_t indices[2] = { pair->a, pair->b };
        if (pair->response_count == 0)
        {
            continue;
        }
        make_matrix(self->world, pair);
        for (int k = 0; k < 2; ++k)
        {
            uint32_t row = row_of(self, indices[k]);
            if (row != ABUT_PENALTY_NO_ROW)
            {
                add_block(pair, &penalty->bodies[indices[k]], self->factor[row]);
            }
        }
    }
    for (uint32_t i = 0; i < self->count; ++i)
    {
        factorize(&self->world->bodies[self->bodies[i]], self->factor[i]);
    }
}

static double product(const AbutPenaltySystem* self, AbutVector6* a, AbutVector6* b)
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

static void add_scaled(const AbutPenaltySystem* self, AbutVector6* to, double factor, AbutVector6* from)
{
    for (uint32_t i = 0; i < self->count; ++i)
    {
        for (int k = 0; k < 6; ++k)
        {
            to[i][k] += factor * from[i][k];
        }
    }
}

static void precondition(const AbutPenaltySystem* self)
{
    for (uint32_t i = 0; i < self->count; ++i)
    {
        solve_block(self->factor[i], self->residual[i], self->scaled[i]);
    }
}

void abut_penalty_solve_linear(AbutPenaltySystem* self)
{
    make_blocks(self);
    memset(self->x, 0, self->count * sizeof(AbutVector6));
    precondition(self);
    memcpy(self->direction, self->scaled, self->count * sizeof(AbutVector6));
    double size = product(self, self->residual, self->scaled), first = size;
    for (int i = 0; i < CG_LIMIT && size > CG_TOLERANCE * CG_TOLERANCE * first; ++i)
    {
        apply(self, self->direction, self->image);
        double curvature = product(self, self->direction, self->image);
        if (!(curvature > 0.0))
        {
            return;
        }
        add_scaled(self, self->x, size / curvature, self->direction);
        add_scaled(self, self->residual, -size / curvature, self->image);
        precondition(self);
        double next = product(self, self->residual, self->scaled), beta = next / size;
        size = next;
        for (uint32_t row = 0; row < self->count; ++row)
        {
            for (int k = 0; k < 6; ++k)
            {
                self->direction[row][k] = self->scaled[row][k] + beta * self->direction[row][k];
            }
        }
    }
}

AbutPenaltySystem abut_penalty_system(AbutWorld* world, const AbutPenaltyIsland* island)
{
    AbutPenalty* penalty = abut_penalty(world);
    AbutPenaltySystem self = { .world = world,
                               .count = island->row_count,
                               .pair_count = island->pair_count,
                               .bodies = penalty->row_bodies + island->first_row,
                               .pairs = penalty->island_pairs + island->first_pair,
                               .first_row = island->first_row };
    double* memory = penalty->vectors + (size_t)island->first_row * DOUBLES_PER_ROW;
    AbutVector6** vectors[] = { &self.x, &self.residual, &self.direction, &self.image, &self.scaled };
    for (int i = 0; i < 5; ++i, memory += (size_t)self.count * 6)
    {
        *vectors[i] = (AbutVector6*)memory;
    }
    self.mass = (AbutMatrix6*)memory;
    self.factor = (AbutMatrix6*)(memory + (size_t)self.count * 36);
    for (uint32_t i = 0; i < self.count; ++i)
    {
        make_mass(&world->bodies[self.bodies[i]], self.mass[i]);
    }
    return self;
}
