// Prints hashes of what CULLIDE and CInDeR find: equal text means equal bits, whatever the processor and the
// instruction set.
#include <abut/abut.h>
#include <abut/models.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    COUNT = 4
};

static void need(AbutResult result)
{
    if (result != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        exit(EXIT_FAILURE);
    }
}

static void print_pairs(AbutImageSet* set, const AbutPose* poses, uint32_t resolution, uint32_t axes)
{
    AbutImageSettings settings = abut_image_settings();
    settings.resolution = resolution;
    settings.axes = axes;
    AbutCullideOutput out;
    need(abut_cullide(set, &settings, poses, &out));
    printf("cullide %4u %u %6zu %016" PRIx64 " %u %u %u %" PRIu64 "\n", resolution, axes, out.pair_count,
           abut_hash(out.pairs, out.pair_count * sizeof(AbutImagePair), 0), out.report.object_count,
           out.report.chunk_count, out.report.triangle_count, out.report.candidate_count);
}

static void print_states(AbutImageSet* set, const AbutPose* poses, uint32_t resolution)
{
    AbutImageSettings settings = abut_image_settings();
    settings.resolution = resolution;
    for (uint32_t a = 0; a < COUNT; ++a)
    {
        for (uint32_t b = a + 1; b < COUNT; ++b)
        {
            AbutCinderOutput out;
            need(abut_cinder(set, &settings, poses, a, b, &out));
            printf("cinder %u %u %s %d %u %u %u %u\n", a, b, abut_image_state_name(out.state), out.is_inside,
                   out.object, out.triangle, out.edge, out.exact_count);
        }
    }
}

int main(void)
{
    AbutMesh* meshes[COUNT] = { NULL };
    AbutThreadMeshDef thread = abut_thread_mesh_def();
    AbutGearMeshDef gear = abut_gear_mesh_def();
    need(abut_mesh_create_bolt(&thread, &meshes[0]));
    need(abut_mesh_create_gear(&gear, &meshes[1]));
    need(abut_mesh_create_sphere(0.4f, 20, NULL, &meshes[2]));
    need(abut_mesh_create_chain_link(0.5f, 0.3f, 0.1f, 24, NULL, &meshes[3]));
    AbutPose poses[COUNT];
    for (int i = 0; i < COUNT; ++i)
    {
        poses[i] = abut_pose_at(0.1 * i, 0.07 * i, -0.05 * i);
        poses[i].rotation = abut_quat_normalize((AbutQuat){ 0.1f * (float)i, 0.2f, 0.3f, 1.0f });
    }
    AbutImageSetDef def = abut_image_set_def();
    def.meshes = (const AbutMesh* const*)meshes;
    def.mesh_count = COUNT;
    AbutImageSet* set = NULL;
    need(abut_image_set_create(&def, &set));
    print_pairs(set, poses, 128, ABUT_IMAGE_Z);
    print_pairs(set, poses, 37, ABUT_IMAGE_XYZ);
    print_pairs(set, poses, 1024, ABUT_IMAGE_X);
    print_states(set, poses, 64);
    abut_image_set_destroy(set);
    for (int i = 0; i < COUNT; ++i)
    {
        abut_mesh_destroy(meshes[i]);
    }
    return EXIT_SUCCESS;
}
