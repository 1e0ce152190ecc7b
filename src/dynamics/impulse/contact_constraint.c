#include "dynamics/impulse/contact_constraint.h"

#include "base/memory.h"
#include "base/tasks.h"
#include "dynamics/contacts/contacts.h"
#include "dynamics/contacts/update.h"
#include "dynamics/impulse/energy.h"
#include "dynamics/impulse/kernels.h"
#include "math/dvec3.h"

#include <math.h>
#include <string.h>

enum
{
    BLOCK = 16,          // bundles of a task
    WORTH_SHARING = 512, // rows of a group from which on several threads pay for being woken
    MOST_POINTS = 64,    // of a manifold
    // How often the contacts of a tight pair push before it moves, and those of others beside it: one that is pushed away from here comes nearer
    // there, and play is small.
    TIGHT_SWEEPS = 4
};

// ---------------------------------------------------------------------------------------------------------------------
// Planning
// ---------------------------------------------------------------------------------------------------------------------

/// Groups in the order of solving: what shares bodies comes first and in turn; later groups mend what it leaves.
static int color_at(int place)
{
    return place == 0 ? ABUT_COLOR_REST : place - 1;
}

/// How many manifolds of a group may be side by side.
static uint32_t lanes_of(int color)
{
    return color == ABUT_COLOR_REST ? 1 : ABUT_SOLVE_LANES;
}

static const AbutManifold* manifold_at(const AbutWorld* world, uint32_t place)
{
    return &world->stores[world->current].manifolds[world->order[place]];
}

/// Those of a group come with most contacts first, so that little room stays empty.
static size_t count_rows(const AbutWorld* world)
{
    size_t sum = 0;
    for (int color = 0; color < ABUT_COLOR_COUNT; ++color)
    {
        for (uint32_t i = world->color_first[color]; i < world->color_first[color + 1]; i += lanes_of(color))
        {
            sum += manifold_at(world, i)->count;
        }
    }
    return sum;
}

static void count_bundles(const AbutWorld* world, AbutRows* rows)
{
    rows->first[0] = 0;
    for (int place = 0; place < ABUT_COLOR_COUNT; ++place)
    {
        int color = color_at(place);
        uint32_t manifolds = world->color_first[color + 1] - world->color_first[color];
        rows->first[place + 1] = rows->first[place] + abut_block_count(manifolds, lanes_of(color));
    }
}

AbutResult abut_rows_plan(AbutWorld* world)
{
    AbutRows* rows = &world->rows;
    const AbutHost* host = &world->host;
    size_t bodies = world->body_count;
    count_bundles(world, rows);
    bool good =
        abut_memory_grow(host, (void**)&rows->bundles, &rows->bundle_capacity, rows->first[ABUT_COLOR_COUNT],
                         sizeof(AbutSolveBundle)) &&
        abut_memory_grow(host, (void**)&rows->rows, &rows->row_capacity, count_rows(world),
                         sizeof(AbutSolveRow)) &&
        abut_memory_grow(host, (void**)&rows->speeds, &rows->speed_capacity, bodies,
                         sizeof(AbutSolveSpeed)) &&
        abut_memory_grow(host, (void**)&rows->masses, &rows->mass_capacity, bodies, sizeof(AbutSolveMass));
    return good ? abut_conserve_plan(world) : ABUT_OUT_OF_MEMORY;
}

void abut_rows_free(const AbutHost* host, AbutRows* rows)
{
    abut_memory_free(host, rows->bundles, rows->bundle_capacity, sizeof(AbutSolveBundle));
    abut_memory_free(host, rows->rows, rows->row_capacity, sizeof(AbutSolveRow));
    abut_memory_free(host, rows->speeds, rows->speed_capacity, sizeof(AbutSolveSpeed));
    abut_memory_free(host, rows->masses, rows->mass_capacity, sizeof(AbutSolveMass));
    abut_conserve_free(host, rows);
}

/// Springs that yield to what they carry let it sink in by gravity / frequency², for every body above, however small it is. So they yield to
/// changes of the load alone: this is the part of the difference by which the load follows the relaxed impulse in a substep. Were it 1, springs would not be
/// soft, and stacks would tremble. What tight pairs and
/// solids that are deep in each other carry does not last.
#define LOAD_RATE 0.1

/// The overlap that springs leave alone, as a part of the smaller body's radius: what is pushed out of every little overlap is lifted by it, and rocks for
/// ever. Tight pairs have none: what presses from both sides would stay pressed.
#define SLOP_PART 0.0015

// ---------------------------------------------------------------------------------------------------------------------
// Filling
// ---------------------------------------------------------------------------------------------------------------------

static void fill_lane(AbutWorld* world, AbutSolveBundle* bundle, int lane, uint32_t manifold,
                      const AbutSoftness* soft)
{
    const AbutManifold* m = &world->stores[world->current].manifolds[manifold];
    AbutBody *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    bundle->manifold[lane] = manifold;
    bundle->a[lane] = m->a;
    bundle->b[lane] = m->b;
    bundle->moves_a[lane] = a->inverse_mass > 0.0;
    bundle->moves_b[lane] = b->inverse_mass > 0.0;
    a->falls = a->falls && !bundle->moves_a[lane];
    b->falls = b->falls && !bundle->moves_b[lane];
    bundle->friction[lane] = m->friction;
    bundle->restitution[lane] = m->restitution;
    bundle->rolling[lane] =
        m->is_tight ? 0.0 : sqrt((double)a->material.rolling * (double)b->material.rolling);
    bundle->slop[lane] = m->is_tight ? 0.0 : SLOP_PART * fmin((double)a->radius, (double)b->radius);
    bundle->push_speed[lane] = (double)world->def.push_speed * abut_pair_speed_unit(world, a, b);
    bundle->extra_sweeps = m->is_tight ? TIGHT_SWEEPS - 1 : bundle->extra_sweeps;
    soft += bundle->moves_a[lane] && bundle->moves_b[lane] && !m->is_tight ? 0 : 1;
    bundle->bias_rate[lane] = soft->bias_rate;
    bundle->mass_scale[lane] = soft->mass_scale;
    bundle->impulse_scale[lane] = soft->impulse_scale;
    bundle->load_rate[lane] = m->bears_load ? LOAD_RATE : 0.0;
    for (int i = 0; i < 3; ++i)
    {
        bundle->give_a[i][lane] = a->give[i];
        bundle->give_b[i][lane] = b->give[i];
    }
}

/// Lanes without a manifold look at the bodies of the first one, and change nothing.
static void leave_lane(AbutSolveBundle* bundle, int lane)
{
    bundle->manifold[lane] = UINT32_MAX;
    bundle->a[lane] = bundle->a[0];
    bundle->b[lane] = bundle->b[0];
}

static void fill_bundles(AbutWorld* world, const AbutSoftness soft[2])
{
    AbutSolveBundle* bundle = world->rows.bundles;
    uint32_t row = 0;
    for (int place = 0; place < ABUT_COLOR_COUNT; ++place)
    {
        int color = color_at(place);
        uint32_t end = world->color_first[color + 1], lanes = lanes_of(color);
        for (uint32_t i = world->color_first[color]; i < end; i += lanes)
        {
            memset(bundle, 0, sizeof(*bundle));
            bundle->first = row;
            bundle->count = manifold_at(world, i)->count;
            row += bundle->count;
            for (uint32_t lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
            {
                if (lane < lanes && i + lane < end)
                {
                    fill_lane(world, bundle, (int)lane, world->order[i + lane], soft);
                }
                else
                {
                    leave_lane(bundle, (int)lane);
                }
            }
            ++bundle;
        }
    }
}

/// The deepest first: what closes first has the word, and those beside it find nothing to do. In any other order a contact that is
/// still open takes the blow, at a place where nothing touches.
static void sort_points(const AbutContactPoint* points, uint32_t count, uint8_t order[MOST_POINTS])
{
    for (uint32_t k = 0; k < count; ++k)
    {
        uint32_t to = k;
        for (; to > 0 && points[order[to - 1]].separation > points[k].separation; --to)
        {
            order[to] = order[to - 1];
        }
        order[to] = (uint8_t)k;
    }
}

/// Where a contact is: its axes, arms and gap.
static void place_row(const AbutContactPoint* point, AbutSolveRow* row, int lane)
{
    for (int i = 0; i < 3; ++i)
    {
        row->axis[0][i][lane] = point->normal[i];
        row->axis[1][i][lane] = point->tangent[0][i];
        row->axis[2][i][lane] = point->tangent[1][i];
        row->arm_a[i][lane] = point->arm_a[i];
        row->arm_b[i][lane] = point->arm_b[i];
    }
    row->gap[lane] = point->gap;
}

static void read_impulses(AbutContactPoint* point, const AbutSolveRow* row, int lane)
{
    point->normal_impulse = row->impulse[0][lane];
    point->tangent_impulse[0] = row->impulse[1][lane];
    point->tangent_impulse[1] = row->impulse[2][lane];
}

static void write_impulses(const AbutContactPoint* point, AbutSolveRow* row, int lane)
{
    row->impulse[0][lane] = point->normal_impulse;
    row->impulse[1][lane] = point->tangent_impulse[0];
    row->impulse[2][lane] = point->tangent_impulse[1];
}

static void fill_row(AbutContactPoint* point, AbutSolveRow* row, int lane)
{
    place_row(point, row, lane);
    write_impulses(point, row, lane);
    row->load[lane] = point->load;
}

/// A push goes on along the new axes.
static void move_row(AbutContactPoint* point, AbutSolveRow* row, int lane)
{
    double slide[3];
    for (int i = 0; i < 3; ++i)
    {
        slide[i] =
            row->impulse[1][lane] * row->axis[1][i][lane] + row->impulse[2][lane] * row->axis[2][i][lane];
    }
    double same = 0.0; // of what it pushed before, along the new normal
    for (int i = 0; i < 3; ++i)
    {
        same += row->axis[0][i][lane] * point->normal[i];
    }
    place_row(point, row, lane);
    row->impulse[0][lane] *= same > 0.0 ? same : 0.0;
    row->impulse[1][lane] = abut_dot(slide, point->tangent[0]);
    row->impulse[2][lane] = abut_dot(slide, point->tangent[1]);
}

typedef struct FillRun
{
    AbutWorld* world;
    const AbutSolveRun* run;
} FillRun;

/// The points of a lane in the order of its rows; their number.
static uint32_t points_of(const FillRun* fill, const AbutSolveBundle* bundle, int lane,
                          AbutContactPoint** points, uint8_t order[MOST_POINTS])
{
    if (bundle->manifold[lane] == UINT32_MAX)
    {
        return 0;
    }
    const AbutContactStore* store = &fill->world->stores[fill->world->current];
    const AbutManifold* m = &store->manifolds[bundle->manifold[lane]];
    *points = store->points + m->first;
    sort_points(*points, m->count, order);
    return m->count;
}

static uint32_t block_end(const AbutRows* rows, uint32_t block)
{
    uint32_t end = (block + 1) * BLOCK, all = rows->first[ABUT_COLOR_COUNT];
    return end < all ? end : all;
}

/// Where solids are in each other there is no way out that all contacts agree on: they press against each other without end, and when one of them loses its
/// place the others would shoot the body out. So no substep begins with what only presses.
static void ease_lane(const FillRun* fill, const AbutSolveBundle* bundle, int lane, AbutContactPoint* points,
                      const uint8_t order[MOST_POINTS], uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k)
    {
        read_impulses(&points[order[k]], &fill->run->rows[bundle->first + k], lane);
    }
    abut_contacts_ease(points, count);
    for (uint32_t k = 0; k < count; ++k)
    {
        write_impulses(&points[order[k]], &fill->run->rows[bundle->first + k], lane);
    }
}

static bool is_jammed(const AbutWorld* world, uint32_t manifold)
{
    return manifold != UINT32_MAX && world->stores[world->current].manifolds[manifold].is_jammed;
}

typedef void RowFn(AbutContactPoint* point, AbutSolveRow* row, int lane);

/// Calls `visit` for every contact of a bundle and its row; if it `tracks`, with contacts where bodies have taken them.
static void visit_rows(const FillRun* fill, const AbutSolveBundle* bundle, bool tracks, RowFn* visit)
{
    const AbutBody* bodies = fill->world->bodies;
    for (int lane = 0; lane < ABUT_SOLVE_LANES; ++lane)
    {
        uint8_t order[MOST_POINTS];
        AbutContactPoint* points = NULL;
        uint32_t count = points_of(fill, bundle, lane, &points, order);
        if (tracks && is_jammed(fill->world, bundle->manifold[lane]))
        {
            ease_lane(fill, bundle, lane, points, order, count);
        }
        if (tracks)
        {
            abut_contacts_track(&bodies[bundle->a[lane]], &bodies[bundle->b[lane]], points, count);
        }
        for (uint32_t k = 0; k < count; ++k)
        {
            visit(&points[order[k]], &fill->run->rows[bundle->first + k], lane);
        }
    }
}

static void fill_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const FillRun* fill = context;
    uint32_t first = block * BLOCK, end = block_end(&fill->world->rows, block);
    for (uint32_t i = first; i < end; ++i)
    {
        const AbutSolveBundle* bundle = &fill->run->bundles[i];
        memset(fill->run->rows + bundle->first, 0, bundle->count * sizeof(AbutSolveRow));
        visit_rows(fill, bundle, false, fill_row);
    }
    abut_solve_kernels()->prepare(fill->run, first, end);
}

static void track_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const FillRun* fill = context;
    uint32_t first = block * BLOCK, end = block_end(&fill->world->rows, block);
    for (uint32_t i = first; i < end; ++i)
    {
        visit_rows(fill, &fill->run->bundles[i], true, move_row);
    }
    abut_solve_kernels()->prepare(fill->run, first, end);
}

/// What was pushed, for the next step.
static void read_row(AbutContactPoint* point, AbutSolveRow* row, int lane)
{
    read_impulses(point, row, lane);
    point->load = row->load[lane];
    point->total_impulse = row->total[lane];
}

static void finish_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const FillRun* fill = context;
    uint32_t end = block_end(&fill->world->rows, block);
    for (uint32_t i = block * BLOCK; i < end; ++i)
    {
        visit_rows(fill, &fill->run->bundles[i], false, read_row);
    }
}

void abut_rows_fill(AbutWorld* world, const AbutSolveRun* run, AbutSoftness soft, AbutSoftness hard)
{
    const AbutSoftness both[2] = { soft, hard };
    FillRun fill = { world, run };
    fill_bundles(world, both);
    abut_parallel_for(&world->host, abut_block_count(world->rows.first[ABUT_COLOR_COUNT], BLOCK), fill_block,
                      &fill);
}

void abut_rows_track(AbutWorld* world, const AbutSolveRun* run)
{
    FillRun fill = { world, run };
    abut_parallel_for(&world->host, abut_block_count(world->rows.first[ABUT_COLOR_COUNT], BLOCK), track_block,
                      &fill);
}

void abut_rows_finish(AbutWorld* world, const AbutSolveRun* run)
{
    FillRun fill = { world, run };
    abut_parallel_for(&world->host, abut_block_count(world->rows.first[ABUT_COLOR_COUNT], BLOCK),
                      finish_block, &fill);
}

// ---------------------------------------------------------------------------------------------------------------------
// Groups
// ---------------------------------------------------------------------------------------------------------------------

typedef struct GroupRun
{
    const AbutSolveRun* run;
    AbutSolveKernel* kernel;
    uint32_t first, end;
} GroupRun;

static void run_block(void* context, uint32_t block, uint32_t worker)
{
    (void)worker;
    const GroupRun* group = context;
    uint32_t first = group->first + block * BLOCK, end = first + BLOCK;
    group->kernel(group->run, first, end < group->end ? end : group->end);
}

void abut_rows_visit(const AbutWorld* world, const AbutSolveRun* run, AbutSolveKernel* kernel)
{
    const AbutRows* rows = &world->rows;
    bool alone = world->host.worker_count <= 1;
    for (int place = 0; place < ABUT_COLOR_COUNT; ++place)
    {
        GroupRun group = { run, kernel, rows->first[place], rows->first[place + 1] };
        if (group.first == group.end)
        {
            continue;
        }
        const AbutSolveBundle* last = &run->bundles[group.end - 1];
        uint32_t size = last->first + last->count - run->bundles[group.first].first;
        if (alone || size < WORTH_SHARING || color_at(place) == ABUT_COLOR_REST)
        {
            kernel(run, group.first, group.end);
            continue;
        }
        abut_parallel_for(&world->host, abut_block_count(group.end - group.first, BLOCK), run_block, &group);
    }
}
