#include "narrow/refine.h"

#include <math.h>

enum
{
    STEPS = 96,
    MOST = ABUT_PAIR_BATCH / 2 // cubes that are refined
};

/// Slopes along the surface under this are level.
static const float LEVEL = 1e-3f;

/// Points on their way down.
typedef struct Descent
{
    AbutPairBatch now, next;
    size_t cube[ABUT_PAIR_BATCH];
    // Lengths to go for a slope of 1, along the surface and straight down by turns; 0: done. The first is quick on round surfaces, the
    // second finds its way along edges.
    float steps[2][ABUT_PAIR_BATCH];
    float* step; // of this turn
    int deep
        [ABUT_PAIR_BATCH]; // the solid that it goes deeper into, and stays in the other; −1: to where the gap is least
} Descent;

// ---------------------------------------------------------------------------------------------------------------------
// Which cubes
// ---------------------------------------------------------------------------------------------------------------------

/// Of equal ones the first by id is deeper.
static bool is_deeper(const AbutCube* a, const AbutCube* b)
{
    return a->separation < b->separation || (a->separation == b->separation && a->id < b->id);
}

/// True when no touch in the cubes around is deeper.
static bool is_deepest_around(const AbutCubes* cubes, const AbutCube* self)
{
    // Neighbours across faces first: they end the search soonest.
    static const int8_t order[26] = { 12, 14, 10, 16, 4,  22, 0,  1,  2,  3,  5,  6,  7,
                                      8,  9,  11, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26 };
    for (int k = 0; k < 26; ++k)
    {
        int64_t offset = (int64_t)(order[k] % 3 - 1) +
                         (((int64_t)(order[k] / 3 % 3) - 1) * (INT64_C(1) << ABUT_CUBE_BITS)) +
                         (((int64_t)(order[k] / 9) - 1) * (INT64_C(1) << (2 * ABUT_CUBE_BITS)));
        const AbutCube* other = abut_cubes_find(cubes, self->id + (uint64_t)offset);
        if (other != NULL && is_deeper(other, self))
        {
            return false;
        }
    }
    return true;
}

/// The deepest of their surroundings, deepest first.
static size_t choose_cubes(const AbutCubes* cubes, int chosen[MOST])
{
    size_t count = 0;
    for (int i = 0; i < cubes->count; ++i)
    {
        const AbutCube* cube = &cubes->items[i];
        bool full = count == MOST;
        if ((full && !is_deeper(cube, &cubes->items[chosen[MOST - 1]])) || !is_deepest_around(cubes, cube))
        {
            continue;
        }
        size_t to = full ? MOST - 1 : count++;
        for (; to > 0 && is_deeper(cube, &cubes->items[chosen[to - 1]]); --to)
        {
            chosen[to] = chosen[to - 1];
        }
        chosen[to] = i;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------------------------
// The way down
// ---------------------------------------------------------------------------------------------------------------------

static AbutVec3 gradient_of(const AbutPairBatch* batch, int side, size_t i)
{
    return abut_vec3(batch->gradient[side][0][i], batch->gradient[side][1][i], batch->gradient[side][2][i]);
}

/// The way on which the height grows: along the surface of the solid to stay in, for points that are at it.
static AbutVec3 uphill(const Descent* self, size_t i, float near)
{
    bool straight = self->step == self->steps[1];
    AbutVec3 a = gradient_of(&self->now, 0, i), b = gradient_of(&self->now, 1, i);
    if (self->deep[i] < 0)
    {
        return abut_vec3_add(a, b);
    }
    AbutVec3 up = self->deep[i] == 0 ? a : b, normal = self->deep[i] == 0 ? b : a;
    float squared = abut_vec3_dot(normal, normal);
    if (straight || self->now.distance[1 - self->deep[i]][i] < -near || !(squared > 0.0f))
    {
        return up;
    }
    return abut_vec3_sub(up, abut_vec3_scale(normal, abut_vec3_dot(up, normal) / squared));
}

/// Fills `next` with where points would go; returns how many still move.
static size_t choose_next(Descent* self, float spacing)
{
    size_t moving = 0;
    self->next.count = self->now.count;
    for (size_t i = 0; i < self->now.count; ++i)
    {
        AbutVec3 way = uphill(self, i, 0.01f * spacing);
        self->step[i] = abut_vec3_dot(way, way) > LEVEL * LEVEL ? self->step[i] : 0.0f;
        const float up[3] = { way.x, way.y, way.z };
        for (int axis = 0; axis < 3; ++axis)
        {
            self->next.at[axis][i] = self->now.at[axis][i] - self->step[i] * up[axis];
        }
        moving += self->step[i] > 0.0f ? 1u : 0u;
    }
    return moving;
}

/// Brings points that have left the solid that they are to stay in back to its surface.
static bool bring_back(Descent* self)
{
    bool moved = false;
    for (size_t i = 0; i < self->next.count; ++i)
    {
        int stay = 1 - self->deep[i];
        if (self->step[i] == 0.0f || self->deep[i] < 0 || !(self->next.distance[stay][i] > 0.0f))
        {
            continue;
        }
        AbutVec3 g = gradient_of(&self->next, stay, i);
        float squared = abut_vec3_dot(g, g),
              by = squared > 0.0f ? self->next.distance[stay][i] / squared : 0.0f;
        self->next.at[0][i] -= by * g.x;
        self->next.at[1][i] -= by * g.y;
        self->next.at[2][i] -= by * g.z;
        moved = true;
    }
    return moved;
}

static void settle(AbutPair* pair, Descent* self)
{
    for (int i = 0; i < 2 && bring_back(self); ++i)
    {
        abut_pair_sample(pair, &self->next, true);
    }
}

static float height(const Descent* self, const AbutPairBatch* batch, size_t i)
{
    return self->deep[i] < 0 ? batch->distance[0][i] + batch->distance[1][i]
                             : batch->distance[self->deep[i]][i];
}

static void accept(Descent* self, size_t i)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        self->now.at[axis][i] = self->next.at[axis][i];
        self->now.gradient[0][axis][i] = self->next.gradient[0][axis][i];
        self->now.gradient[1][axis][i] = self->next.gradient[1][axis][i];
    }
    self->now.distance[0][i] = self->next.distance[0][i];
    self->now.distance[1][i] = self->next.distance[1][i];
}

/// Longer ones might lead to another region, and leave this one without a contact.
static float step_length(const Descent* self, size_t i)
{
    float x = self->next.at[0][i] - self->now.at[0][i], y = self->next.at[1][i] - self->now.at[1][i],
          z = self->next.at[2][i] - self->now.at[2][i];
    return sqrtf(x * x + y * y + z * z);
}

/// Keeps steps that went down, with longer ones to come, and shortens the others.
static void judge(Descent* self, float spacing)
{
    for (size_t i = 0; i < self->now.count; ++i)
    {
        if (self->step[i] == 0.0f)
        {
            continue;
        }
        bool stays = self->deep[i] < 0 || self->next.distance[1 - self->deep[i]][i] <= 1e-3f * spacing;
        bool better = stays && height(self, &self->next, i) < height(self, &self->now, i) &&
                      step_length(self, i) <= spacing;
        if (better)
        {
            accept(self, i);
        }
        self->step[i] *= better ? 1.6f : 0.4f;
        self->step[i] = self->step[i] > 1e-3f * spacing ? self->step[i] : 0.0f;
    }
}

/// Each goes deeper into either solid: which one leads further is not known before.
static void begin(Descent* self, const AbutCubes* cubes, float spacing)
{
    int chosen[MOST];
    self->now.count = 2 * choose_cubes(cubes, chosen);
    for (size_t i = 0; i < self->now.count; ++i)
    {
        const AbutTouch* touch = &cubes->items[chosen[i / 2]].touch;
        float a = touch->distance[0], b = touch->distance[1];
        self->cube[i] = (size_t)chosen[i / 2];
        self->deep[i] = (a > 0.0f || b > 0.0f) && a + b > 0.0f ? -1 : (int)(i % 2);
        self->steps[0][i] = self->steps[1][i] = 0.5f * spacing;
        for (int axis = 0; axis < 3; ++axis)
        {
            self->now.at[axis][i] = touch->at[axis];
            self->now.gradient[0][axis][i] = touch->gradient[0][axis];
            self->now.gradient[1][axis][i] = touch->gradient[1][axis];
        }
        self->now.distance[0][i] = a;
        self->now.distance[1][i] = b;
    }
}

/// Takes the touch of a point that has arrived, when it is deeper.
static void finish(const Descent* self, size_t i, AbutCubes* cubes)
{
    AbutTouch touch = abut_touch_of(&self->now, i);
    float separation = abut_touch_separation(&touch);
    AbutCube* cube = &cubes->items[self->cube[i]];
    if (separation < cube->separation)
    {
        cube->touch = touch; // in the cube that it was found in: deepest points move faster than what touches
        cube->separation = separation;
    }
}

/// Takes points that have arrived (or all) out of the batch.
static void drop_done(Descent* self, AbutCubes* cubes, bool all)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->now.count; ++i)
    {
        if (all || (self->steps[0][i] == 0.0f && self->steps[1][i] == 0.0f))
        {
            finish(self, i, cubes);
            continue;
        }
        for (int axis = 0; axis < 3; ++axis)
        {
            self->now.at[axis][kept] = self->now.at[axis][i];
            self->now.gradient[0][axis][kept] = self->now.gradient[0][axis][i];
            self->now.gradient[1][axis][kept] = self->now.gradient[1][axis][i];
        }
        self->now.distance[0][kept] = self->now.distance[0][i];
        self->now.distance[1][kept] = self->now.distance[1][i];
        self->cube[kept] = self->cube[i];
        self->deep[kept] = self->deep[i];
        self->steps[0][kept] = self->steps[0][i];
        self->steps[1][kept] = self->steps[1][i];
        kept += 1;
    }
    self->now.count = kept;
}

void abut_cubes_refine(AbutPair* pair, AbutCubes* cubes, float spacing)
{
    Descent self;
    begin(&self, cubes, spacing);
    if (self.now.count == 0)
    {
        return;
    }
    self.next = self.now;
    self.step = self.steps[0];
    settle(pair, &self); // contacts may be the tolerance away from the solid that they are to stay in
    self.now = self.next;
    for (int turn = 0; turn < STEPS && self.now.count > 0; ++turn)
    {
        self.step = self.steps[turn % 2];
        if (choose_next(&self, spacing) > 0)
        {
            abut_pair_sample(pair, &self.next, true);
            settle(pair, &self);
            judge(&self, spacing);
        }
        drop_done(&self, cubes, turn + 1 == STEPS);
    }
}
