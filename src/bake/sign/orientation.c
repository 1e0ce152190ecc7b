// Components of a mesh that face inward.
//
// A component is a set of triangles that edges connect. It faces inward when its signed volume is negative,
// which is right for the wall of a cavity. So the winding number of the other components around it decides:
//
//   - in a solid (1 or more) a component keeps its orientation: a cavity, or a solid in a solid;
//   - in free space (0) a component of negative volume is an inverted solid, and is flipped;
//   - in an inverted solid (−1 or less) a component is flipped together with that solid.
//
// An open component has a volume too, about the centre of its area, which is well-defined when it is nearly
// closed. Sheets and loose triangles have no volume and are classified together.
#include "bake/sign/orientation.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "base/union_find.h"
#include "mesh/corners.h"

#include <string.h>

/// Volume over area to the power 1.5; a ball has 0.094. Open components under the first are sheets; sheets
/// that together are over the second are a soup that surrounds a volume.
static const double SHEET_VOLUME = 0.01, SOUP_VOLUME = 0.001;

/// |∫ n dA| / ∫ dA over which a sheet is one, and not the two sides of a plate with a hole.
static const double SHEET_FACING = 0.5;

/// Rounding of a zero volume, relative to area times size.
static const double VOLUME_NOISE = 1e-12;

enum
{
    COMPONENT_BLOCK = 64,
};

typedef struct Component
{
    double area;       // ∫ dA
    AbutDVec3 center;  // ∫ y dA
    AbutDVec3 normal;  // ∫ n dA
    double volume;     // first ⅓ ∫ y·n dA, then about the centre of area
    uint32_t triangle; // the first
    bool open, sheet, flip;
} Component;

typedef struct Orienting
{
    AbutSignClassifier* classifier;
    uint32_t* component_of; // by triangle
    Component* components;
    uint32_t component_count;
    AbutDVec3 origin;
    double size; // longest side of the bounds
} Orienting;

// -----------------------------------------------------------------------------------------------------------
// Volumes
// -----------------------------------------------------------------------------------------------------------

/// Numbers the components in the order of their first triangles, the roots of the forest.
static void number_components(Orienting* self)
{
    uint32_t* forest = self->classifier->half_edges.components;
    for (uint32_t t = 0; t < abut_sign_classifier_mesh(self->classifier)->triangle_count; ++t)
    {
        uint32_t root = abut_union_find_root(forest, t);
        self->component_of[t] = root == t ? self->component_count++ : self->component_of[root];
    }
}

static void add_triangle(const Orienting* self, uint32_t triangle, Component* component)
{
    AbutDVec3 p[3];
    abut_mesh_corners(abut_sign_classifier_mesh(self->classifier), triangle, p);
    AbutDVec3 n = abut_corners_normal(p), middle = abut_dvec3_sub(abut_corners_middle(p), self->origin);
    double area = 0.5 * abut_dvec3_length(n);
    component->center = abut_dvec3_mul_add(component->center, area, middle);
    component->normal = abut_dvec3_mul_add(component->normal, 0.5, n);
    component->area += area;
    component->volume += abut_dvec3_dot(middle, n) / 6.0;
}

/// Moves the point of reference of the volume to the centre of area.
static void center_volume(Component* component)
{
    if (component->area > 0.0)
    {
        component->volume -= abut_dvec3_dot(component->center, component->normal) / (3.0 * component->area);
    }
}

static double natural_volume(const Component* component)
{
    return component->area * sqrt(component->area);
}

static void measure_components(Orienting* self, const AbutBorder* border)
{
    uint32_t triangle_count = abut_sign_classifier_mesh(self->classifier)->triangle_count;
    for (uint32_t t = triangle_count; t-- > 0;)
    {
        self->components[self->component_of[t]].triangle = t;
    }
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        add_triangle(self, t, &self->components[self->component_of[t]]);
    }
    for (uint32_t i = 0; i < border->edge_count; ++i)
    {
        self->components[self->component_of[border->edges[i].triangle]].open = true;
    }
    for (uint32_t i = 0; i < self->component_count; ++i)
    {
        Component* component = &self->components[i];
        center_volume(component);
        component->sheet = component->open
                               ? fabs(component->volume) < SHEET_VOLUME * natural_volume(component)
                               : fabs(component->volume) < VOLUME_NOISE * component->area * self->size;
        bool loose = component->open && component->sheet &&
                     abut_dvec3_length(component->normal) >= SHEET_FACING * component->area;
        self->classifier->surrounds = self->classifier->surrounds || loose;
    }
}

// -----------------------------------------------------------------------------------------------------------
// Decisions
// -----------------------------------------------------------------------------------------------------------

/// The middle of a face lies between its two sides, so the component itself adds ±½ there.
static void orient_component(const Orienting* self, Component* component)
{
    AbutDVec3 corners[3];
    double own = component->volume < 0.0 ? -0.5 : 0.5;
    abut_mesh_corners(abut_sign_classifier_mesh(self->classifier), component->triangle, corners);
    AbutWindingValue value =
        abut_winding_at(&self->classifier->winding, abut_corners_middle(corners), 2.0, component->triangle);
    double around = floor(value.number - own + 0.5);
    component->flip = around < 0.0 || (around == 0.0 && component->volume < 0.0);
}

static void orient_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const Orienting* self = context;
    for (uint64_t i = (uint64_t)block * COMPONENT_BLOCK; i < ((uint64_t)block + 1) * COMPONENT_BLOCK; ++i)
    {
        if (i < self->component_count && !self->components[i].sheet)
        {
            orient_component(self, &self->components[i]);
        }
    }
}

static bool any_inward(const Orienting* self)
{
    for (uint32_t i = 0; i < self->component_count; ++i)
    {
        if (!self->components[i].sheet && self->components[i].volume < 0.0)
        {
            return true;
        }
    }
    return false;
}

static void classify_sheets(Orienting* self)
{
    Component all = { 0 };
    for (uint32_t t = 0; t < abut_sign_classifier_mesh(self->classifier)->triangle_count; ++t)
    {
        if (self->components[self->component_of[t]].sheet)
        {
            add_triangle(self, t, &all);
        }
    }
    center_volume(&all);
    for (uint32_t i = 0; all.volume < -SOUP_VOLUME * natural_volume(&all) && i < self->component_count; ++i)
    {
        self->components[i].flip = self->components[i].flip || self->components[i].sheet;
    }
}

static AbutResult flip_triangles(const Orienting* self)
{
    AbutSignClassifier* classifier = self->classifier;
    uint32_t triangle_count = abut_sign_classifier_mesh(classifier)->triangle_count;
    bool any = false;
    for (uint32_t i = 0; i < self->component_count; ++i)
    {
        any = any || self->components[i].flip;
    }
    if (!any)
    {
        return ABUT_OK;
    }
    classifier->flipped = abut_memory_allocate(&classifier->host, triangle_count, sizeof(uint8_t));
    if (classifier->flipped == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (uint32_t t = 0; t < triangle_count; ++t)
    {
        classifier->flipped[t] = self->components[self->component_of[t]].flip;
    }
    classifier->info.inverted = true;
    classifier->winding.flipped = classifier->flipped;
    abut_winding_update(&classifier->host, &classifier->winding);
    return ABUT_OK;
}

static AbutResult orient_components(Orienting* self, const AbutBorder* border)
{
    measure_components(self, border);
    if (any_inward(self))
    {
        abut_parallel_for(&self->classifier->host, abut_block_count(self->component_count, COMPONENT_BLOCK),
                          orient_block, self);
    }
    classify_sheets(self);
    return flip_triangles(self);
}

AbutResult abut_sign_classifier_orient(AbutSignClassifier* classifier, const AbutBorder* border)
{
    const AbutMesh* mesh = abut_sign_classifier_mesh(classifier);
    Orienting self = { .classifier = classifier };
    self.component_of = abut_memory_allocate(&classifier->host, mesh->triangle_count, sizeof(uint32_t));
    if (self.component_of == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    AbutDVec3 low = abut_dvec3_from_vec3(mesh->bounds.min), high = abut_dvec3_from_vec3(mesh->bounds.max);
    AbutDVec3 sides = abut_dvec3_sub(high, low);
    self.origin = abut_box_dcenter(mesh->bounds);
    self.size = abut_larger(abut_larger(abut_larger(0.0, sides.x), sides.y), sides.z);
    number_components(&self);
    self.components = abut_memory_allocate_zero(&classifier->host, self.component_count, sizeof(Component));
    AbutResult result = self.components != NULL ? orient_components(&self, border) : ABUT_OUT_OF_MEMORY;
    abut_memory_free(&classifier->host, self.components, self.component_count, sizeof(Component));
    abut_memory_free(&classifier->host, self.component_of, mesh->triangle_count, sizeof(uint32_t));
    return result;
}
