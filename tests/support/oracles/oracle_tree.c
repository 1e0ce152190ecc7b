#include "support/oracles/oracle_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Formulas
// -----------------------------------------------------------------------------------------------------------

/// Rᵀ(p − t)/a with the rotation matrix of the normalised quaternion.
static void to_local(const AbutPose* pose, const double p[3], double local[3])
{
    double x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z, w = pose->rotation.w;
    double s = 2.0 / (x * x + y * y + z * z + w * w);
    const double rows[3][3] = {
        { 1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y) },
        { s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x) },
        { s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y) },
    };
    const double q[3] = { p[0] - pose->position.x, p[1] - pose->position.y, p[2] - pose->position.z };
    for (int i = 0; i < 3; ++i)
    {
        local[i] = (rows[0][i] * q[0] + rows[1][i] * q[1] + rows[2][i] * q[2]) / (double)pose->scale;
    }
}

static double blend(double a, double b, double radius)
{
    double h = fmax(radius - fabs(a - b), 0.0) / radius;
    return fmin(a, b) - h * h * radius / 4.0;
}

double oracle_tree_distance(const OracleTree* tree, const double p[3])
{
    if (tree->primitive != NULL)
    {
        return tree->primitive->distance(tree->primitive, p);
    }
    double q[3] = { p[0], p[1], p[2] };
    if (tree->kind == ABUT_SHAPE_TRANSFORMED)
    {
        to_local(&tree->pose, p, q);
    }
    double d = oracle_tree_distance(tree->children[0], q);
    for (uint32_t i = 1; i < tree->child_count; ++i)
    {
        double other = oracle_tree_distance(tree->children[i], q);
        d = tree->kind == ABUT_SHAPE_UNION          ? fmin(d, other)
            : tree->kind == ABUT_SHAPE_INTERSECTION ? fmax(d, other)
            : tree->kind == ABUT_SHAPE_DIFFERENCE   ? fmax(d, -other)
                                                    : blend(d, other, tree->amount);
    }
    switch (tree->kind)
    {
    case ABUT_SHAPE_OFFSET:
        return d - tree->amount;
    case ABUT_SHAPE_SHELL:
        return fabs(d) - 0.5 * tree->amount;
    case ABUT_SHAPE_CORRECTED:
        return d / tree->amount;
    case ABUT_SHAPE_TRANSFORMED:
        return d * (double)tree->pose.scale;
    default:
        return d;
    }
}

bool oracle_tree_contains(const OracleTree* tree, const double p[3])
{
    double q[3] = { p[0], p[1], p[2] };
    bool all = true, any = false;
    switch (tree->kind)
    {
    case ABUT_SHAPE_TRANSFORMED:
        to_local(&tree->pose, p, q);
        return oracle_tree_contains(tree->children[0], q);
    case ABUT_SHAPE_CORRECTED:
        return oracle_tree_contains(tree->children[0], p);
    case ABUT_SHAPE_UNION:
    case ABUT_SHAPE_INTERSECTION:
        for (uint32_t i = 0; i < tree->child_count; ++i)
        {
            bool inside = oracle_tree_contains(tree->children[i], p);
            all = all && inside;
            any = any || inside;
        }
        return tree->kind == ABUT_SHAPE_UNION ? any : all;
    case ABUT_SHAPE_DIFFERENCE:
        return oracle_tree_contains(tree->children[0], p) && !oracle_tree_contains(tree->children[1], p);
    default:
        return oracle_tree_distance(tree, p) <= 0.0;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Trees
// -----------------------------------------------------------------------------------------------------------

static OracleTree* new_tree(AbutShapeKind kind)
{
    OracleTree* tree = calloc(1, sizeof(*tree));
    assert_non_null(tree);
    tree->kind = kind;
    return tree;
}

static const OraclePrimitive* random_primitive(TestRandom* random, bool infinite)
{
    for (;;)
    {
        const OraclePrimitive* first = oracle_primitives();
        const OraclePrimitive* primitive = &first[test_random_bits(random) % 26];
        bool is_plane = strstr(primitive->name, "plane") != NULL;
        if (primitive->size >= 0.5 && primitive->size <= 4.0 && (infinite || !is_plane))
        {
            return primitive;
        }
    }
}

static OracleTree* new_leaf(TestRandom* random, bool infinite)
{
    OracleTree* tree = new_tree(ABUT_SHAPE_SPHERE);
    tree->primitive = random_primitive(random, infinite);
    test_assert_result(tree->primitive->create(tree->primitive, NULL, &tree->shape), ABUT_OK);
    tree->kind = abut_shape_info(tree->shape).kind;
    return tree;
}

/// Any angle, or a quarter turn now and then.
static AbutPose random_pose(TestRandom* random, double range)
{
    AbutPose pose;
    pose.position = test_random_position(random, range);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)test_random_range(random, 0.6, 1.4);
    if (test_random_bits(random) % 4 == 0)
    {
        pose.rotation = (AbutQuat){ 0.5f, -0.5f, 0.5f, 0.5f };
    }
    return pose;
}

static AbutResult create_shape(OracleTree* tree)
{
    AbutShape* children[ORACLE_TREE_CHILDREN] = { NULL };
    for (uint32_t i = 0; i < tree->child_count; ++i)
    {
        children[i] = tree->children[i]->shape;
    }
    float amount = (float)tree->amount;
    switch (tree->kind)
    {
    case ABUT_SHAPE_UNION:
        return abut_shape_create_union(children, tree->child_count, NULL, &tree->shape);
    case ABUT_SHAPE_INTERSECTION:
        return abut_shape_create_intersection(children, tree->child_count, NULL, &tree->shape);
    case ABUT_SHAPE_DIFFERENCE:
        return abut_shape_create_difference(children[0], children[1], NULL, &tree->shape);
    case ABUT_SHAPE_SMOOTH_UNION:
        return abut_shape_create_smooth_union(children[0], children[1], amount, NULL, &tree->shape);
    case ABUT_SHAPE_OFFSET:
        return abut_shape_create_offset(children[0], amount, NULL, &tree->shape);
    case ABUT_SHAPE_SHELL:
        return abut_shape_create_shell(children[0], amount, NULL, &tree->shape);
    case ABUT_SHAPE_CORRECTED:
        return abut_shape_create_corrected(children[0], amount, NULL, &tree->shape);
    default:
        return abut_shape_create_transformed(children[0], &tree->pose, NULL, &tree->shape);
    }
}

/// The number that a kind takes, as a float, so that library and oracle mean the same.
static double random_amount(TestRandom* random, AbutShapeKind kind)
{
    switch (kind)
    {
    case ABUT_SHAPE_SMOOTH_UNION:
        return (float)test_random_range(random, 0.05, 0.8);
    case ABUT_SHAPE_OFFSET:
        return (float)test_random_range(random, -0.2, 0.4);
    case ABUT_SHAPE_SHELL:
        return (float)test_random_range(random, 0.05, 0.3);
    default:
        return (float)test_random_range(random, 1.0, 2.0);
    }
}

OracleTree* oracle_tree_random(TestRandom* random, int levels, bool infinite)
{
    static const AbutShapeKind kinds[] = { ABUT_SHAPE_UNION,        ABUT_SHAPE_INTERSECTION,
                                           ABUT_SHAPE_DIFFERENCE,   ABUT_SHAPE_SMOOTH_UNION,
                                           ABUT_SHAPE_OFFSET,       ABUT_SHAPE_SHELL,
                                           ABUT_SHAPE_CORRECTED,    ABUT_SHAPE_TRANSFORMED,
                                           ABUT_SHAPE_SMOOTH_UNION, ABUT_SHAPE_OFFSET };
    OracleTree* tree = new_tree(ABUT_SHAPE_TRANSFORMED);
    if (levels == 0)
    {
        tree->child_count = 1;
        tree->children[0] = new_leaf(random, infinite);
        tree->pose = random_pose(random, 0.5);
    }
    else
    {
        tree->kind = kinds[test_random_bits(random) % (sizeof(kinds) / sizeof(kinds[0]))];
        bool two = tree->kind == ABUT_SHAPE_DIFFERENCE || tree->kind == ABUT_SHAPE_SMOOTH_UNION;
        bool many = tree->kind == ABUT_SHAPE_UNION || tree->kind == ABUT_SHAPE_INTERSECTION;
        tree->child_count = many ? 1 + (uint32_t)(test_random_bits(random) % 3) : (two ? 2 : 1);
        tree->amount = random_amount(random, tree->kind);
        tree->pose = random_pose(random, 0.3);
        for (uint32_t i = 0; i < tree->child_count; ++i)
        {
            int below = i == 0 ? levels - 1 : (int)(test_random_bits(random) % (uint64_t)levels);
            tree->children[i] = oracle_tree_random(random, below, infinite);
        }
    }
    test_assert_result(create_shape(tree), ABUT_OK);
    return tree;
}

void oracle_tree_destroy(OracleTree* tree)
{
    for (uint32_t i = 0; i < tree->child_count; ++i)
    {
        oracle_tree_destroy(tree->children[i]);
    }
    abut_shape_destroy(tree->shape);
    free(tree);
}

static void append_text(const OracleTree* tree, char* text, size_t size)
{
    size_t n = strlen(text);
    if (tree->primitive != NULL)
    {
        snprintf(text + n, size - n, "%s", tree->primitive->name);
        return;
    }
    snprintf(text + n, size - n, "%s[%.3g](", abut_shape_kind_name(tree->kind), tree->amount);
    for (uint32_t i = 0; i < tree->child_count; ++i)
    {
        n = strlen(text);
        snprintf(text + n, size - n, "%s", i > 0 ? ", " : "");
        append_text(tree->children[i], text, size);
    }
    n = strlen(text);
    snprintf(text + n, size - n, ")");
}

const char* oracle_tree_text(const OracleTree* tree)
{
    static char text[2048];
    text[0] = '\0';
    append_text(tree, text, sizeof(text));
    return text;
}
