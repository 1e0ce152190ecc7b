#include "bvh/touches.h"

/// The state for certain, and whether the rounded corners touch.
static AbutTrianglesState test_triangles(double radius, const AbutDTriangle* a, const AbutDTriangle* b,
                                         bool* touching)
{
    if (radius == 0.0)
    {
        *touching = abut_triangles_touch(a, b);
        return *touching ? ABUT_TRIANGLES_TOUCH : ABUT_TRIANGLES_APART;
    }
    AbutTrianglesState state = abut_triangles_touch_within(a, b, radius);
    *touching = state == ABUT_TRIANGLES_CLOSE ? abut_triangles_touch(a, b) : state == ABUT_TRIANGLES_TOUCH;
    return state;
}

bool abut_touches_test(AbutTouches* touches, const AbutDTriangle* a, const AbutDTriangle* b, uint32_t id_a,
                       uint32_t id_b)
{
    bool touching;
    AbutTrianglesState state = test_triangles(touches->radius, a, b, &touching);
    touches->close = touches->close || state == ABUT_TRIANGLES_CLOSE;
    if (touching && (!touches->touching || (state == ABUT_TRIANGLES_TOUCH && !touches->contact)))
    {
        touches->touching = true;
        touches->one = (AbutTrianglePair){ id_a, id_b };
    }
    touches->contact = touches->contact || state == ABUT_TRIANGLES_TOUCH;
    if (touching && touches->all)
    {
        if (touches->count < touches->capacity)
        {
            touches->pairs[touches->count] = (AbutTrianglePair){ id_a, id_b };
        }
        touches->count += 1;
    }
    return touches->all || !touches->contact;
}

AbutMeshTreeState abut_touches_state(const AbutTouches* touches)
{
    return touches->contact ? ABUT_MESH_TREE_CONTACT
           : touches->close ? ABUT_MESH_TREE_CLOSE
                            : ABUT_MESH_TREE_SEPARATED;
}
