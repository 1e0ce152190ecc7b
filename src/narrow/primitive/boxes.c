// Boxes with each other and with segments: separating axes, then the face of one clipped by the face of the
// other, or the closest points of two edges.
#include "narrow/primitive/manifold.h"

#include "base/assert.h"
#include "narrow/primitive/clip.h"

#include <math.h>

/// Distance, as a fraction of the smaller core, within which the closest points found by an axis are the
/// closest of all.
static const double SAME_DISTANCE = 1e-9;

/// Both cores in the axes of A.
typedef struct BoxPair
{
    const AbutCore *a, *b;
    double r[3][3];      // axis i of A · axis j of B
    double size_r[3][3]; // |r|
    double t[3];         // centre of B from that of A, along the axes of A
    double s[3];         // the same along the axes of B
    double half_a[3], half_b[3];
    double size;     // of the smaller core
    double rounding; // of all sums below
    double low;      // largest proved gap
    double face_gap; // largest gap along an axis of faces
    // Axes of edges i, j: their cross products, of lengths between 0 and 1.
    double gap[9];     // along the cross product, times its length; 3·i + j
    double squared[9]; // length of the cross product; 0: no axis
    double parallel;   // squared sine of edges that are no axis, the largest
    double slanted;    // squared sine of edges that are an axis, the least
} BoxPair;

static void read_vec(AbutDVec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static double largest_half(const AbutCore* core)
{
    return abut_larger(core->half.x, abut_larger(core->half.y, core->half.z));
}

static void make_pair(const AbutCorePair* pair, BoxPair* self)
{
    self->a = &pair->a;
    self->b = &pair->b;
    self->rounding = pair->rounding;
    AbutDVec3 between = abut_dvec3_sub(pair->b.center, pair->a.center);
    read_vec(abut_core_local(self->a, between), self->t);
    read_vec(abut_core_local(self->b, between), self->s);
    read_vec(self->a->half, self->half_a);
    read_vec(self->b->half, self->half_b);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            self->r[i][j] = abut_dvec3_dot(self->a->axes[i], self->b->axes[j]);
            self->size_r[i][j] = fabs(self->r[i][j]);
        }
    }
    self->size = abut_smaller(largest_half(self->a), largest_half(self->b));
}

// -----------------------------------------------------------------------------------------------------------
// Separating axes
// -----------------------------------------------------------------------------------------------------------

/// A segment has no faces, and edges along y alone.
static bool has_faces(const AbutCore* core)
{
    return core->kind == ABUT_CORE_BOX;
}

static void consider(AbutBoxAxis* best, double advantage, AbutBoxAxisKind kind, int i, int j,
                     double separation)
{
    if (best->kind == ABUT_BOX_NO_AXIS || separation > best->separation + advantage)
    {
        *best = (AbutBoxAxis){ kind, i, j, separation };
    }
}

static AbutBoxAxis best_face(BoxPair* self)
{
    AbutBoxAxis best = { .kind = ABUT_BOX_NO_AXIS, .separation = -INFINITY };
    double advantage = ABUT_BOX_FACE_ADVANTAGE * self->size;
    for (int i = 0; i < 3 && has_faces(self->a); ++i)
    {
        const double* row = self->size_r[i];
        double other = row[0] * self->half_b[0] + row[1] * self->half_b[1] + row[2] * self->half_b[2];
        consider(&best, 0.0, ABUT_BOX_FACE_A, i, 0, fabs(self->t[i]) - self->half_a[i] - other);
    }
    self->face_gap = best.separation;
    for (int j = 0; j < 3 && has_faces(self->b); ++j)
    {
        double other = self->size_r[0][j] * self->half_a[0] + self->size_r[1][j] * self->half_a[1] +
                       self->size_r[2][j] * self->half_a[2];
        double separation = fabs(self->s[j]) - self->half_b[j] - other;
        self->face_gap = abut_larger(self->face_gap, separation);
        consider(&best, best.kind == ABUT_BOX_FACE_A ? advantage : 0.0, ABUT_BOX_FACE_B, 0, j, separation);
    }
    self->low = self->face_gap - self->rounding;
    return best;
}

/// The axis of two edges: their cross product. Its coordinates along the axes of A are 0, −r[l][j], r[k][j].
static inline void measure_edges(BoxPair* self, int i, int j)
{
    const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    double(*r)[3] = self->r, (*size)[3] = self->size_r;
    double squared = r[k][j] * r[k][j] + r[l][j] * r[l][j];
    double across = fabs(self->t[l] * r[k][j] - self->t[k] * r[l][j]);
    double width = self->half_a[k] * size[l][j] + self->half_a[l] * size[k][j] +
                   self->half_b[m] * size[i][n] + self->half_b[n] * size[i][m];
    bool is_axis = squared > ABUT_BOX_PARALLEL;
    self->gap[3 * i + j] = across - width;
    self->squared[3 * i + j] = is_axis ? squared : 0.0;
    self->slanted = abut_smaller(self->slanted, is_axis ? squared : 1.0);
    self->parallel = abut_larger(self->parallel, is_axis ? 0.0 : squared);
}

static void measure_all_edges(BoxPair* self)
{
    self->slanted = 1.0;
    self->parallel = -1.0; // none
    if (has_faces(self->a) && has_faces(self->b))
    {
        for (int j = 0; j < 3; ++j)
        {
            measure_edges(self, 0, j);
            measure_edges(self, 1, j);
            measure_edges(self, 2, j);
        }
        return;
    }
    for (int i = 0; i < 9; ++i)
    {
        self->squared[i] = 0.0;
        if ((has_faces(self->a) || i / 3 == 1) && (has_faces(self->b) || i % 3 == 1))
        {
            measure_edges(self, i / 3, i % 3);
        }
    }
}

/// x·|x|, in the order of x.
static double signed_square(double x)
{
    return x * fabs(x);
}

/// Without the root of the length of an axis that is not the best, and of none where boxes overlap along it:
/// a gap times the length is compared with the best times the length by their squares.
static void best_edges(BoxPair* self, AbutBoxAxis* best)
{
    measure_all_edges(self);
    for (int i = 0; i < 9; ++i)
    {
        double gap = self->gap[i], squared = self->squared[i];
        double advantage = best->kind == ABUT_BOX_EDGES ? 0.0 : ABUT_BOX_FACE_ADVANTAGE * self->size;
        double least = signed_square(best->separation + advantage);
        // Less by far more than the rounding of both sides.
        if (!(squared > 0.0) || !(signed_square(gap) > (least - fabs(least) * 1e-12) * squared))
        {
            continue;
        }
        double length = sqrt(squared);
        self->low = abut_larger(self->low, (gap - self->rounding) / (length * (1.0 + 0x1p-40)));
        consider(best, advantage, ABUT_BOX_EDGES, i / 3, i % 3, gap / length);
    }
}

// -----------------------------------------------------------------------------------------------------------
// Points
// -----------------------------------------------------------------------------------------------------------

/// Without a branch, which would be a guess.
static inline double sign_of(double x)
{
    return 1.0 - 2.0 * (double)(x < 0.0);
}

/// Points of the face of `reference` that looks along `normal` and of the core that looks back. Returns the
/// least height.
static double clip_faces(const AbutPrimitiveQuery* query, const AbutCore* reference, int axis,
                         AbutDVec3 normal)
{
    bool is_a = reference == &query->pair->a;
    const AbutCore* incident = is_a ? &query->pair->b : &query->pair->a;
    AbutClipPolygon polygon;
    abut_clip_incident(reference, axis, normal, incident, &polygon);
    double least = INFINITY, radius_a = query->pair->a.radius, radius_b = query->pair->b.radius;
    for (int i = 0; i < polygon.count; ++i)
    {
        const AbutClipVertex* v = &polygon.vertices[i];
        if (v->height - radius_a - radius_b > query->margin)
        {
            least = abut_smaller(least, v->height);
            continue;
        }
        AbutDVec3 at = abut_clip_position(reference, axis, normal, v);
        AbutDVec3 foot = abut_dvec3_mul_sub(at, v->height, normal);
        uint32_t id = (is_a ? 1u : 2u) << 16 | (uint32_t)axis << 12 | polygon.face << 8 | v->id;
        least = abut_smaller(least, v->height);
        if (is_a)
        {
            abut_primitive_add(query, foot, at, abut_dvec3_neg(normal), v->height, id);
        }
        else
        {
            abut_primitive_add(query, at, foot, normal, v->height, id);
        }
    }
    return least;
}

/// The middle of the edge of a core that is furthest along a direction, among those along an axis.
static AbutDVec3 middle_of_edge(const AbutCore* core, int axis, AbutDVec3 direction)
{
    AbutDVec3 d = abut_core_local(core, direction);
    AbutDVec3 local =
        abut_dvec3(sign_of(d.x) * core->half.x, sign_of(d.y) * core->half.y, sign_of(d.z) * core->half.z);
    return abut_core_point(core, abut_dvec3_with(local, axis, 0.0));
}

/// Closest points of two edges. Returns their distance.
static double add_edges(const AbutPrimitiveQuery* query, const AbutBoxAxis* axis, AbutDVec3 from_a)
{
    const AbutCore *a = &query->pair->a, *b = &query->pair->b;
    AbutDVec3 p = middle_of_edge(a, axis->i, from_a), u = a->axes[axis->i];
    AbutDVec3 q = middle_of_edge(b, axis->j, abut_dvec3_neg(from_a)), v = b->axes[axis->j];
    AbutDVec3 between = abut_dvec3_sub(q, p);
    double cosine = abut_dvec3_dot(u, v), sine_squared = 1.0 - cosine * cosine;
    double t_a = abut_dvec3_dot(between, u), t_b = abut_dvec3_dot(between, v);
    double limit_a = abut_dvec3_get(a->half, axis->i), limit_b = abut_dvec3_get(b->half, axis->j);
    double s = (t_a - cosine * t_b) / sine_squared, t = (cosine * t_a - t_b) / sine_squared;
    s = s < -limit_a ? -limit_a : s > limit_a ? limit_a : s;
    t = t < -limit_b ? -limit_b : t > limit_b ? limit_b : t;
    AbutDVec3 at_a = abut_dvec3_mul_add(p, s, u), at_b = abut_dvec3_mul_add(q, t, v);
    double height = abut_dvec3_dot(abut_dvec3_sub(at_b, at_a), from_a);
    double distance = abut_dvec3_distance(at_a, at_b);
    if (height <= 0.0 || distance <= height + SAME_DISTANCE * (limit_a + limit_b))
    {
        uint32_t edges = (uint32_t)(axis->i * 3 + axis->j);
        abut_primitive_add(query, at_a, at_b, abut_dvec3_neg(from_a), height, 3u << 16 | edges);
    }
    return distance;
}

/// The axis, from A to B.
static AbutDVec3 direction_of(const AbutCorePair* pair, const AbutBoxAxes* axes, const AbutBoxAxis* axis)
{
    if (axis->kind == ABUT_BOX_FACE_A)
    {
        return abut_dvec3_scale(pair->a.axes[axis->i], sign_of(axes->toward[axis->i]));
    }
    if (axis->kind == ABUT_BOX_FACE_B)
    {
        return abut_dvec3_scale(pair->b.axes[axis->j], sign_of(axes->toward[3 + axis->j]));
    }
    AbutDVec3 across = abut_dvec3_normalize(abut_dvec3_cross(pair->a.axes[axis->i], pair->b.axes[axis->j]));
    AbutDVec3 between = abut_dvec3_sub(pair->b.center, pair->a.center);
    return abut_dvec3_scale(across, sign_of(abut_dvec3_dot(between, across)));
}

/// Points along the best axis. Returns the least distance of the cores that they show.
static double add_points(const AbutPrimitiveQuery* query, const AbutBoxAxes* axes, const AbutBoxAxis* axis)
{
    AbutDVec3 direction = direction_of(query->pair, axes, axis);
    switch (axis->kind)
    {
    case ABUT_BOX_FACE_A:
        return clip_faces(query, &query->pair->a, axis->i, direction);
    case ABUT_BOX_FACE_B:
        return clip_faces(query, &query->pair->b, axis->j, abut_dvec3_neg(direction));
    default:
        return add_edges(query, axis, direction);
    }
}

/// Cores that are apart, with closest points that the axis did not show: corners and edges beside faces.
/// Returns their distance; `low` becomes the gap along their direction if that is larger.
static double add_closest(const AbutPrimitiveQuery* query, double* low)
{
    AbutDVec3 at_a, at_b;
    abut_primitive_closest(query->pair, &at_a, &at_b);
    AbutDVec3 between = abut_dvec3_sub(at_a, at_b);
    double length = abut_dvec3_length(between), rounding = query->pair->rounding;
    if (!(length > rounding))
    {
        return length;
    }
    AbutDVec3 normal = abut_dvec3_div(between, length);
    *low = abut_larger(*low, abut_primitive_gap_along(query->pair, normal) - rounding);
    abut_primitive_add(query, at_a, at_b, normal, length, 4u << 16);
    return length;
}

// -----------------------------------------------------------------------------------------------------------

/// True when the cores are proved to share a point. The difference of two boxes is a zonotope, whose facets
/// are perpendicular to cross products of pairs of edges: the axes. So boxes that overlap along all axes
/// share a point. Edges that are nearly parallel are no axis: B turned by their angle θ would have them
/// exactly parallel, which moves its points by no more than θ times their distance from its centre, the
/// centres' normals by θ over the least sine of the axes that are left, and overlaps by that times all
/// lengths.
static bool is_overlap_proved(const BoxPair* self)
{
    double least = 0.0; // of overlaps along axes
    if (self->parallel >= 0.0)
    {
        double lengths = abut_dvec3_taxicab(self->a->half) + abut_dvec3_taxicab(self->b->half) +
                         fabs(self->t[0]) + fabs(self->t[1]) + fabs(self->t[2]);
        double sine = sqrt(self->parallel) + 0x1p-46;
        least = 8.0 * sine / sqrt(self->slanted) * lengths;
    }
    bool proved = -self->face_gap - self->rounding > least;
    for (int i = 0; i < 9 && proved; ++i)
    {
        // Lengths of cross products are at most 1.
        double overlap = -self->gap[i] - self->rounding;
        proved = !(self->squared[i] > 0.0) || overlap > least * (1.0 + 0x1p-40);
    }
    return proved;
}

static void sort_points(AbutPrimitiveManifold* out)
{
    for (uint32_t i = 1; i < out->count; ++i)
    {
        if (out->points[i - 1].id <= out->points[i].id)
        {
            continue;
        }
        AbutPrimitivePoint point = out->points[i];
        uint32_t k = i;
        for (; k > 0 && out->points[k - 1].id > point.id; --k)
        {
            out->points[k] = out->points[k - 1];
        }
        out->points[k] = point;
    }
}

void abut_primitive_boxes_along(const AbutPrimitiveQuery* query, const AbutBoxAxes* axes)
{
    AbutPrimitiveManifold* out = query->out;
    const AbutBoxAxis *face = &axes->face, *best = &axes->best;
    double radius = query->pair->a.radius + query->pair->b.radius, rounding = query->pair->rounding;
    out->low = axes->low - radius - rounding;
    if (out->low > query->margin)
    {
        return;
    }
    ABUT_ASSERT(best->kind != ABUT_BOX_NO_AXIS);
    double least = add_points(query, axes, best);
    if (best->kind == ABUT_BOX_EDGES && face->separation >= best->separation - query->margin)
    {
        add_points(query, axes, face); // after a small rotation these may bear the load
    }
    if (best->separation > rounding && !(least <= best->separation + SAME_DISTANCE * axes->size))
    {
        double low = axes->low;
        least = abut_smaller(least, add_closest(query, &low));
        out->low = low - radius - rounding;
    }
    out->touching = fabs(least) - radius + rounding <= 0.0 || axes->overlap;
    if (out->low > query->margin)
    {
        out->count = 0;
    }
    sort_points(out);
}

void abut_primitive_boxes(const AbutPrimitiveQuery* query)
{
    BoxPair self;
    make_pair(query->pair, &self);
    AbutBoxAxes axes = { .face = best_face(&self), .size = self.size };
    axes.best = axes.face;
    bool close = self.low - (self.a->radius + self.b->radius) <= query->margin;
    if (close)
    {
        best_edges(&self, &axes.best);
    }
    for (int i = 0; i < 3; ++i)
    {
        axes.toward[i] = self.t[i];
        axes.toward[3 + i] = self.s[i];
    }
    axes.low = self.low;
    axes.overlap = close && !(axes.best.separation > self.rounding) && is_overlap_proved(&self);
    abut_primitive_boxes_along(query, &axes);
}
