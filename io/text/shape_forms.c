#include "io/text/shape_forms.h"

#include <abut/bake.h>

#include <stdio.h>
#include <string.h>

// -----------------------------------------------------------------------------------------------------------
// Combinations
// -----------------------------------------------------------------------------------------------------------

static AbutResult combine_union(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_union(a->children, a->child_count, host, out);
}

static AbutResult combine_intersection(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_intersection(a->children, a->child_count, host, out);
}

/// The first child without the union of all others.
static AbutResult combine_difference(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    if (a->child_count == 2)
    {
        return abut_shape_create_difference(a->children[0], a->children[1], host, out);
    }
    AbutShape* others = NULL;
    AbutResult result = abut_shape_create_union(a->children + 1, a->child_count - 1, host, &others);
    if (result == ABUT_OK)
    {
        result = abut_shape_create_difference(a->children[0], others, host, out);
    }
    abut_shape_destroy(others);
    return result;
}

static AbutResult combine_smooth(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_smooth_union(a->children[0], a->children[1], a->number, host, out);
}

static AbutResult combine_offset(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_offset(a->children[0], a->number, host, out);
}

static AbutResult combine_shell(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_shell(a->children[0], a->number, host, out);
}

static AbutResult combine_corrected(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_corrected(a->children[0], a->number, host, out);
}

static AbutResult combine_at(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_transformed(a->children[0], &a->pose, host, out);
}

/// The convex hull of the vertices of a mesh.
static AbutResult combine_hull(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_convex(abut_mesh_vertices(a->mesh), abut_mesh_vertex_count(a->mesh), host, out);
}

/// The triangles of a mesh as they are.
static AbutResult combine_mesh(const FormArguments* a, const AbutHost* host, AbutShape** out)
{
    return abut_shape_create_mesh(a->mesh, host, out);
}

// -----------------------------------------------------------------------------------------------------------
// The forms: text, meaning and rule, each written once
// -----------------------------------------------------------------------------------------------------------

/// A bit of FormRule.whole_numbers.
#define WHOLE(index) (1u << (index))

#define SHAPE_FORMS(X)                                                                                       \
    X("sphere:R", "sphere of radius R", .build = abut_form_sphere)                                           \
    X("box:X,Y,Z", "box of full extents X, Y, Z", .build = abut_form_box)                                    \
    X("rounded_box:X,Y,Z,R", "box of full extents X, Y, Z, its edges rounded by R inside of them",           \
      .build = abut_form_rounded_box)                                                                        \
    X("capsule:R,L", "radius R, L between the centres of the caps, along y", .build = abut_form_capsule)     \
    X("cylinder:R,L", "radius R, length L, along y", .build = abut_form_cylinder)                            \
    X("cone:R,L[,R2]", "from radius R at y = -L/2 to radius R2 (0: a tip) at y = L/2",                       \
      .build = abut_form_cone)                                                                               \
    X("torus:R,r", "ring of radius R around y, its tube of radius r", .build = abut_form_torus)              \
    X("plane[:NX,NY,NZ[,D]]", "half-space N.x <= D: normal N (0,1,0), offset D (0)",                         \
      .build = abut_form_plane)                                                                              \
    X("terrain[:SIZE,HEIGHT[,DIVISIONS[,SEED[,BAND]]]]",                                                     \
      "hills (10,1,128,0), solid below, exact within BAND", .build = abut_form_terrain,                      \
      .whole_numbers = WHOLE(2) | WHOLE(3))

#define COMBINATION_FORMS(X)                                                                                 \
    X("union(A;B;...)", "what is in any of the shapes", .combine = combine_union, .arguments = "S+")         \
    X("intersection(A;B;...)", "what is in all of the shapes", .combine = combine_intersection,              \
      .arguments = "S+")                                                                                     \
    X("difference(A;B;...)", "what is in A and in none of the others", .combine = combine_difference,        \
      .arguments = "SS+")                                                                                    \
    X("smooth(A;B;R)", "union of A and B with the seam blended over a width of R",                           \
      .combine = combine_smooth, .arguments = "SSn")                                                         \
    X("offset(A;D)", "A grown by D all around (shrunk when D is negative)", .combine = combine_offset,       \
      .arguments = "Sn")                                                                                     \
    X("shell(A;T)", "a skin of thickness T centred on the surface of A", .combine = combine_shell,           \
      .arguments = "Sn")                                                                                     \
    X("at(A;POSE)", "A moved, turned and scaled by x,y,z[,qx,qy,qz,qw[,scale]]", .combine = combine_at,      \
      .arguments = "SP")                                                                                     \
    X("corrected(A;F)", "distances of A divided by F, where A is steeper than a distance",                   \
      .combine = combine_corrected, .arguments = "Sn")                                                       \
    X("hull(MESH)", "the convex hull of the vertices of a mesh: file or generator", .combine = combine_hull, \
      .arguments = "M")                                                                                      \
    X("mesh(MESH)", "a closed mesh as it is: exact distance to its triangles", .combine = combine_mesh,      \
      .arguments = "M")

#define MESH_FORMS(X)                                                                                        \
    X("sphere_mesh:R[,DIVISIONS]", "mesh: sphere, six sides of DIVISIONS^2 (16) quads",                      \
      .build = abut_form_sphere_mesh, .makes_mesh = true, .whole_numbers = WHOLE(1))                         \
    X("box_mesh:X,Y,Z[,DIVISIONS]", "mesh: box, six sides of DIVISIONS^2 (1) quads",                         \
      .build = abut_form_box_mesh, .makes_mesh = true, .whole_numbers = WHOLE(3))                            \
    X("torus_mesh:R,r[,DIVISIONS]", "mesh: ring, DIVISIONS (64) around it, half of that around its tube",    \
      .build = abut_form_torus_mesh, .makes_mesh = true, .whole_numbers = WHOLE(2))                          \
    X("capsule_mesh:R,L[,DIVISIONS]", "mesh: capsule, DIVISIONS (32) around it",                             \
      .build = abut_form_capsule_mesh, .makes_mesh = true, .whole_numbers = WHOLE(2))                        \
    X("terrain_mesh[:SIZE,HEIGHT[,DIVISIONS[,SEED]]]", "mesh: the same hills with walls and a floor",        \
      .build = abut_form_terrain_mesh, .makes_mesh = true, .whole_numbers = WHOLE(2) | WHOLE(3))             \
    X("bowl[:R,THICKNESS[,DIVISIONS]]", "mesh: bowl of outer radius R, open above (0.5,0.05,32)",            \
      .build = abut_form_bowl, .makes_mesh = true, .whole_numbers = WHOLE(2))                                \
    X("pipe[:R,THICKNESS,COIL,PITCH,TURNS[,DIVISIONS]]",                                                     \
      "mesh: pipe of inner radius R on a helix (0.1,0.02,0.5,0.4,2,64)", .build = abut_form_pipe,            \
      .makes_mesh = true, .whole_numbers = WHOLE(5))                                                         \
    X("gear[:TEETH,MODULE,WIDTH[,BORE[,BACKLASH]]]", "mesh: spur gear, involute teeth (20,0.05,0.2,0.1,0)",  \
      .build = abut_form_gear, .makes_mesh = true, .whole_numbers = WHOLE(0))                                \
    X("link[:LENGTH,BEND,ROD[,DIVISIONS]]", "mesh: chain link of round rod (0.5,0.25,0.1,32)",               \
      .build = abut_form_link, .makes_mesh = true, .whole_numbers = WHOLE(3))                                \
    X("bolt[:R,PITCH,LENGTH[,DIVISIONS]]", "mesh: bolt, metric thread of crest radius R (0.4,0.15,1,48)",    \
      .build = abut_form_bolt, .makes_mesh = true, .whole_numbers = WHOLE(3))                                \
    X("nut[:R,PITCH,LENGTH[,CLEARANCE[,DIVISIONS]]]", "mesh: the nut of that bolt (0.4,0.15,0.4,0.0075,48)", \
      .build = abut_form_nut, .makes_mesh = true, .whole_numbers = WHOLE(4))                                 \
    X("ring[:R,r[,CORNERS[,STEPS[,DIVISIONS]]]]",                                                            \
      "mesh: ring of a tube with CORNERS that turns by STEPS of them (0.5,0.2,3,1,96)",                      \
      .build = abut_form_ring, .makes_mesh = true, .whole_numbers = WHOLE(2) | WHOLE(3) | WHOLE(4))          \
    X("revolution:DIVISIONS,R0,Y0,R1,Y1,...", "mesh: the profile of points (R, Y) turned around y",          \
      .build = abut_form_revolution, .makes_mesh = true, .whole_numbers = WHOLE(0))

#define AS_TEXT(form, meaning, ...) { form, meaning },
#define AS_RULE(form, meaning, ...) { .text = form, __VA_ARGS__ },

static const AbutShapeForm forms[] = {
    SHAPE_FORMS(AS_TEXT) COMBINATION_FORMS(AS_TEXT) MESH_FORMS(AS_TEXT){
        "FILE", "mesh: OBJ, STL, PLY, and through assimp glTF, OFF, 3MF, DAE, FBX, ..." },
    { "MESH@N[,close]", "a mesh baked into a field, N cells along its longest side, with its holes closed: "
                        "gear@96, scan.ply@128,close" },
    { "FIELD", "file of abut bake (part.abut), or of SDFGen (part.sdf)" },
    { NULL, NULL },
};

static const FormRule rules[] = { SHAPE_FORMS(AS_RULE) COMBINATION_FORMS(AS_RULE) MESH_FORMS(AS_RULE) };

enum
{
    RULE_COUNT = (int)(sizeof(rules) / sizeof(rules[0]))
};

const AbutShapeForm* abut_shape_parse_forms(void)
{
    return forms;
}

// -----------------------------------------------------------------------------------------------------------
// Reading the text of a form
// -----------------------------------------------------------------------------------------------------------

size_t abut_form_name_length(const FormRule* rule)
{
    return strcspn(rule->text, "[:(");
}

const FormRule* abut_form_find(const char* name, size_t length)
{
    for (int i = 0; i < RULE_COUNT; ++i)
    {
        if (abut_form_name_length(&rules[i]) == length && memcmp(rules[i].text, name, length) == 0)
        {
            return &rules[i];
        }
    }
    return NULL;
}

const FormRule* abut_form_at(uint32_t index)
{
    return index < RULE_COUNT ? &rules[index] : NULL;
}

/// Where the name of parameter `index` starts, or NULL beyond the last; "..." repeats the one before for
/// ever.
static const char* find_parameter(const FormRule* rule, uint32_t index)
{
    const char* at = rule->text + abut_form_name_length(rule);
    at += strspn(at, "[:");
    for (uint32_t i = 0; i < index && *at != '\0'; ++i)
    {
        at += strcspn(at, "[,]");
        at += strspn(at, "[,]");
        if (*at == '.')
        {
            return at;
        }
    }
    return *at == '\0' ? NULL : at;
}

bool abut_form_parameter(const FormRule* rule, uint32_t index, char name[FORM_NAME_SIZE])
{
    const char* at = find_parameter(rule, index);
    if (at == NULL)
    {
        return false;
    }
    if (*at == '.')
    {
        snprintf(name, FORM_NAME_SIZE, "the profile");
        return true;
    }
    snprintf(name, FORM_NAME_SIZE, "%.*s", (int)strcspn(at, "[,]"), at);
    return true;
}

bool abut_form_allows_count(const FormRule* rule, uint32_t count)
{
    if (count == 0)
    {
        return rule->text[abut_form_name_length(rule)] == '[';
    }
    const char* last = find_parameter(rule, count - 1);
    if (last == NULL)
    {
        return false;
    }
    char after = last[strcspn(last, "[,]")];
    return *last == '.' || after != ',';
}
