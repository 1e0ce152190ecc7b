#include "narrow/contacts.h"

#include "narrow/project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_CONTACTS = 2048,
    PROJECTION_STEPS = 8
};

typedef struct ContactList
{
    AbutContact items[MOST_CONTACTS];
    int count;
    bool full;
} ContactList;

static int compare_places(const AbutContact* a, const AbutContact* b)
{
    return memcmp(&a->position, &b->position, sizeof(a->position));
}

/// By id, then the deepest first, then anything that does not depend on the order of the search.
static int compare_ids(const void* left, const void* right)
{
    const AbutContact *a = left, *b = right;
    if (a->id != b->id)
    {
        return a->id < b->id ? -1 : 1;
    }
    return a->separation != b->separation ? (a->separation < b->separation ? -1 : 1) : compare_places(a, b);
}

static int compare_depths(const void* left, const void* right)
{
    const AbutContact *a = left, *b = right;
    return a->separation != b->separation ? (a->separation < b->separation ? -1 : 1) : compare_ids(a, b);
}

/// Keeps the deepest contact of each cube.
static void join_cubes(ContactList* list)
{
    qsort(list->items, (size_t)list->count, sizeof(list->items[0]), compare_ids);
    int kept = 0;
    for (int i = 0; i < list->count; ++i)
    {
        if (kept == 0 || list->items[kept - 1].id != list->items[i].id)
        {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

static void add_contact(ContactList* list, const AbutContact* contact)
{
    if (list->count == MOST_CONTACTS)
    {
        join_cubes(list);
        list->full = list->count > MOST_CONTACTS / 2;
    }
    if (!list->full)
    {
        list->items[list->count++] = *contact;
    }
}

/// The cube of space that a point is in, 21 bits for each axis.
static uint64_t cube_id(const float at[3], float spacing)
{
    uint64_t id = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double cube = floor((double)at[axis] / (double)spacing) + 1048576.0;
        cube = cube > 0.0 ? (cube < 2097151.0 ? cube : 2097151.0) : 0.0;
        id |= (uint64_t)cube << (21 * axis);
    }
    return id;
}

static AbutContact make_contact(const AbutPairBatch* batch, size_t i, float spacing)
{
    const float at[3] = { batch->at[0][i], batch->at[1][i], batch->at[2][i] };
    float a = batch->distance[0][i], b = batch->distance[1][i];
    AbutVec3 normal = abut_vec3(batch->gradient[1][0][i], batch->gradient[1][1][i], batch->gradient[1][2][i]);
    float length = abut_vec3_length(normal);
    float scale = length > 0.0f ? 1.0f / length : 0.0f;
    return (AbutContact){
        .position = abut_vec3(at[0], at[1], at[2]),
        .normal = abut_vec3(normal.x * scale, normal.y * scale, normal.z * scale),
        .separation = fmaxf(a, b) > 0.0f ? a + b : fminf(a, b), // outside of one, the sum is at most the gap
        .id = cube_id(at, spacing),
    };
}

/// Projects the points and keeps those that arrive.
static void add_projected(AbutPair* pair, AbutPairBatch* points, float reach, float spacing,
                          ContactList* list)
{
    abut_pair_project(pair, points, PROJECTION_STEPS, reach);
    for (size_t i = 0; i < points->count; ++i)
    {
        if (fmaxf(points->distance[0][i], points->distance[1][i]) <= reach)
        {
            AbutContact contact = make_contact(points, i, spacing);
            add_contact(list, &contact);
        }
    }
    points->count = 0;
}

/// All cubes where max(distance of A, distance of B) may be under `reach`.
static void collect(AbutPair* pair, AbutSearch* search, float reach, float spacing, ContactList* list)
{
    bool open[ABUT_PAIR_BATCH];
    AbutPairBatch points;
    points.count = 0;
    list->count = 0;
    list->full = false;
    abut_search_init(search, pair, reach, 0.866f * spacing); // half of a cube's diagonal
    for (size_t count; !list->full && (count = abut_search_step(search, open)) > 0;)
    {
        for (size_t i = 0; i < count; ++i)
        {
            if (open[i] && search->children[i].level < search->last_level)
            {
                abut_search_push(search, &search->children[i]);
            }
            else if (open[i])
            {
                for (int axis = 0; axis < 3; ++axis)
                {
                    points.at[axis][points.count] = search->children[i].center[axis];
                }
                points.count += 1;
                if (points.count == ABUT_PAIR_BATCH)
                {
                    add_projected(pair, &points, reach, spacing, list);
                }
            }
        }
    }
    add_projected(pair, &points, reach, spacing, list);
    join_cubes(list);
}

int abut_pair_contacts(AbutPair* pair, AbutSearch* search, float margin, float tolerance, float* spacing,
                       AbutContact* contacts, int capacity, int* total)
{
    ContactList list;
    float reach = 0.5f * margin + tolerance;
    collect(pair, search, reach, *spacing, &list);
    for (int i = 0; i < 8 && list.full; ++i)
    {
        *spacing *= 2.0f;
        collect(pair, search, reach, *spacing, &list);
    }
    *total = list.count;
    int count = list.count;
    if (count > capacity)
    {
        qsort(list.items, (size_t)count, sizeof(list.items[0]), compare_depths);
        count = capacity;
        qsort(list.items, (size_t)count, sizeof(list.items[0]), compare_ids);
    }
    memcpy(contacts, list.items, (size_t)count * sizeof(list.items[0]));
    return count;
}
