// Parity of points, by the lists of pixels.
#include "image/parity.h"

#include "image/pixel_lists.h"
#include "mesh/triangle/dorient.h"

static AbutBox point_box(const AbutImageSet* set, AbutDVec3 point)
{
    AbutVec3 p = abut_dvec3_to_vec3(point);
    return abut_box_expand(abut_box(p, p), set->margin);
}

/// Faces in front of an interval of depth that cover the centre of a pixel; unknown when a face is at the
/// interval.
static AbutParity pixel_parity(const AbutImageSet* set, uint32_t pixel, float nearest, float farthest)
{
    const uint32_t* offsets = set->offsets.items;
    const AbutPixelEntry* entries = set->entries.items;
    bool is_odd = false;
    for (uint32_t i = offsets[pixel]; i < offsets[pixel + 1]; ++i)
    {
        if (entries[i].nearest <= farthest && nearest <= entries[i].farthest)
        {
            return ABUT_PARITY_UNKNOWN;
        }
        is_odd ^= entries[i].farthest < nearest && (entries[i].record & ABUT_ENTRY_COVERS) != 0;
    }
    return is_odd ? ABUT_PARITY_INSIDE : ABUT_PARITY_OUTSIDE;
}

AbutParity abut_parity_at(const AbutImageSet* set, const AbutImageView* view, const AbutBox* bounds,
                          AbutDVec3 point)
{
    AbutBox box = point_box(set, point);
    if (!abut_box_overlap(box, *bounds))
    {
        return ABUT_PARITY_OUTSIDE;
    }
    AbutPixelBox pixels = abut_pixel_box(view, &box);
    AbutParity parity = ABUT_PARITY_UNKNOWN;
    for (uint32_t row = pixels.first[1]; row <= pixels.last[1]; ++row)
    {
        for (uint32_t column = pixels.first[0]; column <= pixels.last[0]; ++column)
        {
            uint32_t pixel = row * view->resolution + column;
            parity = abut_image_pixel_has_center(view, pixel)
                         ? pixel_parity(set, pixel, pixels.nearest, pixels.farthest)
                         : ABUT_PARITY_UNKNOWN;
            if (parity == ABUT_PARITY_UNKNOWN)
            {
                return parity;
            }
        }
    }
    return parity;
}

bool abut_parity_is_inside(AbutImageSet* set, const AbutImageView* view, const AbutBox* bounds,
                           AbutDVec3 point, uint32_t stamp)
{
    const uint32_t* offsets = set->offsets.items;
    const AbutPixelEntry* entries = set->entries.items;
    uint32_t* stamps = set->stamps.items;
    int axis = view->axes[2];
    AbutBox box = point_box(set, point);
    AbutPixelBox pixels = abut_pixel_box(view, &box);
    bool is_odd = false;
    if (!abut_box_overlap(box, *bounds))
    {
        return false;
    }
    for (uint32_t row = pixels.first[1]; row <= pixels.last[1]; ++row)
    {
        uint32_t first = row * view->resolution;
        for (uint32_t i = offsets[first + pixels.first[0]]; i < offsets[first + pixels.last[0] + 1]; ++i)
        {
            uint32_t record = entries[i].record & ~ABUT_ENTRY_COVERS;
            if (stamps[record] == stamp)
            {
                continue;
            }
            stamps[record] = stamp;
            const AbutDTriangle t = ((const AbutDTriangle*)set->triangles.items)[record];
            const AbutDVec3* p = t.corners;
            is_odd ^= abut_image_covers(&t, point, axis) &&
                      abut_dorient_3d(p[0], p[1], p[2], point) * abut_dorient_2d(p[0], p[1], p[2], axis) > 0;
        }
    }
    return is_odd;
}
