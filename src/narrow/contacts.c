#include "narrow/contacts.h"

#include "narrow/project.h"

#include <math.h>
#include <string.h>

enum
{
    PROJECTION_STEPS = 8
};

/// Projects the points and keeps those that arrive.
static void add_projected(AbutPair* pair, AbutPairBatch* points, float reach, float spacing,
                          AbutContactList* list)
{
    abut_pair_project(pair, points, PROJECTION_STEPS, reach);
    for (size_t i = 0; i < points->count; ++i)
    {
        if (fmaxf(points->distance[0][i], points->distance[1][i]) <= reach)
        {
            AbutContact contact = abut_contact_make(pair, points, i, spacing);
            abut_contact_list_add(list, &contact);
        }
    }
    points->count = 0;
}

/// All cubes where max(distance of A, distance of B) may be under `reach`.
static void collect(AbutPair* pair, AbutSearch* search, float reach, float spacing, AbutContactList* list)
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
    list->count = (int)abut_contacts_join(list->items, (size_t)list->count);
}

int abut_pair_contacts(AbutPair* pair, AbutSearch* search, AbutContactList* list, float margin,
                       float tolerance, float* spacing, AbutContact* contacts, int capacity, int* total)
{
    float reach = 0.5f * margin + tolerance;
    collect(pair, search, reach, *spacing, list);
    for (int i = 0; i < 8 && list->full; ++i)
    {
        *spacing *= 2.0f;
        collect(pair, search, reach, *spacing, list);
    }
    *total = list->count;
    size_t count = abut_contacts_keep_deepest(list->items, (size_t)list->count, (size_t)capacity);
    memcpy(contacts, list->items, count * sizeof(list->items[0]));
    return (int)count;
}
