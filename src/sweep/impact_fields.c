#include "sweep/impact_fields.h"

#include "narrow/gap_search.h"
#include "sweep/impact_inside.h"

#include <string.h>

/// Pairs that are apart by so many times the sum of their radii are not divided: it would gain little.
static const double GOOD = 4.0;

/// Boxes whose middles are further apart than so many times the sum of their radii are told apart by the way between them alone.
static const double NEAR = 3.0;

/// The part of a stride that may be lost for having it sooner.
static const double HASTE = 0.25;

/// Plates are rounded to this part of a cell, about: nothing is gained by telling times apart that differ by less.
static const double PLATE_ERROR = 0.05;

typedef struct BoxPair
{
    AbutShellBox box[2];
    float plate[2][4];
    double free;    // for so long
    double line[3]; // the direction that told most of it, or of boxes around it; 0: none yet
} BoxPair;

/// Lengths are in cells of the standing field (side 0), times are those of the step.
typedef struct FieldSearch
{
    AbutImpact* impact;
    AbutGapSide sides[2];
    float solid[2][2][3];     // box of each, in its cells: low and high
    double to_standing[3][3]; // directions
    double shift[3];          // first node of the moving grid
    double center[3], velocity[3], turn[3];
    AbutMotionBounds bounds; // until the end of the step
    double rounding;
    double limit; // pairs that are free for so long are done with
    double least; // of those
    double slack; // times need not be told apart by more than this
    BoxPair stack[ABUT_GAP_STACK];
    uint32_t count;
    BoxPair last; // the one that set the limit
} FieldSearch;

/// Two boxes, seen from the standing one.
typedef struct PairView
{
    double way[3];      // from middle to middle
    double velocity[3]; // of the middle of the moving one
    double radius[2];
    double speed, acceleration; // of all of its points
} PairView;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static const AbutFieldHeader* header_of(const FieldSearch* self, int side)
{
    return self->sides[side].shell.block;
}

// ---------------------------------------------------------------------------------------------------------------------
// Start
// ---------------------------------------------------------------------------------------------------------------------

bool abut_impact_fields_apply(const AbutImpact* impact)
{
    return impact->pair.sides[0].is_field && impact->pair.sides[1].is_field &&
           abut_gap_applies(&impact->pair);
}

static void init(FieldSearch* self, AbutImpact* impact)
{
    self->impact = impact;
    for (int side = 0; side < 2; ++side)
    {
        abut_gap_side_init(&self->sides[side], &impact->pair.sides[1 - side]);
        const AbutFieldHeader* h = header_of(self, side);
        for (int axis = 0; axis < 3; ++axis)
        {
            self->solid[side][0][axis] = (float)((h->solid[axis] - h->origin[axis]) / h->cell_size);
            self->solid[side][1][axis] = (float)((h->solid[axis + 3] - h->origin[axis]) / h->cell_size);
        }
    }
    self->sides[0].unit = 1.0f;
    self->sides[1].unit = (float)(impact->unit * (double)impact->pair.sides[0].cell_size /
                                  (double)impact->pair.sides[1].cell_size);
}

/// Brings the moving field to where it is at a time.
static void set_moment(FieldSearch* self, double time)
{
    const AbutRelativeMotion* motion = &self->impact->motion;
    const AbutFieldHeader *standing = header_of(self, 0), *moving = header_of(self, 1);
    AbutMotionMoment moment = abut_relative_motion_at(motion, time);
    double per_cell = 1.0 / standing->cell_size, reach = 0.0;
    for (int row = 0; row < 3; ++row)
    {
        double shift = moment.frame.translation[row] - standing->origin[row];
        for (int column = 0; column < 3; ++column)
        {
            double turned = moment.frame.rotation[row][column];
            self->to_standing[row][column] = turned;
            shift += turned * moment.frame.scale * moving->origin[column];
            reach += standing->brick_count[column] * (double)ABUT_BRICK_CELLS / 3.0;
            reach +=
                fabs(turned) * moving->brick_count[column] * (double)(ABUT_BRICK_CELLS * self->sides[1].unit);
        }
        self->shift[row] = shift * per_cell;
        self->center[row] = (moment.center[row] - standing->origin[row]) * per_cell;
        self->velocity[row] = moment.velocity[row] * per_cell;
        self->turn[row] = moment.turn[row];
    }
    // Of boxes, plates and nodes in float: those that matter are near both grids.
    self->rounding = 2e-6 * reach;
    self->bounds = abut_relative_motion_bounds(motion, time, 1.0);
    self->bounds.carried *= per_cell;
    self->bounds.pull *= per_cell;
}

// ---------------------------------------------------------------------------------------------------------------------
// Bounds
// ---------------------------------------------------------------------------------------------------------------------

static PairView view_of(const FieldSearch* self, const BoxPair* pair)
{
    PairView view;
    float standing[3], moving[3];
    double arm[3], unit = (double)self->sides[1].unit;
    abut_shell_middle(&pair->box[0], standing);
    abut_shell_middle(&pair->box[1], moving);
    for (int row = 0; row < 3; ++row)
    {
        const double* r = self->to_standing[row];
        double at = self->shift[row] +
                    unit * (r[0] * (double)moving[0] + r[1] * (double)moving[1] + r[2] * (double)moving[2]);
        view.way[row] = at - (double)standing[row];
        arm[row] = at - self->center[row];
    }
    cross(self->turn, arm, view.velocity);
    view.radius[0] = (double)abut_shell_radius(pair->box[0].level);
    view.radius[1] = unit * (double)abut_shell_radius(pair->box[1].level);
    double reach = sqrt(dot(arm, arm)) + view.radius[1];
    view.speed = self->bounds.carried + self->bounds.turning * reach;
    view.acceleration = self->bounds.pull + self->bounds.swing * reach;
    for (int row = 0; row < 3; ++row)
    {
        view.velocity[row] += self->velocity[row];
    }
    return view;
}

/// How far what is in a box reaches along a direction in its own frame, which is no further than the solid as a whole does.
static double reach_along(const FieldSearch* self, int side, const BoxPair* pair, const float n[3])
{
    const AbutGapSide* own = &self->sides[side];
    const AbutShellBox* box = &pair->box[side];
    float middle[3], half = 0.5f * abut_shell_size(box->level), whole = 0.0f;
    abut_shell_middle(box, middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        float end = n[axis] > 0.0f ? self->solid[side][1][axis] - middle[axis]
                                   : middle[axis] - self->solid[side][0][axis];
        whole += fabsf(n[axis]) * fminf(half, end);
    }
    return fmin((double)(whole * own->unit), (double)abut_gap_reach(own, box, pair->plate[side], n));
}

/// How far what is in the boxes is apart along a direction of length 1.
static double apart_along(const FieldSearch* self, const BoxPair* pair, const PairView* view,
                          const double n[3])
{
    double(*r)[3] = (double(*)[3])self->to_standing;
    const float there[3] = { (float)n[0], (float)n[1], (float)n[2] };
    const float back[3] = { (float)-(r[0][0] * n[0] + r[1][0] * n[1] + r[2][0] * n[2]),
                            (float)-(r[0][1] * n[0] + r[1][1] * n[1] + r[2][1] * n[2]),
                            (float)-(r[0][2] * n[0] + r[1][2] * n[1] + r[2][2] * n[2]) };
    double reach = reach_along(self, 0, pair, there) + reach_along(self, 1, pair, back);
    return dot(n, view->way) - reach - self->rounding;
}

/// How long a distance along a direction lasts.
static double lasts(const FieldSearch* self, const PairView* view, const double n[3], double apart)
{
    double sway[3];
    cross(n, self->turn, sway);
    double u = -dot(n, view->velocity) + sqrt(dot(sway, sway)) * view->radius[1] + 1e-6 * view->speed;
    double root = sqrt(u * u + 2.0 * view->acceleration * apart);
    double by = u > 0.0 ? 2.0 * apart / (u + root) : (root - u) / view->acceleration; // or infinite
    by = u > 0.0 || view->acceleration > 0.0 ? by : INFINITY;
    return fmax(by, apart / view->speed) * (1.0 - 1e-9);
}

/// Looks along a direction; `best` has what others have told.
static void look_along(const FieldSearch* self, BoxPair* pair, const PairView* view, const double n[3],
                       double* apart)
{
    double found = apart_along(self, pair, view, n);
    if (found > 0.0)
    {
        double free = lasts(self, view, n, found);
        *apart = fmax(*apart, found);
        if (free > pair->free)
        {
            pair->free = free;
            memcpy(pair->line, n, sizeof(pair->line));
        }
    }
}

static bool is_small(const AbutShellBox* box)
{
    return box->level <= ABUT_SHELL_FINEST;
}

/// The normal of a plate as a direction from the standing box to the moving one; false when it has none.
static bool plate_direction(const FieldSearch* self, const BoxPair* pair, int side, double n[3])
{
    const float* plate = pair->plate[side];
    double squared = 0.0;
    for (int row = 0; row < 3; ++row)
    {
        const double* r = self->to_standing[row];
        n[row] = side == 0 ? (double)plate[row]
                           : -(r[0] * (double)plate[0] + r[1] * (double)plate[1] + r[2] * (double)plate[2]);
        squared += n[row] * n[row];
    }
    double length = sqrt(squared);
    for (int row = 0; row < 3 && length > 0.0; ++row)
    {
        n[row] /= length;
    }
    return length > 0.0;
}

static bool normalize(const double v[3], double sign, double out[3])
{
    double length = sqrt(dot(v, v));
    for (int axis = 0; axis < 3 && length > 0.0; ++axis)
    {
        out[axis] = sign * v[axis] / length;
    }
    return length > 0.0;
}

/// Where the distance from one field grows to at the middle of the other's box, as a direction from the standing box to the moving one.
static bool gradient_direction(const FieldSearch* self, const BoxPair* pair, const PairView* view, int side,
                               double n[3])
{
    const AbutFieldHeader* h = header_of(self, side);
    double(*r)[3] = (double(*)[3])self->to_standing;
    float middle[3];
    double at[3], g[3];
    AbutVec3 gradient;
    abut_shell_middle(&pair->box[side], middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        double turned = r[0][axis] * view->way[0] + r[1][axis] * view->way[1] + r[2][axis] * view->way[2];
        double way = side == 0 ? view->way[axis] : -turned / (double)self->sides[1].unit;
        at[axis] = h->origin[axis] + h->cell_size * ((double)middle[axis] + way);
    }
    abut_shape_distance(self->impact->pair.sides[1 - side].shape,
                        abut_vec3((float)at[0], (float)at[1], (float)at[2]), &gradient);
    g[0] = (double)gradient.x;
    g[1] = (double)gradient.y;
    g[2] = (double)gradient.z;
    for (int row = 0; row < 3; ++row)
    {
        n[row] = side == 0 ? g[row] : -(r[row][0] * g[0] + r[row][1] * g[1] + r[row][2] * g[2]);
    }
    return normalize(n, 1.0, n);
}

/// Lets a pair be free for as long as can be told. Returns how far what is in the boxes is apart, in radii.
static double look_at(FieldSearch* self, BoxPair* pair)
{
    PairView view = view_of(self, pair);
    double n[3], length = sqrt(dot(view.way, view.way)), apart = 0.0, radii = view.radius[0] + view.radius[1];
    const double line[3] = { pair->line[0], pair->line[1], pair->line[2] };
    bool small = is_small(&pair->box[0]) && is_small(&pair->box[1]), near = length < NEAR * radii;
    self->impact->evaluations += 1;
    if (dot(line, line) > 0.0)
    {
        look_along(self, pair, &view, line, &apart);
    }
    if (pair->free < self->limit && normalize(view.way, 1.0, n))
    {
        look_along(self, pair, &view, n, &apart);
    }
    for (int side = 0; side < 2 && near && pair->free < self->limit; ++side)
    {
        if (small ? gradient_direction(self, pair, &view, side, n) : plate_direction(self, pair, side, n))
        {
            look_along(self, pair, &view, n, &apart);
        }
    }
    if (near && pair->free < self->limit && normalize(view.velocity, -1.0, n))
    {
        look_along(self, pair, &view, n, &apart);
    }
    return apart / radii;
}

// ---------------------------------------------------------------------------------------------------------------------
// Division
// ---------------------------------------------------------------------------------------------------------------------

/// The larger one, in boxes that octrees tell apart first.
static int side_to_divide(const FieldSearch* self, const BoxPair* pair)
{
    bool small[2] = { is_small(&pair->box[0]), is_small(&pair->box[1]) };
    if (small[0] != small[1])
    {
        return small[0] ? 1 : 0;
    }
    return self->sides[1].unit * abut_shell_size(pair->box[1].level) > abut_shell_size(pair->box[0].level)
               ? 1
               : 0;
}

/// Pairs are done with.
static void drop(FieldSearch* self, double free)
{
    self->least = fmin(self->least, free);
}

/// Nothing after this pair matters, and little before it.
static void take_limit(FieldSearch* self, const BoxPair* pair)
{
    drop(self, pair->free);
    self->last = *pair;
    self->limit = fmax(0.0, fmin(self->limit, pair->free - fmax(self->slack, HASTE * pair->free)));
}

/// True when nothing is in a box: it is beyond its plate.
static bool is_beyond(const AbutGapSide* side, const AbutShellBox* box, const float plate[4])
{
    float half = 0.5f * abut_shell_size(box->level) * side->unit;
    return plate[3] + half * (fabsf(plate[0]) + fabsf(plate[1]) + fabsf(plate[2])) < 0.0f;
}

/// Looks at the parts of one box with the other. Those that are not done with are sorted, the one that is free for longest first.
static uint32_t look_at_parts(FieldSearch* self, const BoxPair* pair, int side, BoxPair parts[8])
{
    const AbutGapSide* own = &self->sides[side];
    const AbutShellBox* box = &pair->box[side];
    const int* limits = own->limits[box->level - 1 - ABUT_GAP_FINEST];
    int16_t made[8];
    AbutShellParts kept = abut_shell_parts(&own->shell, box, made);
    AbutGapParts how = { .plates = kept.plates,
                         .plate_unit = own->unit * abut_shell_radius(box->level - 1) * (1.0f / 127.0f),
                         .step = 0.25f * abut_shell_size(box->level) };
    uint32_t count = 0;
    for (uint32_t corner = 0; corner < 8; ++corner)
    {
        if (kept.numbers[corner] < limits[0] || kept.numbers[corner] > limits[1])
        {
            continue;
        }
        BoxPair part = *pair;
        part.box[side] = abut_shell_part(box, corner);
        abut_gap_take_plate(&how, corner, own->unit, part.plate[side]);
        if (is_beyond(own, &part.box[side], part.plate[side]))
        {
            continue;
        }
        double apart = look_at(self, &part);
        if (part.free >= self->limit)
        {
            drop(self, part.free);
            continue;
        }
        if (apart > GOOD)
        {
            take_limit(self, &part);
            continue;
        }
        uint32_t to = count++;
        for (; to > 0 && parts[to - 1].free < part.free; --to)
        {
            parts[to] = parts[to - 1];
        }
        parts[to] = part;
    }
    return count;
}

static void divide(FieldSearch* self, const BoxPair* pair)
{
    BoxPair parts[8];
    int side = side_to_divide(self, pair);
    if (pair->box[side].level <= ABUT_GAP_FINEST)
    {
        take_limit(self, pair);
        return;
    }
    uint32_t count = look_at_parts(self, pair, side, parts);
    memcpy(self->stack + self->count, parts, count * sizeof(BoxPair));
    self->count += count;
}

/// Looks at everything at a time. False when the budget was spent; self->least is for how long all is free.
static bool make_stride(FieldSearch* self, double time)
{
    set_moment(self, time);
    self->limit = 1.0 - time;
    self->least = INFINITY;
    self->stack[0] =
        (BoxPair){ .box = { { .level = self->sides[0].shell.top }, { .level = self->sides[1].shell.top } } };
    self->count = 1;
    while (self->count > 0)
    {
        BoxPair pair = self->stack[--self->count];
        if (pair.free >= self->limit)
        {
            drop(self, pair.free);
            continue;
        }
        if (self->impact->evaluations > self->impact->budget)
        {
            return false;
        }
        divide(self, &pair);
    }
    return true;
}

static void meet(const FieldSearch* self, double time)
{
    const AbutFieldHeader* h = header_of(self, 1);
    float middle[3];
    abut_shell_middle(&self->last.box[1], middle);
    for (int axis = 0; axis < 3; ++axis)
    {
        middle[axis] = (float)(h->origin[axis] + h->cell_size * (double)middle[axis]);
    }
    self->impact->met = false;
    abut_impact_meet(self->impact, time, middle);
}

/// False when their boxes tell the solids apart at the start.
static bool may_overlap(const AbutImpact* impact)
{
    AbutFrame frame = abut_relative_motion_frame(&impact->motion, 0.0);
    AbutBox moving = abut_frame_box(&frame, impact->pair.sides[0].shape->info.bounds);
    return !abut_box_is_empty(abut_box_intersection(moving, impact->pair.sides[1].shape->info.bounds));
}

bool abut_impact_fields_search(AbutImpact* impact, double* until)
{
    FieldSearch self;
    init(&self, impact);
    impact->met = impact->touched = false;
    double cell = (double)impact->pair.sides[1].cell_size;
    double fine = fmax(impact->stop, PLATE_ERROR * cell * (1.0 + (double)self.sides[1].unit));
    for (double time = 0.0; time < 1.0; time += self.least)
    {
        AbutMotionBounds bounds = abut_relative_motion_bounds(&impact->motion, time, 1.0);
        double speed = bounds.carried + bounds.turning * impact->reach;
        double least = speed > 0.0 ? fine / speed : 1.0;
        self.slack = 0.5 * least;
        if (!make_stride(&self, time))
        {
            *until = time;
            return false;
        }
        float point[3];
        if (time == 0.0 && self.least >= least && may_overlap(impact) && abut_impact_inside(impact, point))
        {
            *until = 0.0;
            abut_impact_meet(impact, 0.0, point);
            return true;
        }
        if (self.least < least && time + self.least < 1.0)
        {
            *until = time + self.least;
            meet(&self, *until);
            return true;
        }
    }
    return true;
}
