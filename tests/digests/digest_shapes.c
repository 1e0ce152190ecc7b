// Prints a hash of distances and gradients per shape over fixed points: equal text means equal bits, whatever
// the processor and the instruction set. See tests/CMakeLists.txt for who compares it.
#include "support/digest.h"

#include "field/nodes/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    HALF_COUNT = 1 << 16
};

static void print_line(const char* name, uint64_t hash)
{
    printf("%-24s %016" PRIx64 "\n", name, hash);
}

static void print_halves(void)
{
    static uint16_t halves[HALF_COUNT];
    static float floats[HALF_COUNT];
    for (int i = 0; i < HALF_COUNT; ++i)
    {
        halves[i] = (uint16_t)i;
    }
    abut_node_kernels()->half_to_float(halves, HALF_COUNT, floats);
    print_line("half to float", digest_hash(floats, HALF_COUNT, 0));
    abut_node_kernels()->float_to_half(digest_points().x, DIGEST_POINTS, halves);
    print_line("float to half", abut_hash(halves, DIGEST_POINTS * sizeof(halves[0]), 0));
}

int main(void)
{
    fprintf(stderr, "digest_shapes: %s\n", abut_simd_name());
    DigestShape shapes[DIGEST_MOST_SHAPES];
    size_t count = digest_create_shapes(shapes);
    for (size_t i = 0; i < count; ++i)
    {
        print_line(shapes[i].name, digest_of_shape(&shapes[i], NULL));
    }
    digest_destroy_shapes(shapes, count);
    print_halves();
    return EXIT_SUCCESS;
}
