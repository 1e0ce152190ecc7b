// The error of a field falls with a power of the cell size: 2 or 3 where the surface is smooth, 1 at its
// edges. Two bakes show the power, which gives the resolution of the next; the search ends by measured errors
// alone. An impossible error is predicted from the edges of a mesh, or from the first bakes.
#include "bake/resolution.h"

#include "bake/build/plan.h"
#include "bake/crease.h"

#include <math.h>
#include <stdio.h>

enum
{
    FIRST_RESOLUTION = 32,
    LAST_RESOLUTION = 8192,
    MAX_BAKES = 12,
    BRICK = 8 // resolutions are multiples of it: those between cost the same
};

static const double MIN_ORDER = 0.9, MAX_ORDER = 3.2; // of convergence, as measured
static const double LARGEST_STEP = 3.0;               // from one resolution to the next
static const double AIM = 0.9; // of the target: measured errors are samples and scatter

/// An error over this fraction of the last one is at the rounding of floats.
static const double NO_FALL = 0.95;

/// Orders between these are from edges; predictions use the larger one, which gives fewer cells.
static const double EDGE_ORDERS[2] = { 0.75, 1.35 };

/// Progress of all bakes of a search: each has half of the rest, since their number is unknown.
typedef struct SearchProgress
{
    const AbutBakeDef* def;
    float start;
} SearchProgress;

static bool report(void* user, float done)
{
    const SearchProgress* self = user;
    return self->def->progress(self->def->progress_user, self->start + 0.5f * (1.0f - self->start) * done);
}

typedef struct Search
{
    double target;
    uint32_t resolution, last_resolution; // last: the finest that was baked; 0 before
    double last_error;
    double order;
    double fall; // the order measured by the last two bakes; 0: unknown
    bool stepped_back;
} Search;

static uint32_t whole_bricks(double resolution)
{
    double rounded = ceil(resolution / BRICK) * BRICK;
    return (uint32_t)fmin(rounded, LAST_RESOLUTION);
}

/// Chooses the next resolution from a measured error. @return false when none is left to try.
static bool advance(Search* search, double error)
{
    Search before = *search;
    search->last_resolution = search->resolution;
    search->last_error = error;
    if (before.last_resolution != 0)
    {
        double finer = (double)before.resolution / before.last_resolution;
        search->fall = log(before.last_error / error) / log(finer);
        search->order = fmin(fmax(search->fall, MIN_ORDER), MAX_ORDER);
        if (finer > 1.2 && error > NO_FALL * before.last_error)
        {
            return false;
        }
    }
    double step = pow(error / (AIM * search->target), 1.0 / search->order);
    // One bake gives no order.
    double largest = before.last_resolution == 0 ? 2.0 : LARGEST_STEP;
    uint32_t next = whole_bricks(before.resolution * fmin(step, largest));
    search->resolution = next > before.resolution ? next : before.resolution + BRICK;
    return search->resolution <= LAST_RESOLUTION;
}

/// Retries with a lower resolution when the chosen one takes too much memory: a little less may be enough,
/// since the aim is under the target, but far less is not. @return false when that has been tried.
static bool step_back(Search* search)
{
    uint32_t less = whole_bricks(AIM * search->resolution - BRICK);
    bool worth_it = !search->stepped_back && less > search->last_resolution && search->last_resolution != 0;
    search->stepped_back = true;
    search->resolution = worth_it ? less : search->resolution;
    return worth_it;
}

static AbutResult fail_search(const Search* search, const char* reason)
{
    return abut_fail(
        ABUT_LIMIT_EXCEEDED,
        "bake: an error of %g is not reached: with %u cells along the longest side it is %g, falling with "
        "the power %.1f of the cell size; %s",
        search->target, search->last_resolution, search->last_error, search->order, reason);
}

// -----------------------------------------------------------------------------------------------------------
// Predictions
// -----------------------------------------------------------------------------------------------------------

typedef struct Outlook
{
    const AbutBakeDef* def; // without a target
    const AbutBakeTarget* target;
    double area; // of a mesh; 0: not known
} Outlook;

static uint64_t node_bytes(const Outlook* outlook)
{
    return outlook->def->format == ABUT_FIELD_FIRST_ORDER ? 8
           : outlook->def->format == ABUT_FIELD_F16       ? 2
                                                          : 4;
}

/// Bytes that a sparse field of a surface of this area stores at least: a brick of 8³ cells holds no more of
/// a plain surface than its diagonal section, which is under three of its faces.
static uint64_t min_stored_bytes(const Outlook* outlook, double cell)
{
    double bricks = outlook->area / (3.0 * BRICK * BRICK * cell * cell);
    return outlook->def->sparse ? (uint64_t)fmin(bricks, 1e12) * BRICK * BRICK * BRICK * node_bytes(outlook)
                                : 0;
}

/// True when a bake with so many cells is not refused before any work.
static bool is_possible(const Outlook* outlook, uint32_t resolution)
{
    AbutBakeDef def = *outlook->def;
    AbutFieldHeader plan = { 0 };
    def.resolution = resolution;
    return abut_bake_plan(&def, outlook->target->bounds, &plan) == ABUT_OK &&
           abut_bake_check_plan(&def, &plan, outlook->target->source_bytes) == ABUT_OK &&
           abut_bake_check_bytes(&def, min_stored_bytes(outlook, plan.cell_size),
                                 outlook->target->source_bytes) == ABUT_OK;
}

/// The most cells that are possible, in whole bricks; 0: not even the first.
static uint32_t finest_possible(const Outlook* outlook)
{
    uint32_t low = 0, high = LAST_RESOLUTION / BRICK + 1;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        *(is_possible(outlook, middle * BRICK) ? &low : &high) = middle;
    }
    return low * BRICK;
}

/// The needs of a target, and their reason.
typedef struct Need
{
    double resolution;
    double reached; // estimated error with the finest possible cells
    const char* reason;
} Need;

/// Lower bound, of the nodes alone.
static double min_gigabytes(const Outlook* outlook, double resolution)
{
    AbutBakeDef def = *outlook->def;
    AbutFieldHeader plan = { 0 };
    def.resolution = (uint32_t)resolution;
    if (abut_bake_plan(&def, outlook->target->bounds, &plan) != ABUT_OK)
    {
        return 0.0;
    }
    double bricks = (double)plan.brick_count[0] * plan.brick_count[1] * plan.brick_count[2];
    double dense = bricks * BRICK * BRICK * BRICK * (double)node_bytes(outlook);
    return 1e-9 * (def.sparse ? (double)min_stored_bytes(outlook, plan.cell_size) : dense);
}

/// The limit of the finest possible cells. @return true when it is the memory.
static bool name_limit(const Outlook* outlook, uint32_t finest, char* out, size_t size)
{
    AbutBakeDef def = *outlook->def;
    AbutFieldHeader plan = { 0 };
    def.resolution = finest + BRICK;
    if (finest >= LAST_RESOLUTION)
    {
        snprintf(out, size, "there may be");
        return false;
    }
    if (abut_bake_plan(&def, outlook->target->bounds, &plan) == ABUT_OK && abut_bake_min_bytes(&plan) == 0)
    {
        snprintf(out, size, "a field can hold");
        return false;
    }
    snprintf(out, size, "the memory limit of %.3g GB allows", 1e-9 * (double)abut_bake_memory_limit(&def));
    return true;
}

static AbutResult fail_need(const Outlook* outlook, double target, const Need* need, uint32_t finest)
{
    double cells = ceil(need->resolution / BRICK) * BRICK;
    char bytes[96] = "", limit[96];
    bool by_memory = name_limit(outlook, finest, limit, sizeof(limit));
    double gigabytes = cells <= LAST_RESOLUTION ? min_gigabytes(outlook, cells) : 0.0;
    if (gigabytes > 0.0)
    {
        snprintf(bytes, sizeof(bytes), " (over %.2g GB)", gigabytes);
    }
    return abut_fail(
        ABUT_LIMIT_EXCEEDED,
        "bake: an error of %g is not reached: %s, so that it takes %.0f cells along the longest side or "
        "more%s, and %u are what %s; with them about %.2g is reached: ask for that%s%s",
        target, need->reason, cells, bytes, finest, limit, need->reached,
        finest < LAST_RESOLUTION && !outlook->def->sparse ? ", or for a sparse field" : "",
        by_memory ? ", or for more memory" : "");
}

static double cell_of(const Outlook* outlook, double resolution)
{
    AbutVec3 extents = abut_box_extents(outlook->target->bounds);
    double longest = fmax((double)extents.x, fmax((double)extents.y, (double)extents.z));
    return longest / fmax(1.0, resolution - 2.0 * (double)outlook->def->margin);
}

/// The bound from the edges of a mesh. A shell and a box of a mesh may have other edges.
static AbutResult check_creases(Outlook* outlook, double target)
{
    const AbutBakeDef* def = outlook->def;
    const AbutMesh* mesh = outlook->target->mesh;
    if (mesh == NULL || def->sign == ABUT_BAKE_SIGN_SHELL || !abut_box_is_empty(def->box))
    {
        return ABUT_OK;
    }
    AbutCreases creases;
    AbutResult result = abut_creases_find(def, mesh, &creases);
    outlook->area = creases.area;
    double degrees = 0.0, cell = abut_creases_cell(&creases, target, &degrees);
    uint32_t finest = finest_possible(outlook);
    if (result != ABUT_OK || finest < FIRST_RESOLUTION || cell >= cell_of(outlook, finest))
    {
        return result; // without possible cells the first bake fails with a message
    }
    char reason[128];
    snprintf(reason, sizeof(reason), "edges that bend by %.0f degrees or more cost a part of a cell",
             degrees);
    const Need need = { cell_of(outlook, 0.0) / cell + 2.0 * (double)def->margin,
                        abut_creases_error(&creases, cell_of(outlook, finest)), reason };
    return fail_need(outlook, target, &need, finest);
}

/// The prediction from two bakes: an error of about first order is from edges, and stays of first order.
static AbutResult check_fall(const Outlook* outlook, const Search* search)
{
    if (search->fall < EDGE_ORDERS[0] || search->fall > EDGE_ORDERS[1])
    {
        return ABUT_OK;
    }
    uint32_t finest = finest_possible(outlook);
    double ratio = search->last_error / search->target;
    char reason[160];
    snprintf(reason, sizeof(reason), "with %u cells it is %.3g, falling with the power %.1f of the cell size",
             search->last_resolution, search->last_error, search->fall);
    const Need need = { search->last_resolution * pow(ratio, 1.0 / EDGE_ORDERS[1]),
                        search->last_error * pow((double)search->last_resolution / finest, search->fall),
                        reason };
    return need.resolution > finest ? fail_need(outlook, search->target, &need, finest) : ABUT_OK;
}

// -----------------------------------------------------------------------------------------------------------
// The search
// -----------------------------------------------------------------------------------------------------------

/// Chooses the next resolution after a bake with too large an error, and predicts whether the target is
/// possible.
static AbutResult go_on(Search* search, const Outlook* outlook, double error)
{
    return advance(search, error) ? check_fall(outlook, search)
                                  : fail_search(search, "finer cells do not help");
}

AbutResult abut_bake_to_target(const AbutBakeDef* def, const AbutBakeTarget* target, AbutShape** out)
{
    Search search = { .target = (double)def->target_error, .resolution = FIRST_RESOLUTION, .order = 1.0 };
    SearchProgress progress = { .def = def };
    AbutBakeDef one = *def;
    one.target_error = 0.0f;
    one.cell_size = 0.0f;
    one.progress = def->progress != NULL ? report : NULL;
    one.progress_user = &progress;
    Outlook outlook = { .def = &one, .target = target };
    AbutResult result = check_creases(&outlook, search.target);
    for (int i = 0; i < MAX_BAKES && result == ABUT_OK; ++i, progress.start += 0.5f * (1.0f - progress.start))
    {
        one.resolution = search.resolution;
        result = target->once(&one, target->source, out);
        if (result == ABUT_LIMIT_EXCEEDED && search.last_resolution != 0)
        {
            result = step_back(&search) ? ABUT_OK : fail_search(&search, abut_last_error());
            continue;
        }
        if (result != ABUT_OK)
        {
            return result;
        }
        double error = (double)abut_field_info(*out).measured_max;
        if (error <= search.target)
        {
            return ABUT_OK;
        }
        abut_shape_destroy(*out);
        *out = NULL;
        result = go_on(&search, &outlook, error);
    }
    return result != ABUT_OK ? result : fail_search(&search, "too many bakes were tried");
}
