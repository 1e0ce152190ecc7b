// A pile in a world of abut.
#include "pile_cases.h"

static AbutResult add_ground(AbutWorld* world)
{
    AbutBodyDef def = abut_body_def();
    AbutBodyId id;
    AbutResult result = abut_shape_create_plane(abut_vec3(0.0f, 1.0f, 0.0f), 0.0f, NULL, &def.shape);
    def.kind = ABUT_BODY_STATIC;
    def.material.friction = (float)PILE_FRICTION;
    result = result == ABUT_OK ? abut_body_create(world, &def, &id) : result;
    abut_shape_destroy(def.shape);
    return result;
}

AbutResult pile_world_create(const PileModel* model, const AbutPose* poses, uint32_t count,
                             const AbutHost* host, AbutBodyId* ids, AbutWorld** out)
{
    AbutWorldDef def = abut_world_def();
    def.host = host;
    AbutResult result = abut_world_create(&def, out);
    result = result == ABUT_OK ? add_ground(*out) : result;
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i)
    {
        AbutBodyDef body = abut_body_def();
        body.shape = model->field;
        body.pose = poses[i];
        body.material.friction = (float)PILE_FRICTION;
        result = abut_body_create(*out, &body, &ids[i]);
    }
    return result;
}
