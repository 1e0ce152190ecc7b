/// @file scene.h
/// What a simulation starts from: shapes, bodies, the settings of the world and where to look from. Made by a
/// builder (builders.h), read from a file (scene_file.h), or by hand; scene_world.h makes a world of it.
/// docs/scenes.md has more.
#ifndef ABUT_SCENES_SCENE_H
#define ABUT_SCENES_SCENE_H

#include <abut/dynamics.h>

enum
{
    SCENE_NO_SHAPE = -1
};

/// A shape that bodies share: it is made and baked once.
typedef struct SceneShape
{
    char* name;
    char* text;          ///< SHAPE, as on the command line (docs/shapes.md)
    char* visual;        ///< SHAPE that it is drawn as; NULL: itself
    uint32_t resolution; ///< bakes a field with this many cells along the longest side; 0: as the text says
    bool sparse;         ///< of that field
    bool first_order;    ///< of that field: with gradients
    bool closes;         ///< holes of a mesh, before it is baked
    uint32_t line;       ///< of the scene's file; 0: of none
} SceneShape;

typedef struct SceneBody
{
    char* name;
    uint32_t shape; ///< number of its shape
    AbutBodyKind kind;
    AbutPose pose;
    AbutVec3 linear_velocity, angular_velocity;
    float density; ///< of dynamic bodies
    float mass;    ///< > 0: instead of the density
    AbutMaterial material;
    uint32_t group, mask;
    uint32_t locked; ///< AbutMotionLock
    float color[3];  ///< 0 to 1; negative: chosen by the number of the body
    bool never_sleeps;
    uint32_t line; ///< of the scene's file; 0: of none
} SceneBody;

typedef struct Scene
{
    char* title;
    char* file; ///< that it was read from; NULL: from none
    AbutResponse response;
    AbutVec3 gravity;
    double step;    ///< seconds
    double seconds; ///< of the whole simulation
    uint32_t substeps;
    float margin, sleep_speed; ///< as in AbutWorldDef
    uint32_t hull_points;      ///< contacts by point hulls of about so many balls per shape; 0: by the kinds
    AbutPosition camera_target;
    double camera_distance;          ///< 0: so that all bodies are seen, and the target does not count
    double camera_yaw, camera_pitch; ///< degrees about y, from z towards x, and above the horizon

    SceneShape* shapes;
    uint32_t shape_count, shape_capacity;
    SceneBody* bodies;
    uint32_t body_count, body_capacity;
    uint32_t body_limit;

    uint64_t* hashes; ///< abut_world_hash() after each step, of a scene that was recorded; NULL: it was not
    uint32_t hash_count;

    /// Set by the scene_add_ functions when memory or the limit ends; scene_check() tells.
    bool out_of_memory, too_many;
    SceneBody spare_body; ///< what they return then
} Scene;

/// Without shapes and bodies, with the defaults of worlds, for ten seconds.
void scene_init(Scene* scene, const char* title);

void scene_destroy(Scene* scene);

/// Texts are copied. Returns its number, 0 when there is no memory.
uint32_t scene_add_shape(Scene* scene, const char* name, const char* text, uint32_t resolution);

/// Draws a shape as another one, of fewer triangles for example; the text is copied.
void scene_set_visual(Scene* scene, uint32_t shape, const char* text);

/// A dynamic body at the origin, which the caller changes; the pointer is good until the next one is added.
/// The name is copied; NULL: that of the shape and the number of the body.
SceneBody* scene_add_body(Scene* scene, const char* name, uint32_t shape);

/// The number of the shape of that name, or SCENE_NO_SHAPE.
int64_t scene_find_shape(const Scene* scene, const char* name);

/// @return what failed since scene_init(): ABUT_OUT_OF_MEMORY or ABUT_LIMIT_EXCEEDED.
AbutResult scene_check(const Scene* scene);

/// How to stack many bodies without overlap: layers of columns, each body somewhere in its cell.
typedef struct SceneStack
{
    const uint32_t* shapes; ///< taken in turn
    uint32_t shape_count;
    uint32_t count;       ///< of bodies
    uint32_t columns[2];  ///< along x and z
    double spacing[3];    ///< of cells
    AbutPosition base;    ///< middle of the lowest layer
    double jitter;        ///< part of a cell that a body may be off its middle, 0 to 1
    bool random_rotation; ///< any way round, at random
    uint64_t seed;
    const SceneBody* like; ///< everything but shape, name and place; NULL: the defaults
} SceneStack;

/// Returns the number of the first body; they follow each other.
uint32_t scene_add_stack(Scene* scene, const SceneStack* stack);

/// The colour of a body: its own, or one that tells it from its neighbours.
void scene_body_color(const Scene* scene, uint32_t body, float out[3]);

#endif
