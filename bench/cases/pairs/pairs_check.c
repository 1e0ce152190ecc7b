// Answers for pairs of meshes against surfaces of triangles and winding numbers.
#include "pairs_cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    MOST_CONTACTS = 4096,
    MOST_COMPLAINTS = 5
};

static void to_double(AbutVec3 v, const double from[3], double out[3])
{
    out[0] = (double)v.x - from[0];
    out[1] = (double)v.y - from[1];
    out[2] = (double)v.z - from[2];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Solid angle of a triangle seen from the origin (van Oosterom and Strackee).
static double solid_angle(const double a[3], const double b[3], const double c[3])
{
    double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
    double determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                         a[2] * (b[0] * c[1] - b[1] * c[0]);
    return 2.0 * atan2(determinant, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

double pair_winding(const AbutMesh* mesh, const double point[3])
{
    const AbutVec3* vertices = abut_mesh_vertices(mesh);
    const uint32_t* indices = abut_mesh_indices(mesh);
    double sum = 0.0;
    for (size_t i = 0; i < abut_mesh_triangle_count(mesh); ++i)
    {
        double corners[3][3];
        for (size_t k = 0; k < 3; ++k)
        {
            to_double(vertices[indices[3 * i + k]], point, corners[k]);
        }
        sum += solid_angle(corners[0], corners[1], corners[2]);
    }
    return sum / 12.566370614359172;
}

// -----------------------------------------------------------------------------------------------------------
// What a pose asks of the solids
// -----------------------------------------------------------------------------------------------------------

typedef struct Posed
{
    double matrix[3][3];
    double position[3];
} Posed;

static Posed posed(const AbutPose* pose)
{
    Posed p = { .position = { pose->position.x, pose->position.y, pose->position.z } };
    abut_quat_to_matrix(pose->rotation, p.matrix);
    return p;
}

static void to_b(const Posed* p, const double a[3], double b[3])
{
    const double d[3] = { a[0] - p->position[0], a[1] - p->position[1], a[2] - p->position[2] };
    for (int i = 0; i < 3; ++i)
    {
        b[i] = p->matrix[0][i] * d[0] + p->matrix[1][i] * d[1] + p->matrix[2][i] * d[2];
    }
}

static void to_a(const Posed* p, const double b[3], double a[3])
{
    for (int i = 0; i < 3; ++i)
    {
        a[i] = dot(p->matrix[i], b) + p->position[i];
    }
}

static bool is_inside(const AbutMesh* mesh, const double point[3])
{
    return pair_winding(mesh, point) > 0.5;
}

/// True for surfaces that do not meet when one solid is in the other: then its first vertex is too. (All of
/// these models are in one piece, but for scraps.)
static bool is_contained(const PairModel* model, const AbutPose* pose)
{
    const double origin[3] = { 0.0, 0.0, 0.0 };
    Posed p = posed(pose);
    double own[3], other[3];
    to_double(abut_mesh_vertices(model->mesh_b)[0], origin, own);
    to_a(&p, own, other);
    if (is_inside(model->mesh_a, other))
    {
        return true;
    }
    to_double(abut_mesh_vertices(model->mesh_a)[0], origin, own);
    to_b(&p, own, other);
    return is_inside(model->mesh_b, other);
}

/// True when one of the contacts stands in both solids.
static bool has_witness(const PairModel* model, const AbutCollideInput* input, AbutContact* contacts)
{
    const double origin[3] = { 0.0, 0.0, 0.0 };
    Posed p = posed(&input->pose_b);
    AbutCollideOutput output = abut_collide(input, contacts, MOST_CONTACTS);
    for (uint32_t i = 0; i < output.contact_count; ++i)
    {
        double a[3], b[3];
        to_double(contacts[i].position, origin, a);
        to_b(&p, a, b);
        if (is_inside(model->mesh_a, a) && is_inside(model->mesh_b, b))
        {
            return true;
        }
    }
    return false;
}

// -----------------------------------------------------------------------------------------------------------
// Verdicts
// -----------------------------------------------------------------------------------------------------------

typedef struct Check
{
    const PairModel* model;
    const BenchCollider* collider;
    void* pair;
    AbutContact* contacts;
    PairTally tally;
} Check;

static void complain(const Check* check, const char* what, int number, const AbutCollideInput* input,
                     const AbutCollideOutput* output)
{
    if (check->tally.missed + check->tally.wrong <= MOST_COMPLAINTS)
    {
        const AbutPose* p = &input->pose_b;
        fprintf(stderr,
                "abut: bench pairs: %s, pose %d: %s: said \"%s\", gap %g; position %.17g %.17g %.17g, "
                "rotation %.9g %.9g %.9g %.9g\n",
                check->model->name, number, what, abut_collide_state_name(output->state), (double)output->gap,
                p->position.x, p->position.y, p->position.z, (double)p->rotation.x, (double)p->rotation.y,
                (double)p->rotation.z, (double)p->rotation.w);
    }
}

static void check_separated(Check* check, int number, const AbutCollideInput* input,
                            const AbutCollideOutput* output, bool touches)
{
    double nearest[2][3];
    if (touches || is_contained(check->model, &input->pose_b))
    {
        check->tally.missed += 1;
        complain(check, touches ? "the surfaces touch" : "one is inside of the other", number, input, output);
    }
    else if ((double)output->gap >
             check->collider->distance(check->pair, &input->pose_b, nearest) * (1.0 + 1e-5) + 1e-6)
    {
        check->tally.wrong += 1;
        complain(check, "the surfaces are nearer than the gap", number, input, output);
    }
}

/// True when some move of this length parts the two: they overlap by no more.
static bool is_shallow(const Check* check, const AbutPose* pose, double length)
{
    enum
    {
        DIRECTIONS = 200
    };
    for (int i = 0; i < DIRECTIONS; ++i)
    {
        // A spiral from pole to pole.
        double z = 1.0 - (2.0 * i + 1.0) / DIRECTIONS, angle = 2.399963229728653 * i, r = sqrt(1.0 - z * z);
        AbutPose moved = *pose;
        moved.position.x += length * r * cos(angle);
        moved.position.y += length * r * sin(angle);
        moved.position.z += length * z;
        if (!check->collider->touches(check->pair, &moved) && !is_contained(check->model, &moved))
        {
            return true;
        }
    }
    return false;
}

/// Too close to call is an answer where gap or depth is no more than the tolerance, which is 1e-3 of the size
/// at most, and the errors of the fields.
static void check_close(Check* check, int number, const AbutCollideInput* input,
                        const AbutCollideOutput* output, bool touches)
{
    double nearest[2][3];
    double limit = 1e-3 + (double)check->model->error;
    bool right = touches ? isinf(limit) || is_shallow(check, &input->pose_b, limit)
                         : check->collider->distance(check->pair, &input->pose_b, nearest) <= limit;
    if (!right)
    {
        check->tally.wrong += 1;
        complain(check,
                 touches ? "they overlap by more than that" : "the surfaces are further apart than that",
                 number, input, output);
    }
}

static AbutCollideState check_pose(Check* check, int number, const AbutPose* pose)
{
    AbutCollideInput input = abut_collide_input(check->model->field_a, check->model->field_b);
    input.pose_b = *pose;
    AbutCollideOutput output = abut_collide(&input, NULL, 0);
    bool touches = check->collider->touches(check->pair, pose);
    switch (output.state)
    {
    case ABUT_COLLIDE_SEPARATED:
        check->tally.separated += 1;
        check_separated(check, number, &input, &output, touches);
        break;
    case ABUT_COLLIDE_CONTACT:
        check->tally.contact += 1;
        if (!touches && !is_contained(check->model, pose) &&
            !has_witness(check->model, &input, check->contacts))
        {
            check->tally.wrong += 1;
            complain(check, "no common point can be shown", number, &input, &output);
        }
        break;
    case ABUT_COLLIDE_CLOSE:
        check->tally.close += 1;
        check_close(check, number, &input, &output, touches);
        break;
    default:
        check->tally.budget += 1;
        break;
    }
    return output.state;
}

PairTally pair_model_check(const PairModel* model, const BenchCollider* collider, void* pair,
                           const AbutPose* poses, int count, AbutCollideState* states)
{
    Check check = { .model = model, .collider = collider, .pair = pair };
    check.contacts = malloc(MOST_CONTACTS * sizeof(AbutContact));
    for (int i = 0; i < count && check.contacts != NULL; ++i)
    {
        states[i] = check_pose(&check, i, &poses[i]);
    }
    free(check.contacts);
    return check.tally;
}
