// Point hull files of any bytes, and hulls that somebody changed: whatever is accepted is used within its own
// bytes.
//
// The first byte picks: even, the rest is a file; odd, the rest is changes to a good hull, six bytes each (a
// position and a number), with a checksum that fits.
#include <abut/abut.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum
{
    CHANGE = 6,
    HEADER = 136, // bytes of the header, with the checksum at CHECKSUM
    CHECKSUM = 24,
    CONTACTS = 32
};

static AbutShape* make_ring(void)
{
    AbutShape* ring = NULL;
    if (abut_shape_create_torus(0.4f, 0.15f, NULL, &ring) != ABUT_OK)
    {
        abort();
    }
    return ring;
}

/// With every combination of its tests.
static void collide(const AbutShape* ring, const AbutShape* other)
{
    AbutContact contacts[CONTACTS];
    for (int i = 0; i < 4; ++i)
    {
        AbutCollideInput input = abut_collide_input(ring, other);
        input.pose_b = abut_pose_at(0.3, 0.1, 0.2);
        input.settings.method = ABUT_COLLIDE_HULL;
        input.settings.budget = 256;
        input.settings.hull.corners = i % 2 == 0;
        input.settings.hull.tree = i / 2 == 0;
        AbutCollideOutput output = abut_collide(&input, contacts, CONTACTS);
        if (output.contact_count > CONTACTS)
        {
            abort();
        }
    }
}

static void use(const void* bytes, size_t size)
{
    AbutPointHull* hull = NULL;
    if (abut_point_hull_create_from_block(bytes, size, "input", NULL, &hull) != ABUT_OK)
    {
        return;
    }
    AbutPointHullInfo info = abut_point_hull_info(hull);
    AbutPointHullData balls = abut_point_hull_data(hull);
    for (uint32_t i = 0; i < balls.count; ++i)
    {
        if (!(balls.radii[i] <= info.max_radius))
        {
            abort();
        }
    }
    AbutShape *ring = make_ring(), *other = make_ring();
    if (abut_point_hull_attach(hull, ring) == ABUT_OK)
    {
        collide(ring, other);
    }
    abut_shape_destroy(other);
    abut_shape_destroy(ring);
    abut_point_hull_destroy(hull);
}

static const void* good_block(size_t* size)
{
    static AbutPointHull* hull;
    if (hull == NULL)
    {
        AbutPointHullDef def = abut_point_hull_def();
        AbutShape* ring = make_ring();
        def.error = 0.01f;
        if (abut_point_hull_create(&def, ring, &hull) != ABUT_OK)
        {
            abort();
        }
        abut_shape_destroy(ring);
    }
    return abut_point_hull_block(hull, size);
}

static void change(const uint8_t* data, size_t size)
{
    size_t block_size;
    const void* block = good_block(&block_size);
    char* changed = malloc(block_size);
    if (changed == NULL)
    {
        return;
    }
    memcpy(changed, block, block_size);
    for (size_t i = 0; i + CHANGE <= size; i += CHANGE)
    {
        size_t offset = (size_t)(data[i] | data[i + 1] << 8) % (block_size - 4);
        memcpy(changed + offset, data + i + 2, 4);
    }
    uint64_t checksum = 0;
    memcpy(changed + CHECKSUM, &checksum, sizeof(checksum));
    checksum = abut_hash(changed + HEADER, block_size - HEADER, abut_hash(changed, HEADER, 0));
    memcpy(changed + CHECKSUM, &checksum, sizeof(checksum));
    use(changed, block_size);
    free(changed);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size > 0 && data[0] % 2 == 0)
    {
        use(data + 1, size - 1);
    }
    else if (size > 0)
    {
        change(data + 1, size - 1);
    }
    return 0;
}
