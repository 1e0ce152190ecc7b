// A bolt in a nut: which triangles overlap when it is pushed sideways? All pairs by CULLIDE, and the state of
// the two solids by CInDeR, at two resolutions: the answers are the same.
#include <abut/abut.h>
#include <abut/models.h>
#include <stdio.h>

static int fail(void)
{
    fprintf(stderr, "%s\n", abut_last_error());
    return 1;
}

static bool print_verdicts(AbutImageSet* set, const AbutPose poses[2], uint32_t resolution)
{
    AbutImageSettings settings = abut_image_settings();
    settings.resolution = resolution;
    AbutCullideOutput pairs;
    AbutCinderOutput state;
    if (abut_cullide(set, &settings, poses, &pairs) != ABUT_OK ||
        abut_cinder(set, &settings, poses, 0, 1, &state) != ABUT_OK)
    {
        return false;
    }
    printf(
        "  resolution %4u: %s, %zu pairs of triangles; %u triangles left after pruning, %llu exact tests\n",
        resolution, abut_image_state_name(state.state), pairs.pair_count, pairs.report.triangle_count,
        (unsigned long long)pairs.report.candidate_count);
    return true;
}

int main(void)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    AbutMesh* meshes[2] = { NULL, NULL };
    if (abut_mesh_create_bolt(&def, &meshes[0]) != ABUT_OK ||
        abut_mesh_create_nut(&def, &meshes[1]) != ABUT_OK)
    {
        return fail();
    }
    AbutImageSetDef set_def = abut_image_set_def();
    set_def.meshes = (const AbutMesh* const*)meshes;
    set_def.mesh_count = 2;
    AbutImageSet* set = NULL;
    if (abut_image_set_create(&set_def, &set) != ABUT_OK)
    {
        return fail();
    }
    for (int i = 0; i < 3; ++i)
    {
        AbutPose poses[2] = { abut_pose_at(0.02 * i, 0.0, 0.0), abut_pose_identity() };
        printf("pushed by %.2f\n", 0.02 * i);
        if (!print_verdicts(set, poses, 32) || !print_verdicts(set, poses, 256))
        {
            return fail();
        }
    }
    abut_image_set_destroy(set);
    abut_mesh_destroy(meshes[0]);
    abut_mesh_destroy(meshes[1]);
    return 0;
}
