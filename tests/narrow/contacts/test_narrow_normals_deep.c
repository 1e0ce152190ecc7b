// Contacts deep in fields: normals and anchors are those of a surface, at the medial axis, too.
#include "support/shapes.h"
#include "support/support.h"

#include <abut/bake.h>
#include <abut/narrow.h>
#include <math.h>
#include <stdlib.h>

enum
{
    CAPACITY = 2048
};

/// A box, whose nearest faces are known everywhere.
typedef struct Block
{
    AbutShape* field;
    double half[3];
    double cell;
} Block;

static Block bake_block(const double half[3], AbutFieldFormat format, uint32_t resolution, bool sparse)
{
    AbutShape* box = test_make_box((float)(2.0 * half[0]), (float)(2.0 * half[1]), (float)(2.0 * half[2]));
    Block block = { NULL, { half[0], half[1], half[2] }, 0.0 };
    AbutBakeDef def = abut_bake_def();
    def.format = format;
    def.resolution = resolution;
    def.sparse = sparse;
    test_assert_result(abut_bake_shape(&def, box, &block.field), ABUT_OK);
    block.cell = (double)abut_field_info(block.field).cell_size;
    abut_shape_destroy(box);
    return block;
}

static double depth_in(const Block* block, const double x[3])
{
    return fmin(block->half[0] - fabs(x[0]), fmin(block->half[1] - fabs(x[1]), block->half[2] - fabs(x[2])));
}

/// Degrees to the normal of a face that is nearest, or no more than `slack` further away.
static double angle_to_faces(const Block* block, const double x[3], AbutVec3 normal, double slack)
{
    const double n[3] = { normal.x, normal.y, normal.z };
    double nearest = depth_in(block, x), best = -1.0;
    for (int face = 0; face < 6; ++face)
    {
        double sign = face % 2 == 0 ? 1.0 : -1.0;
        if (block->half[face / 2] - sign * x[face / 2] <= nearest + slack)
        {
            best = fmax(best, sign * n[face / 2]);
        }
    }
    return acos(fmin(1.0, best)) * 57.29577951308232;
}

typedef struct Tally
{
    int deep, off, stray;
    double worst;
} Tally;

static void check_contact(const AbutContact* c, const Block* b, const AbutPose* pose, Tally* tally)
{
    AbutPosition position = { (double)c->position.x, (double)c->position.y, (double)c->position.z };
    AbutVec3 at = abut_pose_inverse_transform_point(pose, position);
    AbutQuat back = { -pose->rotation.x, -pose->rotation.y, -pose->rotation.z, pose->rotation.w };
    const double x[3] = { at.x, at.y, at.z }, anchor[3] = { c->anchor_b.x, c->anchor_b.y, c->anchor_b.z };
    double depth = depth_in(b, x);
    if (depth < 1.5 * b->cell)
    {
        return;
    }
    double angle = angle_to_faces(b, x, abut_quat_rotate(back, c->normal), b->cell);
    double away = sqrt((x[0] - anchor[0]) * (x[0] - anchor[0]) + (x[1] - anchor[1]) * (x[1] - anchor[1]) +
                       (x[2] - anchor[2]) * (x[2] - anchor[2]));
    tally->deep += 1;
    tally->off += angle > 30.0 ? 1 : 0;
    tally->stray += fabs(depth_in(b, anchor)) > 0.5 * b->cell || fabs(away - depth) > b->cell ? 1 : 0;
    tally->worst = fmax(tally->worst, angle);
}

static AbutPose random_pose(TestRandom* random, double reach)
{
    AbutVec3 at = test_random_point(random, reach);
    AbutPose pose = abut_pose_at((double)at.x, (double)at.y, (double)at.z);
    pose.rotation = test_random_rotation(random);
    pose.scale = (float)test_random_range(random, 0.5, 2.0);
    return pose;
}

/// Contacts of blocks in random poses, more of them at medial axes than shapes without edges would have.
static Tally tally_blocks(AbutFieldFormat format, bool sparse, uint64_t seed)
{
    static AbutContact contacts[CAPACITY];
    TestRandom random = { seed };
    Tally tally = { 0 };
    for (int i = 0; i < 6; ++i)
    {
        double half[2][3];
        for (int k = 0; k < 6; ++k)
        {
            half[k / 3][k % 3] = test_random_range(&random, 0.15, 0.6);
        }
        Block a = bake_block(half[0], format, 40, sparse), b = bake_block(half[1], format, 32, sparse);
        for (int k = 0; k < test_heavy_count(32); ++k)
        {
            AbutCollideInput input = abut_collide_input(a.field, b.field);
            input.pose_b = random_pose(&random, 0.4);
            AbutCollideOutput output = abut_collide(&input, contacts, CAPACITY);
            for (uint32_t j = 0; j < output.contact_count; ++j)
            {
                check_contact(&contacts[j], &b, &input.pose_b, &tally);
            }
        }
        abut_shape_destroy(a.field);
        abut_shape_destroy(b.field);
    }
    return tally;
}

static void check_format(AbutFieldFormat format, bool sparse, uint64_t seed)
{
    Tally tally = tally_blocks(format, sparse, seed);
    print_message(
        "%s: %d deep contacts, %d normals more than 30 degrees off (worst %.0f), %d anchors astray\n",
        abut_field_format_name(format), tally.deep, tally.off, tally.worst, tally.stray);
    assert_true(tally.deep > (TEST_IS_SANITIZED ? 100 : 1000));
    // Without the search for feet: 0.04 to 0.06 and 0.15. Coarse levels of sparse fields have no cells as
    // fine to search from.
    double fraction = format == ABUT_FIELD_FIRST_ORDER ? 0.006 : (sparse ? 0.03 : 0.012);
    assert_true(tally.off <= fraction * tally.deep && tally.stray <= fraction * tally.deep);
}

static void test_normals_deep_in_fields_are_those_of_a_face(void** state)
{
    (void)state;
    check_format(ABUT_FIELD_F32, false, 910);
    check_format(ABUT_FIELD_F16, false, 911);
    check_format(ABUT_FIELD_F32, true, 912);
}

static void test_normals_deep_in_fields_of_order_one_are_those_of_a_face(void** state)
{
    (void)state;
    check_format(ABUT_FIELD_FIRST_ORDER, false, 913);
    check_format(ABUT_FIELD_FIRST_ORDER, true, 914);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normals_deep_in_fields_are_those_of_a_face),
        cmocka_unit_test(test_normals_deep_in_fields_of_order_one_are_those_of_a_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
