// Cutting long loops.
#include "mesh/repair/cap_split.h"

#include "base/memory.h"
#include "mesh/corners.h"

enum
{
    SAMPLES = 48,  // ends of chords through the middle that are tried
    TRIES = 512,   // chords that are compared with the whole piece, best first
    BEGINS = 4096, // of chords that cut off a little
    MIN_CUT = 12,  // points that such a chord cuts off
    LONGEST_CUT = 256,
};

/// Least area that a chord may cut off, in squared chords.
static const double MIN_AREA = 1e-3;

typedef struct Candidate
{
    double cost;
    uint32_t begin, end; // indices, begin < end
} Candidate;

typedef struct Choosing
{
    AbutCaps* caps;
    const uint32_t* piece;
    uint32_t count;
    bool facing;
    uint32_t samples[SAMPLES]; // indices
    Candidate best[TRIES];     // in order
    uint32_t best_count;
} Choosing;

// -----------------------------------------------------------------------------------------------------------
// The view along the direction
// -----------------------------------------------------------------------------------------------------------

static bool reserve_outline(const Choosing* self)
{
    AbutCaps* caps = self->caps;
    return abut_memory_grow(&caps->host, (void**)&caps->outline, &caps->outline_capacity,
                            (size_t)self->count + 1, sizeof(*caps->outline));
}

/// The axis that the direction has the smallest component along.
static AbutDVec3 least_axis(AbutDVec3 direction)
{
    AbutDVec3 a = abut_dvec3_abs(direction);
    int least = a.x < a.y ? 0 : 1;
    least = a.z < abut_dvec3_get(a, least) ? 2 : least;
    return abut_dvec3_with(abut_dvec3_zero(), least, 1.0);
}

/// The first point comes once more at the end.
static void make_outline(const Choosing* self, AbutDVec3 direction)
{
    AbutDVec3 u = abut_dvec3_cross(direction, least_axis(direction)), v = abut_dvec3_cross(direction, u);
    AbutDVec3 origin = abut_caps_dvertex(self->caps, self->piece[0]), last = abut_dvec3_zero();
    AbutOutlinePoint* outline = self->caps->outline;
    for (uint32_t i = 0; i <= self->count; ++i)
    {
        AbutDVec3 p = abut_caps_dvertex(self->caps, self->piece[i < self->count ? i : 0]);
        p = abut_dvec3_sub(p, origin);
        AbutOutlinePoint* point = &outline[i];
        point->at[0] = abut_dvec3_dot(p, u);
        point->at[1] = abut_dvec3_dot(p, v);
        point->length = i > 0 ? point[-1].length + abut_dvec3_distance(p, last) : 0.0;
        point->area =
            i > 0 ? point[-1].area + point[-1].at[0] * point->at[1] - point[-1].at[1] * point->at[0] : 0.0;
        last = p;
    }
}

static double orientation(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// True when p is in the interior of the segment from a to b, up to `thin`: then one of the pieces would have
/// thin triangles alone there.
static bool is_on(const double p[2], const double a[2], const double b[2], double thin)
{
    const double along[2] = { b[0] - a[0], b[1] - a[1] }, off[2] = { p[0] - a[0], p[1] - a[1] };
    double square = along[0] * along[0] + along[1] * along[1];
    double projection = along[0] * off[0] + along[1] * off[1];
    return projection > 0.0 && projection < square && fabs(orientation(a, b, p)) <= 2.0 * thin * sqrt(square);
}

static bool crosses(const Choosing* self, uint32_t begin, uint32_t end)
{
    const AbutOutlinePoint* outline = self->caps->outline;
    const double *a = outline[begin].at, *b = outline[end].at;
    for (uint32_t i = 0; i < self->count; ++i)
    {
        uint32_t next = i + 1 < self->count ? i + 1 : 0;
        const double *p = outline[i].at, *q = outline[next].at;
        if (i != begin && i != end && is_on(p, a, b, self->caps->thin))
        {
            return true;
        }
        if (i == begin || i == end || next == begin || next == end)
        {
            continue;
        }
        if (orientation(a, b, p) * orientation(a, b, q) <= 0.0 &&
            orientation(p, q, a) * orientation(p, q, b) <= 0.0)
        {
            return true;
        }
    }
    return false;
}

/// A chord without crossings is inside when both pieces have the same orientation.
static bool halves_face_alike(const Choosing* self, uint32_t begin, uint32_t end, double length)
{
    const AbutOutlinePoint* outline = self->caps->outline;
    const double *a = outline[begin].at, *b = outline[end].at;
    double back = b[0] * a[1] - b[1] * a[0], projection = outline[end].area - outline[begin].area + back;
    double rest = outline[self->count].area - projection, least = 2.0 * MIN_AREA * length * length;
    return projection > least && rest > least;
}

// -----------------------------------------------------------------------------------------------------------
// Candidates
// -----------------------------------------------------------------------------------------------------------

static bool is_better(const Candidate* a, const Candidate* b)
{
    return a->cost < b->cost ||
           (a->cost == b->cost && (a->begin < b->begin || (a->begin == b->begin && a->end < b->end)));
}

/// Keeps the best, in order.
static void add_candidate(Choosing* self, Candidate candidate)
{
    uint32_t index = self->best_count;
    if (index == TRIES && !is_better(&candidate, &self->best[TRIES - 1]))
    {
        return;
    }
    self->best_count += index < TRIES;
    index = index < TRIES ? index : TRIES - 1;
    for (; index > 0 && is_better(&candidate, &self->best[index - 1]); --index)
    {
        self->best[index] = self->best[index - 1];
    }
    self->best[index] = candidate;
}

static double chord_length(const Choosing* self, uint32_t begin, uint32_t end)
{
    return abut_dvec3_distance(abut_caps_dvertex(self->caps, self->piece[end]),
                               abut_caps_dvertex(self->caps, self->piece[begin]));
}

static bool is_free(const Choosing* self, uint32_t begin, uint32_t end)
{
    return !abut_caps_have_edge(self->caps, self->piece[begin], self->piece[end]);
}

/// One minus the cosine of the angle between the sides at a point, in [0, 2].
static double angle_at(const Choosing* self, uint32_t i)
{
    AbutDVec3 before = abut_caps_dvertex(self->caps, self->piece[i > 0 ? i - 1 : self->count - 1]);
    AbutDVec3 at = abut_caps_dvertex(self->caps, self->piece[i]);
    AbutDVec3 after = abut_caps_dvertex(self->caps, self->piece[i + 1 < self->count ? i + 1 : 0]);
    AbutDVec3 in = abut_dvec3_sub(at, before), out = abut_dvec3_sub(after, at);
    double lengths = abut_dvec3_length(in) * abut_dvec3_length(out);
    return lengths > 0.0 ? 1.0 - abut_dvec3_dot(in, out) / lengths : 0.0;
}

/// Spread evenly, at sharp corners where there are some.
static void choose_samples(Choosing* self)
{
    for (uint32_t a = 0; a < SAMPLES; ++a)
    {
        uint32_t begin = (uint32_t)((uint64_t)a * self->count / SAMPLES);
        uint32_t end = (uint32_t)(((uint64_t)a + 1) * self->count / SAMPLES);
        double sharpest = 0.01;
        self->samples[a] = begin;
        for (uint32_t i = begin; i < end; ++i)
        {
            double angle = angle_at(self, i);
            self->samples[a] = angle > sharpest ? i : self->samples[a];
            sharpest = angle > sharpest ? angle : sharpest;
        }
    }
}

/// Short chords that leave about a quarter or more on both sides.
static void try_middle(Choosing* self)
{
    for (uint32_t a = 0; a < SAMPLES; ++a)
    {
        for (uint32_t b = a + SAMPLES / 4; b < SAMPLES && b <= a + SAMPLES - SAMPLES / 4; ++b)
        {
            uint32_t begin = self->samples[a], end = self->samples[b];
            double length = chord_length(self, begin, end);
            if (is_free(self, begin, end) && (!self->facing || halves_face_alike(self, begin, end, length)))
            {
                add_candidate(self, (Candidate){ length, begin, end });
            }
        }
    }
}

/// Chords across a bulge, short compared with its outline.
static void try_bulges(Choosing* self)
{
    const AbutOutlinePoint* outline = self->caps->outline;
    uint32_t step = self->count / BEGINS + 1, longest = self->count / 2;
    longest = longest < LONGEST_CUT ? longest : LONGEST_CUT;
    for (uint32_t begin = 0; begin < self->count; begin += step)
    {
        for (uint32_t cut = MIN_CUT; cut < longest && begin + cut < self->count; cut += cut / 4)
        {
            double length = chord_length(self, begin, begin + cut);
            double around = outline[begin + cut].length - outline[begin].length;
            if (is_free(self, begin, begin + cut) && halves_face_alike(self, begin, begin + cut, length))
            {
                add_candidate(self, (Candidate){ length / around, begin, begin + cut });
            }
        }
    }
}

/// The first candidate that crosses nothing.
static bool pick(Choosing* self, AbutChord* out)
{
    for (uint32_t i = 0; i < self->best_count; ++i)
    {
        const Candidate* candidate = &self->best[i];
        bool checked = self->facing && self->caps->chord_work >= self->count;
        self->caps->chord_work -= checked ? self->count : 0;
        if (!checked || !crosses(self, candidate->begin, candidate->end))
        {
            *out = (AbutChord){ candidate->begin, candidate->end, true };
            return true;
        }
    }
    return false;
}

AbutResult abut_caps_choose_chord(AbutCaps* caps, const uint32_t* piece, uint32_t count, AbutDVec3 direction,
                                  AbutChord* out)
{
    Choosing self = { .caps = caps, .piece = piece, .count = count };
    self.facing = abut_dvec3_dot(direction, direction) > 0.0;
    *out = (AbutChord){ 0 };
    if (!reserve_outline(&self))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    make_outline(&self, direction);
    choose_samples(&self);
    try_middle(&self);
    if (pick(&self, out))
    {
        return ABUT_OK;
    }
    self.best_count = 0;
    try_bulges(&self);
    if (pick(&self, out))
    {
        return ABUT_OK;
    }
    self.facing = false; // it is no simple polygon; any short chord will do
    self.best_count = 0;
    try_middle(&self);
    pick(&self, out);
    return ABUT_OK;
}
