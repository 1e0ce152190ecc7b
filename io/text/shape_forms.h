/// @file shape_forms.h
/// The forms of SHAPE texts: what each is called, which numbers it takes and what it makes.
///
/// A form's text, as people read it in help pages ("cone:R,L[,R2]"), is also what the parser goes by: the
/// names of the parameters and the places where the list may end are read from it.
#ifndef ABUT_IO_SHAPE_FORMS_H
#define ABUT_IO_SHAPE_FORMS_H

#include <abut/io.h>

enum
{
    /// Numbers that one form can take; only "revolution" has no fixed count.
    FORM_NUMBER_LIMIT = 512,
    FORM_NAME_SIZE = 32
};

/// The numbers that were given, in order.
typedef struct FormNumbers
{
    double values[FORM_NUMBER_LIMIT];
    uint32_t count;
} FormNumbers;

/// Makes what a form with numbers names: exactly one member of `out`.
typedef AbutResult FormBuildFn(const FormNumbers* numbers, const AbutHost* host, AbutParsedShape* out);

/// The arguments of a combination: shapes or a mesh first, then at most one number or pose.
typedef struct FormArguments
{
    AbutShape* const* children;
    uint32_t child_count;
    AbutMesh* mesh; // or NULL
    float number;
    AbutPose pose;
} FormArguments;

typedef AbutResult FormCombineFn(const FormArguments* arguments, const AbutHost* host, AbutShape** out);

/// One form. Either `build` or `combine` is set.
typedef struct FormRule
{
    const char* text; ///< "cone:R,L[,R2]"
    FormBuildFn* build;
    uint32_t whole_numbers; ///< with `build`: bit i is set when number i is a whole one
    bool makes_mesh;
    FormCombineFn* combine;
    const char* arguments; ///< with `combine`: S a shape, + further shapes, M a mesh, n a number, P a pose
} FormRule;

/// The rule of a name that is `length` bytes long, or NULL.
const FormRule* abut_form_find(const char* name, size_t length);

/// Rule number `index`, or NULL beyond the last.
const FormRule* abut_form_at(uint32_t index);

/// How many bytes of a rule's text are its name.
size_t abut_form_name_length(const FormRule* rule);

/// The name of number `index` of a form; false beyond the last one.
bool abut_form_parameter(const FormRule* rule, uint32_t index, char name[FORM_NAME_SIZE]);

/// Whether a form may end after `count` numbers.
bool abut_form_allows_count(const FormRule* rule, uint32_t count);

/// The primitives, terrain and mesh generators.
FormBuildFn abut_form_sphere, abut_form_box, abut_form_rounded_box, abut_form_capsule, abut_form_cylinder,
    abut_form_cone, abut_form_torus, abut_form_plane, abut_form_terrain;
FormBuildFn abut_form_sphere_mesh, abut_form_box_mesh, abut_form_torus_mesh, abut_form_capsule_mesh,
    abut_form_terrain_mesh, abut_form_bowl, abut_form_pipe, abut_form_gear, abut_form_link, abut_form_bolt,
    abut_form_nut, abut_form_ring, abut_form_revolution;

/// Number `index`, or `fallback` when fewer were given.
static inline float abut_form_number(const FormNumbers* numbers, uint32_t index, float fallback)
{
    return index < numbers->count ? (float)numbers->values[index] : fallback;
}

/// The same for numbers that the parser has found to be whole and in the range of 32 bits.
static inline uint32_t abut_form_count(const FormNumbers* numbers, uint32_t index, uint32_t fallback)
{
    return index < numbers->count ? (uint32_t)(int64_t)numbers->values[index] : fallback;
}

#endif
