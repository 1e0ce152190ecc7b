#include "gear_outline.h"

#include "generator.h"

// In units of the module. The quarter of a module by which roots are deeper than tips are high is the usual
// clearance.
static const double ADDENDUM = 1.0;
static const double DEDENDUM = 1.25;

/// The narrowest tip, neck and involute that are made, in units of the module.
static const double MIN_WIDTH = 0.01;

/// What is known of a tooth in angles and distances. The gap's middle is at angle 0, the tooth's at
/// pitch_half.
typedef struct Tooth
{
    double pitch_radius, base_radius, root_radius, tip_radius;
    double pitch_half;  // angle from the middle of a gap to the middle of a tooth
    double gap_at_base; // half angle of the gap between two involutes at the base circle
    double rack_tip;    // half width of the rack's tooth at its tip
} Tooth;

/// The angle between the start of an involute and its point at pressure angle a.
static double involute(double a)
{
    return tan(a) - a;
}

static Tooth make_tooth(const AbutGearShape* shape)
{
    double module = shape->module;
    Tooth tooth;
    tooth.pitch_radius = 0.5 * module * shape->teeth;
    tooth.base_radius = tooth.pitch_radius * cos(shape->pressure_angle);
    tooth.root_radius = tooth.pitch_radius - DEDENDUM * module;
    tooth.tip_radius = tooth.pitch_radius + ADDENDUM * module;
    tooth.pitch_half = ABUT_PI / shape->teeth;
    double gap_width = 0.5 * ABUT_PI * module + shape->backlash; // along the pitch circle
    tooth.gap_at_base = 0.5 * gap_width / tooth.pitch_radius - involute(shape->pressure_angle);
    tooth.rack_tip = 0.5 * gap_width - DEDENDUM * module * tan(shape->pressure_angle);
    return tooth;
}

/// Half angle of the gap between two involutes at a distance from the axis, not under the base radius.
static double involute_gap(const Tooth* tooth, double radius)
{
    return tooth->gap_at_base + involute(acos(fmin(1.0, tooth->base_radius / radius)));
}

/// A point of the path of the rack's corner as seen from the gear. The rack has moved on until its corner is
/// `shift` to the side of the line through both middles; at 0 it touches the root circle.
static void trochoid(const Tooth* tooth, double shift, double* radius, double* gap)
{
    *radius = hypot(tooth->root_radius, shift);
    *gap = atan2(shift, tooth->root_radius) - (shift - tooth->rack_tip) / tooth->pitch_radius;
}

/// The shift at which the corner's path is at a distance from the axis.
static double trochoid_shift(const Tooth* tooth, double radius)
{
    return sqrt(fmax(0.0, radius * radius - tooth->root_radius * tooth->root_radius));
}

/// Where the trochoid hands over to the involute. Without undercut the rack's corner is the lowest point of
/// its flank that touches the involute, and both curves share a tangent there; this is the case when the line
/// of action reaches the rack's tip before it leaves the base circle. With undercut the curves cross, above
/// the base circle.
static double joining_shift(const Tooth* tooth, const AbutGearShape* shape)
{
    double depth = DEDENDUM * shape->module;
    double s = sin(shape->pressure_angle);
    if (depth <= tooth->pitch_radius * s * s)
    {
        return depth / tan(shape->pressure_angle);
    }
    double low = trochoid_shift(tooth, fmax(tooth->base_radius, tooth->root_radius));
    double high = trochoid_shift(tooth, tooth->tip_radius);
    for (int i = 0; i < 100; ++i)
    {
        double middle = 0.5 * (low + high);
        double radius, gap;
        trochoid(tooth, middle, &radius, &gap);
        bool cuts = gap > involute_gap(tooth, radius);
        low = cuts ? middle : low;
        high = cuts ? high : middle;
    }
    return high;
}

static AbutResult check_tip(const Tooth* tooth, const AbutGearShape* shape)
{
    double least = MIN_WIDTH * shape->module;
    double width = 2.0 * tooth->tip_radius * (tooth->pitch_half - involute_gap(tooth, tooth->tip_radius));
    if (width >= least)
    {
        return ABUT_OK;
    }
    double max_backlash = shape->backlash - (least - width) * tooth->pitch_radius / tooth->tip_radius;
    if (max_backlash < 0.0)
    {
        return abut_fail(
            ABUT_INVALID_ARGUMENT,
            "gear: with pressure_angle %.9g and %u teeth the flanks meet before they reach the tip; "
            "use a smaller pressure_angle or more teeth",
            shape->pressure_angle, shape->teeth);
    }
    return abut_fail(ABUT_INVALID_ARGUMENT, "gear: backlash is %.9g, must be in [0, %.9g] to leave a tip",
                     shape->backlash, max_backlash);
}

/// The narrowest place of an undercut foot, and what is left of the involute.
static AbutResult check_foot(const Tooth* tooth, const AbutGearShape* shape, double join)
{
    // The gap of the trochoid is widest where d(gap)/d(shift) = 0.
    double widest = sqrt(tooth->root_radius * (tooth->pitch_radius - tooth->root_radius));
    double radius, gap;
    trochoid(tooth, fmin(widest, join), &radius, &gap);
    double neck = 2.0 * radius * (tooth->pitch_half - gap);
    trochoid(tooth, join, &radius, &gap);
    double flank = tooth->tip_radius - radius;
    if (fmin(neck, flank) >= MIN_WIDTH * shape->module && tooth->rack_tip >= MIN_WIDTH * shape->module)
    {
        return ABUT_OK;
    }
    return abut_fail(
        ABUT_INVALID_ARGUMENT,
        "gear: with pressure_angle %.9g, %u teeth and backlash %.9g the undercut leaves no tooth; "
        "use a larger pressure_angle, more teeth or less backlash",
        shape->pressure_angle, shape->teeth, shape->backlash);
}

/// Steps for the foot: about as long as those of the flank, and no more of them. Feet of large gears are
/// tiny.
static uint32_t count_foot_steps(const Tooth* tooth, const AbutGearShape* shape, double join)
{
    enum
    {
        SAMPLES = 16
    };
    double last[2], radius, gap;
    trochoid(tooth, 0.0, &last[0], &last[1]);
    double length = 0.0;
    for (int i = 1; i <= SAMPLES; ++i)
    {
        trochoid(tooth, join * i / SAMPLES, &radius, &gap);
        length += hypot(radius - last[0], radius * (gap - last[1]));
        last[0] = radius;
        last[1] = gap;
    }
    double step = (tooth->tip_radius - radius) / shape->flank_divisions;
    return (uint32_t)fmin(shape->flank_divisions, fmax(1.0, ceil(length / step)));
}

/// Even steps along the path of the corner, then even steps of the rolling angle of the involute.
static void fill_flank(const Tooth* tooth, const AbutGearShape* shape, double join, AbutGearOutline* outline)
{
    uint32_t foot_steps = outline->flank_count - 1 - shape->flank_divisions;
    double radius, gap;
    for (uint32_t i = 0; i <= foot_steps; ++i)
    {
        trochoid(tooth, join * i / foot_steps, &radius, &gap);
        outline->flank[i][0] = radius;
        outline->flank[i][1] = tooth->pitch_half - gap;
    }
    double base2 = tooth->base_radius * tooth->base_radius;
    double from = sqrt(fmax(0.0, radius * radius - base2));
    double to = sqrt(tooth->tip_radius * tooth->tip_radius - base2);
    for (uint32_t i = 1; i <= shape->flank_divisions; ++i)
    {
        double rolled = from + (to - from) * i / shape->flank_divisions;
        radius = i == shape->flank_divisions ? tooth->tip_radius : sqrt(base2 + rolled * rolled);
        outline->flank[foot_steps + i][0] = radius;
        outline->flank[foot_steps + i][1] = tooth->pitch_half - involute_gap(tooth, radius);
    }
}

AbutResult abut_gear_outline_make(const AbutGearShape* shape, AbutModelArena* arena, AbutGearOutline* outline)
{
    Tooth tooth = make_tooth(shape);
    AbutResult result = check_tip(&tooth, shape);
    double join = result == ABUT_OK ? joining_shift(&tooth, shape) : 0.0;
    result = result == ABUT_OK ? check_foot(&tooth, shape, join) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    uint32_t foot_steps = count_foot_steps(&tooth, shape, join);
    *outline = (AbutGearOutline){
        .root_radius = tooth.root_radius,
        .tip_radius = tooth.tip_radius,
        .root_angle = tooth.rack_tip / tooth.pitch_radius,
        .flank_count = foot_steps + shape->flank_divisions + 1,
    };
    outline->flank = abut_model_arena_allocate(arena, outline->flank_count, sizeof(*outline->flank));
    if (outline->flank == NULL)
    {
        return ABUT_OUT_OF_MEMORY;
    }
    fill_flank(&tooth, shape, join, outline);
    outline->tip_angle = outline->flank[outline->flank_count - 1][1];
    return ABUT_OK;
}
