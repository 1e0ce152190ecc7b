// Balls around boxes of triangles, around triangles and around quarters of them, against the distance of the
// field at their centres: outside as a whole, inside as a whole, or divided. A point of the surface of the
// mesh inside of the field's solid proves a contact. Where all triangles are outside, the field's solid, or a
// component of it, may still be inside of the mesh: boxes of space that the distance of the field does not
// rule out are looked up in the mesh.
#include "narrow/triangles/mesh_field.h"

#include "bake/mesh_shape.h"
#include "base/assert.h"
#include "base/scratch.h"
#include "field/bounds/distance_octree.h"
#include "field/distance_bounds.h"
#include "field/field.h"
#include "mesh/box_tree.h"
#include "shape/resolve.h"

#include <abut/field.h>

/// Of boxes of the tree about its centre (bvh/frame.c).
static const double BOX_ROUNDING = 0x1p-20;

/// Of a point rounded to float, of the sum of its coordinates.
static const double POINT_ROUNDING = 0x1p-23;

/// Of poses and moved points, of all lengths involved: ABUT_TRANSFORM_ROUNDING for each of a few steps.
static const double POSE_ROUNDING = 0x1p-42;

enum
{
    DIVISIONS = 24,        // of a triangle or a box, at most
    CLOSE_SAMPLES = 16384, // that look for a contact once a piece is close
    STACK_CAPACITY = ABUT_TREE_WIDTH * ABUT_TREE_MAX_DEPTH,
    PIECE_CAPACITY = 4 * DIVISIONS,
    BOX_CAPACITY = 8 * DIVISIONS,
};

typedef struct Slot
{
    double low; // of the distance over its ball
    uint32_t child;
} Slot;

typedef struct MeshField
{
    const AbutMeshShape* mesh;
    const AbutShape* field;
    AbutDistanceOctree octree; // leaves are NULL for a field without
    AbutDVec3 origin;          // of its grid
    double cell_size;
    AbutTransform frame; // of the mesh in that of the field
    double rounding;     // of moved points
    double tolerance;    // in the unit of the field
    double gap;          // of the triangles so far
    bool contact, close;
    uint64_t samples, budget;
    Slot stack[STACK_CAPACITY];
    uint32_t count;
} MeshField;

/// A ball, in the frame of the field.
typedef struct Ball
{
    AbutDVec3 center;
    double radius;
} Ball;

// -----------------------------------------------------------------------------------------------------------
// Distances
// -----------------------------------------------------------------------------------------------------------

static double slack_at(const MeshField* self, AbutDVec3 p)
{
    return self->rounding + POINT_ROUNDING * (fabs(p.x) + fabs(p.y) + fabs(p.z));
}

/// Proved bounds of the distance at a point of the field's frame.
typedef struct Bounds
{
    double low, high;
} Bounds;

/// Bounds by the octree's box around the point.
static Bounds octree_bounds(const MeshField* self, AbutDVec3 p)
{
    if (self->octree.leaves == NULL)
    {
        return (Bounds){ -INFINITY, INFINITY };
    }
    AbutDVec3 at = abut_dvec3_div(abut_dvec3_sub(p, self->origin), self->cell_size);
    AbutOctreeDistance box = abut_distance_octree_at(&self->octree, at);
    double away = abut_dvec3_distance(at, box.middle) * (1.0 + 0x1p-40);
    double slack = slack_at(self, p);
    return (Bounds){ box.distance > 0.0 ? (box.distance - away) * self->cell_size - slack : -INFINITY,
                     box.distance < 0.0 ? (box.distance + away) * self->cell_size + slack : INFINITY };
}

/// Lower bound of the distance from a point of the field's frame to its solid; as sharp as a comparison with
/// `limit` needs.
static double low_at(MeshField* self, AbutDVec3 p, double limit)
{
    self->samples += 1;
    double outside = sqrt(abut_box_squared_distance(self->field->info.bounds, p));
    double low = abut_larger(outside * (1.0 - 0x1p-40) - slack_at(self, p), octree_bounds(self, p).low);
    if (low > limit)
    {
        return low;
    }
    double sampled = abut_field_distance_low(self->field, abut_dvec3_to_vec3(p)) - slack_at(self, p);
    return abut_larger(low, sampled);
}

/// Upper bound of the signed distance, as sharp as a comparison with 0 needs.
static double high_at(MeshField* self, AbutDVec3 p)
{
    self->samples += 1;
    double high = octree_bounds(self, p).high;
    return high < 0.0
               ? high
               : (double)abut_field_point_bounds(self->field, abut_dvec3_to_vec3(p)).high + slack_at(self, p);
}

static bool is_over(const MeshField* self)
{
    return self->contact || self->samples >= self->budget;
}

// -----------------------------------------------------------------------------------------------------------
// Triangles
// -----------------------------------------------------------------------------------------------------------

typedef struct Piece
{
    AbutDTriangle triangle; // in the frame of the field
    int division;
} Piece;

static Ball ball_of(const AbutDTriangle* t)
{
    AbutDVec3 sum = abut_dvec3_add(abut_dvec3_add(t->corners[0], t->corners[1]), t->corners[2]);
    Ball ball = { abut_dvec3_scale(sum, 1.0 / 3.0), 0.0 };
    for (int corner = 0; corner < 3; ++corner)
    {
        ball.radius = abut_larger(ball.radius, abut_dvec3_distance(t->corners[corner], ball.center));
    }
    ball.radius *= 1.0 + 0x1p-40;
    return ball;
}

static AbutDVec3 middle_of(AbutDVec3 a, AbutDVec3 b)
{
    return abut_dvec3_lerp(a, b, 0.5);
}

static void push_quarters(Piece* stack, uint32_t* count, const Piece* piece)
{
    const AbutDVec3* p = piece->triangle.corners;
    AbutDVec3 q[3] = { middle_of(p[0], p[1]), middle_of(p[1], p[2]), middle_of(p[2], p[0]) };
    ABUT_ASSERT(*count + 4 <= PIECE_CAPACITY);
    stack[(*count)++] = (Piece){ { { q[0], q[1], q[2] } }, piece->division + 1 };
    stack[(*count)++] = (Piece){ { { p[0], q[0], q[2] } }, piece->division + 1 };
    stack[(*count)++] = (Piece){ { { q[0], p[1], q[1] } }, piece->division + 1 };
    stack[(*count)++] = (Piece){ { { q[2], q[1], p[2] } }, piece->division + 1 };
}

/// A piece within the tolerance whose side is open. The samples that look for a contact elsewhere are few:
/// surfaces that lie in each other have no end of such pieces.
static void set_close(MeshField* self)
{
    if (!self->close)
    {
        self->close = true;
        self->budget =
            self->samples + CLOSE_SAMPLES < self->budget ? self->samples + CLOSE_SAMPLES : self->budget;
    }
}

static void test_triangle(MeshField* self, AbutDTriangle triangle)
{
    Piece stack[PIECE_CAPACITY];
    uint32_t count = 0;
    stack[count++] = (Piece){ triangle, 0 };
    while (count > 0 && !is_over(self))
    {
        Piece piece = stack[--count];
        Ball ball = ball_of(&piece.triangle);
        double low = low_at(self, ball.center, ball.radius);
        if (low > ball.radius)
        {
            self->gap = abut_smaller(self->gap, low - ball.radius);
        }
        else if (high_at(self, ball.center) < 0.0)
        {
            self->contact = true;
        }
        else if (ball.radius > self->tolerance && piece.division + 1 < DIVISIONS)
        {
            push_quarters(stack, &count, &piece);
        }
        else
        {
            set_close(self);
        }
    }
}

static void test_pack(MeshField* self, uint32_t pack)
{
    const AbutMeshTree* tree = self->mesh->tree;
    for (uint32_t lane = 0; lane < tree->index[pack].count && !is_over(self); ++lane)
    {
        AbutDTriangle t = abut_pack_triangle(&tree->packs[pack], lane);
        for (int corner = 0; corner < 3; ++corner)
        {
            t.corners[corner] = abut_transform_point(&self->frame, t.corners[corner]);
        }
        test_triangle(self, t);
    }
}

// -----------------------------------------------------------------------------------------------------------
// The tree
// -----------------------------------------------------------------------------------------------------------

static Ball lane_ball(const MeshField* self, const AbutTreeNode* node, uint32_t lane)
{
    const AbutMeshTree* tree = self->mesh->tree;
    AbutDVec3 low = abut_dvec3(node->low[0][lane], node->low[1][lane], node->low[2][lane]);
    AbutDVec3 high = abut_dvec3(node->high[0][lane], node->high[1][lane], node->high[2][lane]);
    AbutDVec3 center = abut_dvec3_add(middle_of(low, high), abut_dvec3_from_vec3(tree->center));
    double radius = 0.5 * abut_dvec3_length(abut_dvec3_sub(high, low)) + BOX_ROUNDING * (double)tree->radius;
    return (Ball){ abut_transform_point(&self->frame, center), self->frame.scale * radius };
}

/// By falling lower bound: the child that is deepest comes next.
static void push_child(MeshField* self, uint32_t first, Slot slot)
{
    ABUT_ASSERT(self->count < STACK_CAPACITY);
    uint32_t at = self->count++;
    for (; at > first && self->stack[at - 1].low < slot.low; --at)
    {
        self->stack[at] = self->stack[at - 1];
    }
    self->stack[at] = slot;
}

static void open_node(MeshField* self, uint32_t n)
{
    const AbutTreeNode* node = &self->mesh->tree->nodes[n];
    uint32_t first = self->count;
    for (uint32_t lane = 0; lane < node->child_count; ++lane)
    {
        Ball ball = lane_ball(self, node, lane);
        if (octree_bounds(self, ball.center).high < -ball.radius)
        {
            self->contact = true; // all of its triangles are inside
            return;
        }
        double low = low_at(self, ball.center, ball.radius);
        if (low > ball.radius)
        {
            self->gap = abut_smaller(self->gap, low - ball.radius);
        }
        else
        {
            push_child(self, first, (Slot){ low - ball.radius, node->child[lane] });
        }
    }
}

static void test_triangles(MeshField* self)
{
    open_node(self, 0);
    while (self->count > 0 && !is_over(self))
    {
        uint32_t child = self->stack[--self->count].child;
        if ((child & ABUT_TREE_PACK) != 0)
        {
            test_pack(self, child & ~ABUT_TREE_PACK);
        }
        else
        {
            open_node(self, child);
        }
    }
}

// -----------------------------------------------------------------------------------------------------------
// The field's solid inside of the mesh
// -----------------------------------------------------------------------------------------------------------

typedef struct SpaceBox
{
    AbutDVec3 center, half;
    int division;
} SpaceBox;

/// Space that both solids may occupy, in the frame of the field.
static SpaceBox common_box(const MeshField* self)
{
    AbutDVec3 low, high;
    abut_transform_box_ends(&self->frame, self->mesh->base.info.bounds, &low, &high);
    AbutBox own = self->field->info.bounds;
    low = abut_dvec3_max(low, abut_dvec3_from_vec3(own.min));
    high = abut_dvec3_min(high, abut_dvec3_from_vec3(own.max));
    AbutDVec3 rounding = abut_dvec3(self->rounding, self->rounding, self->rounding);
    AbutDVec3 half = abut_dvec3_add(abut_dvec3_scale(abut_dvec3_sub(high, low), 0.5), rounding);
    return (SpaceBox){ middle_of(low, high), half, 0 };
}

static void push_octants(SpaceBox* stack, uint32_t* count, const SpaceBox* box)
{
    AbutDVec3 half = abut_dvec3_scale(box->half, 0.5);
    for (int i = 0; i < 8; ++i)
    {
        AbutDVec3 side = abut_dvec3((i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                                    (i & 4) != 0 ? half.z : -half.z);
        ABUT_ASSERT(*count < BOX_CAPACITY);
        stack[(*count)++] = (SpaceBox){ abut_dvec3_add(box->center, side), half, box->division + 1 };
    }
}

/// Bounds of the distance to the solid of the mesh in the unit of the field, negative inside.
static Bounds mesh_bounds(const MeshField* self, AbutDVec3 p)
{
    AbutDVec3 local = abut_transform_inverse_point(&self->frame, p);
    AbutMeshShapeBounds bounds = abut_mesh_shape_bounds(self->mesh, local);
    return (Bounds){ bounds.low * self->frame.scale, bounds.high * self->frame.scale };
}

/// The surfaces are apart: sets `contact` for a point in both solids. False where boxes are left open.
static bool test_inside(MeshField* self)
{
    SpaceBox stack[BOX_CAPACITY];
    uint32_t count = 0;
    stack[count] = common_box(self);
    AbutDVec3 size = stack[count].half;
    count += size.x >= 0.0 && size.y >= 0.0 && size.z >= 0.0;
    while (count > 0 && !is_over(self))
    {
        SpaceBox box = stack[--count];
        double radius = abut_dvec3_length(box.half) * (1.0 + 0x1p-40);
        double slack = slack_at(self, box.center);
        if (low_at(self, box.center, radius) > radius)
        {
            continue;
        }
        Bounds distance = mesh_bounds(self, box.center);
        if (distance.low > radius + slack)
        {
            continue;
        }
        if (distance.high < -slack && high_at(self, box.center) < 0.0)
        {
            self->contact = true;
        }
        else if (box.division + 1 < DIVISIONS)
        {
            push_octants(stack, &count, &box);
        }
        else
        {
            return false;
        }
    }
    return count == 0 || self->contact;
}

// -----------------------------------------------------------------------------------------------------------
// Pairs
// -----------------------------------------------------------------------------------------------------------

static bool is_kind(const AbutShape* shape, AbutShapeKind kind)
{
    return abut_shape_leaf(shape)->info.kind == kind && abut_shape_resolve(shape).offset == 0.0;
}

bool abut_mesh_field_serves(const AbutShape* a, const AbutShape* b)
{
    return (is_kind(a, ABUT_SHAPE_MESH) && is_kind(b, ABUT_SHAPE_FIELD)) ||
           (is_kind(a, ABUT_SHAPE_FIELD) && is_kind(b, ABUT_SHAPE_MESH));
}

static AbutTransform inverse_of(const AbutTransform* t)
{
    AbutTransform inverse = { .rotation = abut_dmat3_transpose(&t->rotation), .scale = 1.0 / t->scale };
    inverse.translation = abut_transform_inverse_point(t, abut_dvec3_zero());
    return inverse;
}

/// Frame and rounding; returns the unit of the field in that of A.
static double set_frame(MeshField* self, const AbutResolvedShape* a, const AbutResolvedShape* b,
                        const AbutTransform* relative, double length)
{
    bool mesh_is_a = a->leaf->info.kind == ABUT_SHAPE_MESH;
    self->mesh = abut_mesh_shape(mesh_is_a ? a->leaf : b->leaf);
    self->field = mesh_is_a ? b->leaf : a->leaf;
    AbutFieldHeader* header = abut_field_of(self->field)->block;
    self->octree = abut_distance_octree_make(header);
    self->origin = abut_dvec3_from_array(header->origin);
    self->cell_size = header->cell_size;
    AbutTransform of_b = abut_transform_multiply(relative, &b->frame);
    AbutTransform from_field = mesh_is_a ? inverse_of(&of_b) : inverse_of(&a->frame);
    const AbutTransform* of_mesh = mesh_is_a ? &a->frame : &of_b;
    self->frame = abut_transform_multiply(&from_field, of_mesh);
    double unit = mesh_is_a ? of_b.scale : a->frame.scale;
    double own =
        a->frame.scale * (double)a->leaf->rounding.length + of_b.scale * (double)b->leaf->rounding.length;
    double sum = length + a->length + relative->scale * b->length + own +
                 abut_dvec3_taxicab(of_b.translation) + abut_dvec3_taxicab(a->frame.translation);
    self->rounding = POSE_ROUNDING * (1.0 + a->levels + b->levels) * sum / unit;
    return unit;
}

static AbutCollideState find_state(MeshField* self)
{
    test_triangles(self);
    if (self->contact)
    {
        return ABUT_COLLIDE_CONTACT;
    }
    if (is_over(self))
    {
        return ABUT_COLLIDE_UNDECIDED;
    }
    if (self->close)
    {
        return ABUT_COLLIDE_CLOSE;
    }
    bool is_complete = test_inside(self);
    if (self->contact)
    {
        return ABUT_COLLIDE_CONTACT;
    }
    // The gap of an open mesh is that of what closes it, too.
    return is_complete && self->mesh->doubt.region_count == 0 ? ABUT_COLLIDE_SEPARATED
                                                              : ABUT_COLLIDE_UNDECIDED;
}

AbutMeshPairState abut_mesh_field_state(const AbutShape* a, const AbutShape* b, const AbutTransform* relative,
                                        double length, double tolerance, uint64_t budget)
{
    AbutResolvedShape resolved_a = abut_shape_resolve(a), resolved_b = abut_shape_resolve(b);
    MeshField* self = abut_scratch_acquire(sizeof(MeshField));
    if (self == NULL)
    {
        return (AbutMeshPairState){ .state = ABUT_COLLIDE_INVALID };
    }
    *self = (MeshField){ .gap = INFINITY, .budget = budget };
    double unit = set_frame(self, &resolved_a, &resolved_b, relative, length);
    self->tolerance = tolerance / unit;
    AbutMeshPairState out = { .state = find_state(self),
                              .uncertainty = self->rounding * unit,
                              .samples = self->samples };
    out.gap = out.state == ABUT_COLLIDE_SEPARATED ? self->gap * unit * (1.0 - 0x1p-40) : 0.0;
    abut_scratch_release(self);
    return out;
}
