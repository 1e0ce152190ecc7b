// Scenes, cases and verdicts. What is true of a case is in recall_truth.c.
#include "scenes/recall.h"

#include "scenes/recall_truth.h"

#include <abut/models.h>
#include <stdlib.h>

enum
{
    GEAR_TEETH_A = 12,
    GEAR_TEETH_B = 9
};
static const float GEAR_MODULE = 0.08f;

/// Poses are floats: a turn by half an ulp moves the far end of a shape by so much.
static const double UNSURE = 1e-6;

/// What a proved gap may be over the true one: rounding of float, in shapes of about 1.
static const double GAP_ROUNDING = 4e-6;

struct RecallScene
{
    RecallDef def;
    AbutShape* shapes[2];
    RecallTruth truth;
    double tolerance;
};

const char* recall_kind_name(RecallKind kind)
{
    static const char* const names[RECALL_KIND_COUNT] = {
        "torus link", "grazing spheres", "parallel plates", "gears", "needle and plate", "box and sphere",
    };
    return (unsigned)kind < RECALL_KIND_COUNT ? names[kind] : "unknown scene";
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

static AbutResult create_gears(RecallTruth* truth)
{
    for (int side = 0; side < 2; ++side)
    {
        AbutGearMeshDef def = abut_gear_mesh_def();
        def.teeth = side == 0 ? GEAR_TEETH_A : GEAR_TEETH_B;
        def.module = GEAR_MODULE;
        def.width = 0.25f;
        def.bore_radius = 0.0f;
        def.backlash = 0.1f * GEAR_MODULE;
        def.flank_divisions = 3;
        AbutResult result = abut_mesh_create_gear(&def, &truth->meshes[side]);
        if (result != ABUT_OK)
        {
            return result;
        }
        truth->surfaces[side] = scene_surface_create(truth->meshes[side]);
        if (truth->surfaces[side] == NULL)
        {
            return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for a gear's triangles");
        }
    }
    truth->gear_distance = 0.5 * (double)GEAR_MODULE * (GEAR_TEETH_A + GEAR_TEETH_B);
    truth->gear_pitch = 6.283185307179586 / GEAR_TEETH_B;
    return ABUT_OK;
}

/// The shape as a formula.
static AbutResult create_exact(RecallScene* scene, int side, AbutShape** out)
{
    const AbutVec3 plate = { 1.0f, 0.01f, 0.8f }, block = { 0.8f, 0.5f, 0.6f };
    switch (scene->def.kind)
    {
    case RECALL_TORUS_LINK:
        return abut_shape_create_torus(0.5f, 0.02f, NULL, out);
    case RECALL_GRAZING_SPHERES:
        return abut_shape_create_sphere(side == 0 ? 0.5f : 0.4f, NULL, out);
    case RECALL_PARALLEL_PLATES:
        return abut_shape_create_box(plate, NULL, out);
    case RECALL_NEEDLE_AND_PLATE:
        return side == 0 ? abut_shape_create_box(plate, NULL, out)
                         : abut_shape_create_capsule(0.004f, 1.0f, NULL, out);
    case RECALL_BOX_AND_SPHERE:
        return side == 0 ? abut_shape_create_box(block, NULL, out)
                         : abut_shape_create_sphere(0.3f, NULL, out);
    default:
    {
        AbutResult result = scene_prism_create(scene->truth.meshes[side], &scene->truth.prisms[side]);
        return result == ABUT_OK ? scene_prism_shape(scene->truth.prisms[side], out) : result;
    }
    }
}

static AbutResult create_field(RecallScene* scene, int side, AbutShape** out)
{
    AbutBakeDef def = abut_bake_def();
    def.resolution = scene->def.cells;
    def.format = scene->def.format;
    def.sparse = scene->def.sparse;
    if (scene->def.kind == RECALL_GEARS)
    {
        return abut_bake_mesh(&def, scene->truth.meshes[side], out);
    }
    AbutShape* exact = NULL;
    AbutResult result = create_exact(scene, side, &exact);
    result = result == ABUT_OK ? abut_bake_shape(&def, exact, out) : result;
    abut_shape_destroy(exact);
    return result;
}

static AbutResult fill(RecallScene* scene)
{
    scene->truth.kind = scene->def.kind;
    scene->tolerance = (double)RECALL_TOLERANCE;
    AbutResult result = scene->def.kind == RECALL_GEARS ? create_gears(&scene->truth) : ABUT_OK;
    for (int side = 0; side < 2 && result == ABUT_OK; ++side)
    {
        bool exact = scene->def.cells == 0;
        result = exact ? create_exact(scene, side, &scene->shapes[side])
                       : create_field(scene, side, &scene->shapes[side]);
        if (result == ABUT_OK && !exact)
        {
            scene->tolerance += (double)abut_field_info(scene->shapes[side]).error_bound;
        }
    }
    return result;
}

AbutResult recall_scene_create(const RecallDef* def, RecallScene** out)
{
    *out = NULL;
    RecallScene* scene = calloc(1, sizeof(RecallScene));
    if (scene == NULL)
    {
        return abut_fail(ABUT_OUT_OF_MEMORY, "no memory for a scene");
    }
    scene->def = *def;
    AbutResult result = fill(scene);
    if (result != ABUT_OK)
    {
        recall_scene_destroy(scene);
        return result;
    }
    *out = scene;
    return ABUT_OK;
}

void recall_scene_destroy(RecallScene* scene)
{
    if (scene != NULL)
    {
        for (int side = 0; side < 2; ++side)
        {
            abut_shape_destroy(scene->shapes[side]);
            scene_prism_destroy(scene->truth.prisms[side]);
            scene_surface_destroy(scene->truth.surfaces[side]);
            abut_mesh_destroy(scene->truth.meshes[side]);
        }
        free(scene);
    }
}

const AbutShape* recall_scene_shape(const RecallScene* scene, int side)
{
    return scene->shapes[side];
}

double recall_scene_tolerance(const RecallScene* scene)
{
    return scene->tolerance;
}

// -----------------------------------------------------------------------------------------------------------
// Cases
// -----------------------------------------------------------------------------------------------------------

RecallCase recall_scene_case(const RecallScene* scene, uint64_t number)
{
    RecallCase item = { .pose_a = abut_pose_identity() };
    SceneRandom random = { 0x9e3779b97f4a7c15u * (number + 1) + (uint64_t)scene->def.kind };
    item.pose_b = recall_truth_pose(&scene->truth, &random);
    if (number % 4 == 3) // both stand elsewhere
    {
        item.pose_a.rotation = scene_random_rotation(&random);
        item.pose_a.position.x = scene_random_range(&random, -50.0, 50.0);
        item.pose_a.position.y = scene_random_range(&random, -50.0, 50.0);
        item.pose_a.position.z = scene_random_range(&random, -50.0, 50.0);
        item.pose_a.scale = (float)scene_random_range(&random, 0.5, 2.0);
        item.pose_b = abut_pose_multiply(&item.pose_a, &item.pose_b);
        item.pose_b.scale = item.pose_a.scale;
    }
    SceneRigid b = recall_truth_relative(&item.pose_a, &item.pose_b);
    item.gap = recall_truth_gap(&scene->truth, &b);
    item.overlap = item.gap <= 0.0;
    bool touching = scene->def.kind != RECALL_GEARS || item.gap > 0.0; // else 0 stands for any depth
    item.unsure = touching && fabs(item.gap) < UNSURE;
    return item;
}

AbutCollideInput recall_scene_input(const RecallScene* scene, const RecallCase* item)
{
    AbutCollideInput input = abut_collide_input(scene->shapes[0], scene->shapes[1]);
    input.pose_a = item->pose_a;
    input.pose_b = item->pose_b;
    input.settings.tolerance = RECALL_TOLERANCE;
    return input;
}

/// Too close to call is an answer where the gap is, or a move parts them that is, no longer than the
/// tolerance.
static bool is_close(const RecallScene* scene, const RecallCase* item)
{
    if (scene->def.kind != RECALL_GEARS || !item->overlap)
    {
        return fabs(item->gap) <= scene->tolerance;
    }
    SceneRigid b = recall_truth_relative(&item->pose_a, &item->pose_b);
    return recall_truth_is_shallow(&scene->truth, &b, scene->tolerance);
}

const char* recall_scene_judge(const RecallScene* scene, const RecallCase* item,
                               const AbutCollideOutput* output)
{
    if (item->unsure && output->state != ABUT_COLLIDE_BUDGET && output->state != ABUT_COLLIDE_INVALID)
    {
        return NULL;
    }
    switch (output->state)
    {
    case ABUT_COLLIDE_SEPARATED:
        if (item->overlap)
        {
            return "separated, but they overlap";
        }
        return (double)output->gap <= item->gap + GAP_ROUNDING ? NULL : "the gap is smaller than proved";
    case ABUT_COLLIDE_CONTACT:
        return item->overlap ? NULL : "contact, but they are apart";
    case ABUT_COLLIDE_CLOSE:
        return is_close(scene, item) ? NULL : "close, but the tolerance tells";
    default:
        return abut_collide_state_name(output->state);
    }
}
