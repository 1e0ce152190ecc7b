// The octree of a field: every number is a distance that is proved. The truth is the exact shape, or winding
// numbers summed over all triangles.
#include "support/support.h"

#include "field/field.h"

#include <abut/bake.h>
#include <math.h>

/// A box of the octree: middle in the field's frame, and its number.
typedef void VisitFn(void* context, const double middle[3], double cells, int number);

static void visit_children(const AbutFieldHeader* h, const int16_t* numbers, const uint32_t parent[3],
                           double cells, VisitFn* visit, void* context)
{
    for (uint32_t i = 0; i < 8; ++i)
    {
        double middle[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            middle[axis] =
                h->origin[axis] + h->cell_size * cells * (2.0 * parent[axis] + (i >> axis & 1u) + 0.5);
        }
        visit(context, middle, cells, numbers[i]);
    }
}

static void visit_leaf(const AbutFieldHeader* h, const int16_t* leaf, const uint32_t brick[3], VisitFn* visit,
                       void* context)
{
    visit_children(h, leaf, brick, 4.0, visit, context);
    for (uint32_t i = 0; i < 8; ++i)
    {
        const uint32_t child[3] = { 2 * brick[0] + (i & 1u), 2 * brick[1] + (i >> 1 & 1u),
                                    2 * brick[2] + (i >> 2) };
        visit_children(h, leaf + 8 + 8 * (size_t)i, child, 2.0, visit, context);
    }
}

/// All boxes, read as docs/field_format.md says.
static void visit_all(const AbutShape* field, VisitFn* visit, void* context)
{
    size_t size;
    const char* block = abut_field_data(field, &size);
    const AbutFieldHeader* h = (const AbutFieldHeader*)(const void*)block;
    const int16_t* next =
        (const int16_t*)(const void*)(block + h->sections[ABUT_FIELD_DISTANCE_OCTREE].offset);
    const uint32_t* slots = (const uint32_t*)(const void*)(block + h->sections[ABUT_FIELD_SLOTS].offset);
    uint32_t total = h->brick_count[0] * h->brick_count[1] * h->brick_count[2];
    for (uint32_t i = 0; i < total; ++i)
    {
        const uint32_t brick_index[3] = { i % h->brick_count[0], i / h->brick_count[0] % h->brick_count[1],
                                          i / h->brick_count[0] / h->brick_count[1] };
        uint32_t leaf = h->sparse != 0 ? slots[i] : i;
        if (leaf != UINT32_MAX)
        {
            visit_leaf(h, next + (size_t)leaf * 72, brick_index, visit, context);
        }
    }
    next += (size_t)(h->sparse != 0 ? h->stored_brick_count : total) * 72;
    uint32_t count[3] = { h->brick_count[0], h->brick_count[1], h->brick_count[2] };
    for (double cells = 8.0; cells == 8.0 || count[0] * count[1] * count[2] > 1; cells *= 2.0)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            count[axis] = (count[axis] + 1) / 2;
        }
        for (uint32_t i = 0; i < count[0] * count[1] * count[2]; ++i, next += 8)
        {
            const uint32_t brick_index[3] = { i % count[0], i / count[0] % count[1],
                                              i / count[0] / count[1] };
            visit_children(h, next, brick_index, cells, visit, context);
        }
    }
    assert_ptr_equal(next, block + h->sections[ABUT_FIELD_DISTANCE_OCTREE].offset +
                               h->sections[ABUT_FIELD_DISTANCE_OCTREE].size);
}

// -----------------------------------------------------------------------------------------------------------
// Shapes
// -----------------------------------------------------------------------------------------------------------

typedef struct ShapeCheck
{
    const AbutShape* truth;
    const AbutFieldHeader* header;
    size_t count, known, sharp;
} ShapeCheck;

static void check_shape(void* context, const double middle[3], double cells, int number)
{
    ShapeCheck* self = context;
    const AbutFieldHeader* h = self->header;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (middle[axis] - 0.5 * cells * h->cell_size >=
            h->origin[axis] + h->cell_size * 8.0 * h->brick_count[axis] - 1e-9)
        {
            assert_int_equal(number, 32767);
            return; // beyond the grid
        }
    }
    AbutVec3 at = abut_vec3((float)middle[0], (float)middle[1], (float)middle[2]);
    double truth = (double)abut_shape_distance(self->truth, at, NULL),
           unit = (double)h->octree_step * h->cell_size;
    self->count += 1;
    self->known += number != 0;
    self->sharp += fabs(truth) - fabs(number * unit) < 1.5 * unit + 2e-3 * fabs(truth) + 1e-5;
    if (number != 0 && ((number > 0) != (truth > 0.0) || fabs(number * unit) > fabs(truth) + 1e-6))
    {
        fail_msg("number %d stands for %g and the distance is %g (box of %g cells)", number, number * unit,
                 truth, cells);
    }
}

static AbutShape* make_shape(int kind)
{
    AbutShape* shape = NULL;
    switch (kind)
    {
    case 0:
        test_assert_result(abut_shape_create_sphere(0.5f, NULL, &shape), ABUT_OK);
        break;
    case 1:
        test_assert_result(abut_shape_create_torus(0.4f, 0.15f, NULL, &shape), ABUT_OK);
        break;
    default:
        test_assert_result(abut_shape_create_box(abut_vec3(1.0f, 0.3f, 0.02f), NULL, &shape), ABUT_OK);
        break;
    }
    return shape;
}

static void test_numbers_are_distances_that_are_proved(void** state)
{
    (void)state;
    for (int i = 0; i < 3 * 3 * 2 * 2; ++i)
    {
        AbutShape *shape = make_shape(i % 3), *field = NULL;
        AbutBakeDef def = abut_bake_def();
        def.format = (AbutFieldFormat)(i / 3 % 3);
        def.sparse = i / 9 % 2 == 1;
        def.resolution = i / 18 == 0 ? 72 : 16;
        test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
        ShapeCheck check = { .truth = shape, .header = abut_field_of(field)->block };
        visit_all(field, check_shape, &check);
        assert_true(check.known * 100 > check.count * 95);
        assert_true(check.sharp * 100 > check.count * 98); // and not smaller than they have to be
        AbutFieldInfo info = abut_field_info(field);
        assert_true(info.octree_bytes * 4 <= info.bytes);
        abut_shape_destroy(field);
        abut_shape_destroy(shape);
    }
}

static void test_fields_may_do_without(void** state)
{
    (void)state;
    AbutShape *shape = make_shape(1), *field = NULL;
    AbutBakeDef def = abut_bake_def();
    def.without_octree = true;
    test_assert_result(abut_bake_shape(&def, shape, &field), ABUT_OK);
    assert_int_equal(abut_field_info(field).octree_bytes, 0);
    assert_null(abut_field_of(field)->octree.leaves);
    abut_shape_destroy(field);
    abut_shape_destroy(shape);
}

// -----------------------------------------------------------------------------------------------------------
// An open mesh
// -----------------------------------------------------------------------------------------------------------

/// A cube without its upper face, each of the others in 2 · 4² triangles.
enum
{
    GRID = 4,
    FACES = 5
};

typedef struct OpenCube
{
    AbutVec3 vertices[FACES * (GRID + 1) * (GRID + 1)];
    uint32_t indices[FACES * GRID * GRID * 6];
} OpenCube;

static void make_open_cube(OpenCube* cube)
{
    // Each face: a corner and two sides whose product looks outward.
    static const float faces[FACES][9] = {
        { 0, 0, 0, 0, 0, 1, 0, 1, 0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0, 0, 0, 1, 0, 0, 0, 0, 1 },
        { 0, 0, 0, 0, 1, 0, 1, 0, 0 }, { 0, 0, 1, 1, 0, 0, 0, 1, 0 },
    };
    uint32_t vertex = 0, index = 0;
    for (int f = 0; f < FACES; ++f)
    {
        uint32_t first = vertex;
        for (int i = 0; i < (GRID + 1) * (GRID + 1); ++i)
        {
            float u = (float)(i % (GRID + 1)) / GRID, v = (float)(i / (GRID + 1)) / GRID;
            const float* p = faces[f];
            cube->vertices[vertex++] =
                abut_vec3(p[0] + u * p[3] + v * p[6], p[1] + u * p[4] + v * p[7], p[2] + u * p[5] + v * p[8]);
        }
        for (uint32_t i = 0; i < GRID * GRID; ++i)
        {
            uint32_t at = first + i / GRID * (GRID + 1) + i % GRID;
            const uint32_t quad[6] = { at, at + 1, at + GRID + 2, at, at + GRID + 2, at + GRID + 1 };
            for (int k = 0; k < 6; ++k)
            {
                cube->indices[index++] = quad[k];
            }
        }
    }
}

/// Sum of signed solid angles (van Oosterom and Strackee) over 4π.
static double winding_number(const OpenCube* cube, const double p[3])
{
    double sum = 0.0;
    for (size_t t = 0; t < FACES * GRID * GRID * 2; ++t)
    {
        double v[3][3], length[3];
        for (int k = 0; k < 3; ++k)
        {
            AbutVec3 c = cube->vertices[cube->indices[3 * t + (size_t)k]];
            const double displacement[3] = { (double)c.x - p[0], (double)c.y - p[1], (double)c.z - p[2] };
            for (int axis = 0; axis < 3; ++axis)
            {
                v[k][axis] = displacement[axis];
            }
            length[k] = sqrt(displacement[0] * displacement[0] + displacement[1] * displacement[1] +
                             displacement[2] * displacement[2]);
        }
#define DOT(i, j) (v[i][0] * v[j][0] + v[i][1] * v[j][1] + v[i][2] * v[j][2])
        double triple = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                        v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                        v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        double below = length[0] * length[1] * length[2] + DOT(0, 1) * length[2] + DOT(1, 2) * length[0] +
                       DOT(2, 0) * length[1];
#undef DOT
        sum += 2.0 * atan2(triple, below);
    }
    return sum / (4.0 * 3.14159265358979323846);
}

typedef struct OpenCheck
{
    const OpenCube* cube;
    const AbutFieldHeader* header;
    TestRandom random;
    size_t checked;
} OpenCheck;

/// No point within a positive number of the middle is inside, also not through the hole.
static void check_ball(void* context, const double middle[3], double cells, int number)
{
    OpenCheck* self = context;
    double radius = number * (double)self->header->octree_step * self->header->cell_size;
    if (number == 0 || number == 32767 || (cells < 8.0 && test_random_bits(&self->random) % 8 != 0))
    {
        return;
    }
    for (int i = 0; i < 4; ++i)
    {
        AbutVec3 displacement = test_random_direction(&self->random);
        double length = number > 0 ? radius * (i == 0 ? 1.0 : cbrt(test_random_unit(&self->random))) : 0.0;
        const double p[3] = { middle[0] + length * (double)displacement.x,
                              middle[1] + length * (double)displacement.y,
                              middle[2] + length * (double)displacement.z };
        double winding = winding_number(self->cube, p);
        if (number > 0 ? winding > 0.5 : winding < 0.5)
        {
            fail_msg("number %d, but %g %g %g has winding number %g", number, p[0], p[1], p[2], winding);
        }
        self->checked += 1;
    }
}

static void test_numbers_stop_where_the_sign_of_an_open_mesh_is_in_doubt(void** state)
{
    (void)state;
    static OpenCube cube;
    make_open_cube(&cube);
    AbutMeshDef mesh_def = abut_mesh_def();
    mesh_def.vertices = cube.vertices;
    mesh_def.vertex_count = FACES * (GRID + 1) * (GRID + 1);
    mesh_def.indices = cube.indices;
    mesh_def.triangle_count = FACES * GRID * GRID * 2;
    AbutMesh *soup = NULL, *mesh = NULL;
    test_assert_result(abut_mesh_create(&mesh_def, &soup), ABUT_OK);
    test_assert_result(abut_mesh_weld(soup, 0.0f, NULL, &mesh), ABUT_OK);
    for (int sparse = 0; sparse < 2; ++sparse)
    {
        AbutBakeDef def = abut_bake_def();
        def.sparse = sparse == 1;
        AbutShape* field = NULL;
        test_assert_result(abut_bake_mesh(&def, mesh, &field), ABUT_OK);
        OpenCheck check = { .cube = &cube, .header = abut_field_of(field)->block, .random = { 5 } };
        visit_all(field, check_ball, &check);
        assert_true(check.checked > 1000);
        abut_shape_destroy(field);
    }
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(soup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_distances_that_are_proved),
        cmocka_unit_test(test_fields_may_do_without),
        cmocka_unit_test(test_numbers_stop_where_the_sign_of_an_open_mesh_is_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
