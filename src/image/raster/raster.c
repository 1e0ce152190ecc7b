// Large triangles, row by row. The slack of every step is counted in docs/image_space.md.
#include "image/raster/raster.h"

#include "math/dvec3.h"
#include "math/rounding.h"

/// Rounding of the map of view.h, in pixels: positions are below 2¹¹ and rounded twice in float.
#define PIXEL_SLACK 0x1p-10

/// Rounding of a point between two others, computed in double, relative to the largest coordinate.
#define CLIP_SLACK 0x1p-48

/// A plane is used when the triangle covers this fraction of its box in the image; its depths are then within
/// PLANE_SLACK of the interval of depth that they span.
#define PLANE_AREA 0x1p-10
#define PLANE_SLACK 0x1p-20

static double component(AbutVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double extent(const double x[3])
{
    double low = abut_smaller(abut_smaller(x[0], x[1]), x[2]);
    return abut_larger(abut_larger(x[0], x[1]), x[2]) - low;
}

static double magnitude(const double x[3])
{
    return abut_larger(abut_larger(fabs(x[0]), fabs(x[1])), fabs(x[2]));
}

static double pixel_size(AbutPixelMap map)
{
    return 1.0 / (double)map.scale;
}

static void find_plane(const AbutImageView* view, AbutRasterTriangle* t)
{
    const double *x = t->corners[0], *y = t->corners[1], *z = t->corners[2];
    double bx = x[1] - x[0], by = y[1] - y[0], bz = z[1] - z[0];
    double cx = x[2] - x[0], cy = y[2] - y[0], cz = z[2] - z[0];
    double area = bx * cy - by * cx;
    t->has_plane = fabs(area) > PLANE_AREA * (extent(x) * extent(y));
    if (t->has_plane)
    {
        t->slope[0] = (bz * cy - by * cz) / area;
        t->slope[1] = (bx * cz - bz * cx) / area;
        double across =
            fabs(t->slope[0]) * pixel_size(view->maps[0]) + fabs(t->slope[1]) * pixel_size(view->maps[1]);
        t->slope_slack = PLANE_SLACK * (extent(z) + across) + t->slack[2];
        t->has_plane = isfinite(t->slope_slack);
    }
}

AbutRasterTriangle abut_raster_triangle(const AbutImageView* view, const AbutVec3 corners[3])
{
    AbutRasterTriangle t = { .has_plane = false };
    for (int k = 0; k < 3; ++k)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            t.corners[k][corner] = component(corners[corner], view->axes[k]);
        }
        t.slack[k] = CLIP_SLACK * magnitude(t.corners[k]) + view->margin;
    }
    find_plane(view, &t);
    return t;
}

/// Least and largest column and depth of points of the triangle.
typedef struct Ends
{
    double low[2], high[2];
} Ends;

static void add_point(Ends* ends, double column, double depth)
{
    ends->low[0] = abut_smaller(ends->low[0], column);
    ends->high[0] = abut_larger(ends->high[0], column);
    ends->low[1] = abut_smaller(ends->low[1], depth);
    ends->high[1] = abut_larger(ends->high[1], depth);
}

/// The point of an edge at a row coordinate strictly between those of its ends.
static void add_crossing(Ends* ends, const AbutRasterTriangle* t, int i, int j, double at)
{
    const double *x = t->corners[0], *y = t->corners[1], *z = t->corners[2];
    if ((y[i] < at) != (y[j] < at))
    {
        double f = (at - y[i]) / (y[j] - y[i]);
        add_point(ends, x[i] + f * (x[j] - x[i]), z[i] + f * (z[j] - z[i]));
    }
}

/// The part of the triangle between two row coordinates: its corners there, and its edges' crossings.
static Ends clip(const AbutRasterTriangle* t, double low, double high)
{
    Ends ends = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
    for (int i = 0; i < 3; ++i)
    {
        if (t->corners[1][i] >= low && t->corners[1][i] <= high)
        {
            add_point(&ends, t->corners[0][i], t->corners[2][i]);
        }
        add_crossing(&ends, t, i, (i + 1) % 3, low);
        add_crossing(&ends, t, i, (i + 1) % 3, high);
    }
    return ends;
}

/// The coordinate where pixel `i` begins, without rounding of the map.
static double pixel_edge(AbutPixelMap map, double i)
{
    return map.low + i * pixel_size(map);
}

/// The depth of the plane above column 0 and the strip from `low` to `high`, and its step to the next column.
static void set_plane(const AbutImageView* view, const AbutRasterTriangle* t, double low, double high,
                      AbutRasterSpan* span)
{
    double width = pixel_size(view->maps[0]);
    double left = pixel_edge(view->maps[0], -PIXEL_SLACK) - t->slack[0];
    double right = pixel_edge(view->maps[0], 1.0 + PIXEL_SLACK) + t->slack[0];
    double across[2] = { t->slope[0] * (left - t->corners[0][0]), t->slope[0] * (right - t->corners[0][0]) };
    double along[2] = { t->slope[1] * (low - t->corners[1][0]), t->slope[1] * (high - t->corners[1][0]) };
    span->base_near = t->corners[2][0] + abut_smaller(across[0], across[1]) +
                      abut_smaller(along[0], along[1]) - t->slope_slack;
    span->base_far = t->corners[2][0] + abut_larger(across[0], across[1]) + abut_larger(along[0], along[1]) +
                     t->slope_slack;
    span->step = t->slope[0] * width;
    // Far from the triangle the terms are large against their sum.
    double terms = fabs(across[0]) + fabs(across[1]) + fabs(along[0]) + fabs(along[1]) +
                   (double)view->resolution * fabs(span->step);
    span->base_near -= CLIP_SLACK * terms;
    span->base_far += CLIP_SLACK * terms;
}

AbutRasterSpan abut_raster_span(const AbutImageView* view, const AbutRasterTriangle* t, uint32_t row)
{
    bool is_border = row == 0 || row + 1 == view->resolution; // these go on to infinity
    double low = row == 0 ? -INFINITY : pixel_edge(view->maps[1], row - PIXEL_SLACK) - t->slack[1];
    double high = row + 1 == view->resolution
                      ? INFINITY
                      : pixel_edge(view->maps[1], row + 1.0 + PIXEL_SLACK) + t->slack[1];
    AbutRasterSpan span = { .first = 1, .last = 0 };
    Ends ends = clip(t, low, high);
    if (!(ends.low[0] <= ends.high[0]))
    {
        return span;
    }
    span.first = abut_pixel_of(view->maps[0], abut_round_down(ends.low[0] - t->slack[0]));
    span.last = abut_pixel_of(view->maps[0], abut_round_up(ends.high[0] + t->slack[0]));
    span.nearest = ends.low[1] - t->slack[2];
    span.farthest = ends.high[1] + t->slack[2];
    span.has_plane = t->has_plane && !is_border;
    if (span.has_plane)
    {
        set_plane(view, t, low, high, &span);
    }
    return span;
}

void abut_raster_depth(const AbutImageView* view, const AbutRasterSpan* span, uint32_t column, float* nearest,
                       float* farthest)
{
    double low = span->nearest, high = span->farthest;
    if (span->has_plane && column > 0 && column + 1 < view->resolution)
    {
        low = abut_larger(low, span->base_near + column * span->step);
        high = abut_smaller(high, span->base_far + column * span->step);
    }
    *nearest = abut_round_down(low);
    *farthest = abut_round_up(high);
}

bool abut_raster_visit_large(const AbutImageView* view, const AbutPixelBox* box, const AbutVec3 corners[3],
                             uint32_t first_row, uint32_t last_row, AbutPixelFn* visit, void* context)
{
    AbutRasterTriangle t = abut_raster_triangle(view, corners);
    uint32_t first = box->first[1] > first_row ? box->first[1] : first_row;
    uint32_t last = box->last[1] < last_row ? box->last[1] : last_row;
    for (uint32_t row = first; row <= last; ++row)
    {
        AbutRasterSpan span = abut_raster_span(view, &t, row);
        uint32_t end = span.last < box->last[0] ? span.last : box->last[0];
        for (uint32_t column = span.first > box->first[0] ? span.first : box->first[0]; column <= end;
             ++column)
        {
            float nearest, farthest;
            abut_raster_depth(view, &span, column, &nearest, &farthest);
            uint64_t slabs = !view->has_slabs ? UINT64_MAX
                                              : abut_slab_mask(abut_pixel_of(view->maps[2], nearest),
                                                               abut_pixel_of(view->maps[2], farthest));
            if (nearest <= farthest &&
                visit(context, row * view->resolution + column, nearest, farthest, slabs))
            {
                return true;
            }
        }
    }
    return false;
}
