// Prints a hash of the bytes and of the answers of baked fields in every format: equal text means equal bits,
// whatever the processor and the instruction set.
#include "support/digest.h"

#include <abut/abut.h>
#include <abut/models.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    SIDE = 47, // points per axis; not a multiple of any lane count
    POINT_COUNT = SIDE * SIDE * SIDE
};

static float coordinates[3][POINT_COUNT];
static float samples[4][POINT_COUNT];

/// A cube about the field, from far outside of it to its middle.
static void make_points(void)
{
    for (int i = 0; i < POINT_COUNT; ++i)
    {
        coordinates[0][i] = (float)(i % SIDE) * 0.0625f - 1.4375f;
        coordinates[1][i] = (float)(i / SIDE % SIDE) * 0.0625f - 1.4375f;
        coordinates[2][i] = (float)(i / SIDE / SIDE) * 0.0625f - 1.4375f;
    }
}

static void print_field(const char* name, AbutShape* field)
{
    const AbutPoints points = { coordinates[0], coordinates[1], coordinates[2] };
    const AbutSamples out = { samples[0], samples[1], samples[2], samples[3] };
    abut_shape_sample(field, NULL, points, POINT_COUNT, out);
    size_t size = 0;
    const void* data = abut_field_data(field, &size);
    const AbutFieldInfo info = abut_field_info(field);
    printf("%-7s %-11s %-6s %016" PRIx64 " %016" PRIx64 " %a %a\n", name, abut_field_format_name(info.format),
           info.sparse ? "sparse" : "dense", abut_hash(data, size, 0), abut_hash(samples, sizeof(samples), 0),
           (double)info.error_bound, info.mass.volume);
}

int main(void)
{
    fprintf(stderr, "digest_fields: %s\n", abut_simd_name());
    make_points();
    AbutGearMeshDef gear_def = abut_gear_mesh_def();
    gear_def.teeth = 12;
    gear_def.module = 0.125f;
    AbutMesh* gear = NULL;
    AbutShape* torus = NULL;
    digest_check(abut_mesh_create_gear(&gear_def, &gear), "gear");
    digest_check(abut_shape_create_torus(0.75f, 0.25f, NULL, &torus), "torus");
    for (int i = 0; i < 2 * ABUT_FIELD_FORMAT_COUNT; ++i)
    {
        AbutBakeDef def = abut_bake_def();
        def.resolution = 32;
        def.format = (AbutFieldFormat)(i / 2);
        def.sparse = i % 2 == 1;
        AbutShape* field = NULL;
        digest_check(abut_bake_mesh(&def, gear, &field), "gear");
        print_field("gear", field);
        abut_shape_destroy(field);
        digest_check(abut_bake_shape(&def, torus, &field), "torus");
        print_field("torus", field);
        abut_shape_destroy(field);
    }
    abut_shape_destroy(torus);
    abut_mesh_destroy(gear);
    return EXIT_SUCCESS;
}
