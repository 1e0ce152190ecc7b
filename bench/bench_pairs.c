// abut bench pairs [quick] [PART...] [MODEL...] [FORMAT]: two bodies at random poses, against FCL, ODE and
// GImpact.
//
// Parts: answers, warm, cold, touching, contacts, distance; all of them when none is named. Models: small,
// large, dragon, nut.
#include "bake_cases.h"
#include "pairs_cases.h"
#include "pairs_time.h"

#include <abut/io.h>
#include <abut/models.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PART_ANSWERS = 1,
    PART_WARM = 2,
    PART_COLD = 4,
    PART_TOUCHING = 8,
    PART_CONTACTS = 16,
    PART_DISTANCE = 32,
    PART_ALL = 63,

    MODEL_COUNT = 4,
    MOST_CONTACTS = 1 << 16
};

typedef struct PairsBench
{
    BenchReport* report;
    unsigned parts;
    unsigned models;
    bool quick;
    AbutFieldFormat format;
    bool sparse, open;
    int pose_count;
    int repeats;
    bool wrong; // an answer was
} PairsBench;

// -----------------------------------------------------------------------------------------------------------
// Contenders
// -----------------------------------------------------------------------------------------------------------

typedef struct Ours
{
    AbutCollideInput input;
    AbutContact* contacts;
    uint32_t capacity;
} Ours;

static int run_ours(void* context, const AbutPose* pose)
{
    Ours* ours = context;
    ours->input.pose_b = *pose;
    AbutCollideOutput output = abut_collide(&ours->input, ours->contacts, ours->capacity);
    return ours->capacity > 0 ? (int)output.contact_total : output.state == ABUT_COLLIDE_CONTACT;
}

typedef struct Theirs
{
    const BenchCollider* collider;
    void* pair;
} Theirs;

static int run_touches(void* context, const AbutPose* pose)
{
    Theirs* theirs = context;
    return theirs->collider->touches(theirs->pair, pose) ? 1 : 0;
}

static int run_contacts(void* context, const AbutPose* pose)
{
    Theirs* theirs = context;
    return theirs->collider->contacts(theirs->pair, pose);
}

static int run_our_distance(void* context, const AbutPose* pose)
{
    AbutDistanceInput* input = context;
    input->pose_b = *pose;
    return abut_distance(input).state == ABUT_COLLIDE_SEPARATED ? 1 : 0;
}

static int run_their_distance(void* context, const AbutPose* pose)
{
    Theirs* theirs = context;
    double nearest[2][3];
    return theirs->collider->distance(theirs->pair, pose, nearest) > 0.0 ? 1 : 0;
}

static int make_theirs(const PairModel* model, Theirs theirs[PAIRS_MOST_CONTENDERS])
{
    int count = 0;
    for (const BenchCollider* const* c = bench_colliders(); *c != NULL && count < PAIRS_MOST_CONTENDERS - 1;
         ++c)
    {
        theirs[count].collider = *c;
        theirs[count].pair = (*c)->create(model->mesh_a, model->mesh_b);
        count += theirs[count].pair != NULL ? 1 : 0;
    }
    return count;
}

// -----------------------------------------------------------------------------------------------------------
// One model
// -----------------------------------------------------------------------------------------------------------

typedef struct ModelRun
{
    PairsBench* bench;
    const PairModel* model;
    Theirs theirs[PAIRS_MOST_CONTENDERS];
    int their_count;
    Theirs* judge; // the one that says whether surfaces touch; NULL when it is not built in
    AbutPose poses[PAIRS_MOST_POSES];
    AbutPose touching[PAIRS_MOST_POSES];
    AbutCollideState states[PAIRS_MOST_POSES];
    int chosen[PAIRS_MOST_POSES];
} ModelRun;

static void report_row(const ModelRun* run, const char* what, double value, const char* unit,
                       const PairContender* peer)
{
    char name[64];
    snprintf(name, sizeof(name), "%s: %s", run->model->name, what);
    bench_report_row(run->bench->report, name, value, unit, peer != NULL ? peer->name : NULL,
                     peer != NULL ? peer->microseconds : 0.0, false);
}

/// Poses whose number is a multiple of `step` and whose state is `state` (any: ABUT_COLLIDE_STATE_COUNT).
static PairPoses choose(ModelRun* run, const AbutPose* all, AbutCollideState state, int step)
{
    PairPoses poses = { .all = all, .chosen = run->chosen };
    for (int i = 0; i < run->bench->pose_count; i += step)
    {
        if (state == ABUT_COLLIDE_STATE_COUNT || run->states[i] == state)
        {
            run->chosen[poses.count++] = i;
        }
    }
    return poses;
}

/// Abut and the judge, as yes/no queries.
static int make_deciders(ModelRun* run, Ours* ours, PairContender contenders[2])
{
    *ours = (Ours){ .input = abut_collide_input(run->model->field_a, run->model->field_b) };
    contenders[0] = (PairContender){ .name = "abut", .run = run_ours, .context = ours };
    contenders[1] = (PairContender){ .name = "FCL first contact", .run = run_touches, .context = run->judge };
    return run->judge != NULL ? 2 : 1;
}

static void run_warm(ModelRun* run)
{
    static const struct
    {
        const char* what;
        AbutCollideState state;
    } rows[] = { { "yes/no", ABUT_COLLIDE_STATE_COUNT },
                 { "yes/no, colliding", ABUT_COLLIDE_CONTACT },
                 { "yes/no, separated", ABUT_COLLIDE_SEPARATED } };
    for (int i = 0; i < 3; ++i)
    {
        Ours ours;
        PairContender contenders[2];
        int count = make_deciders(run, &ours, contenders);
        PairPoses poses = choose(run, run->poses, rows[i].state, 1);
        if (poses.count > 0)
        {
            pairs_time_warm(contenders, count, poses, run->bench->repeats);
            report_row(run, rows[i].what, contenders[0].microseconds, "us",
                       count > 1 ? &contenders[1] : NULL);
        }
    }
}

static bool run_cold(ModelRun* run)
{
    Ours ours;
    PairContender contenders[2];
    int count = make_deciders(run, &ours, contenders);
    bool ok = pairs_time_cold(contenders, count, choose(run, run->poses, ABUT_COLLIDE_STATE_COUNT, 5), 3);
    report_row(run, "yes/no, cold", contenders[0].microseconds, "us", count > 1 ? &contenders[1] : NULL);
    return ok;
}

/// B of every colliding pose pulled away until the surfaces touch within a hundredth of a cell.
static void run_touching(ModelRun* run)
{
    PairPoses poses = choose(run, run->touching, ABUT_COLLIDE_CONTACT, run->bench->quick ? 1 : 2);
    if (run->judge == NULL || poses.count == 0)
    {
        return;
    }
    double step = 0.01 * (double)run->model->cell_size;
    for (int i = 0; i < poses.count; ++i)
    {
        int n = poses.chosen[i];
        run->touching[n] =
            pair_model_touching(run->model, run->judge->collider, run->judge->pair, run->poses[n], n, step);
    }
    Ours ours;
    PairContender contenders[2];
    int count = make_deciders(run, &ours, contenders);
    pairs_time_warm(contenders, count, poses, run->bench->repeats);
    report_row(run, "yes/no, touching", contenders[0].microseconds, "us", &contenders[1]);
    report_row(run, "touching, proved to touch", 100.0 * contenders[0].found, "%", NULL);
}

static bool run_contact_sets(ModelRun* run)
{
    Ours ours = { .input = abut_collide_input(run->model->field_a, run->model->field_b),
                  .contacts = malloc(MOST_CONTACTS * sizeof(AbutContact)),
                  .capacity = MOST_CONTACTS };
    PairPoses poses = choose(run, run->poses, ABUT_COLLIDE_CONTACT, 1);
    if (ours.contacts == NULL)
    {
        fprintf(stderr, "abut: bench pairs: no memory for contacts\n");
        return false;
    }
    ours.input.settings.spacing = 4.0f * run->model->cell_size;
    PairContender contenders[PAIRS_MOST_CONTENDERS] = {
        { .name = "abut", .run = run_ours, .context = &ours }
    };
    char names[PAIRS_MOST_CONTENDERS][48];
    for (int i = 0; i < run->their_count; ++i)
    {
        contenders[i + 1] = (PairContender){ names[i], run_contacts, &run->theirs[i], 0.0, 0.0 };
    }
    if (poses.count > 0)
    {
        pairs_time_warm(contenders, 1 + run->their_count, poses, run->bench->repeats < 3 ? 1 : 3);
        for (int i = 0; i < run->their_count; ++i)
        {
            snprintf(names[i], sizeof(names[i]), "%s, all (%.0f)", run->theirs[i].collider->name,
                     contenders[i + 1].found);
            report_row(run, "contacts", contenders[0].microseconds, "us", &contenders[i + 1]);
        }
        report_row(run, "contacts", contenders[0].found, "per pair", NULL);
    }
    free(ours.contacts);
    return true;
}

/// How many of the proved bounds do not hold the judge's distance; *width is how far they are apart, on
/// average.
static int count_wrong_distances(const ModelRun* run, PairPoses poses, double* width)
{
    AbutDistanceInput input = abut_distance_input(run->model->field_a, run->model->field_b);
    int wrong = 0;
    *width = 0.0;
    for (int i = 0; i < poses.count; ++i)
    {
        input.pose_b = poses.all[poses.chosen[i]];
        double nearest[2][3],
            truth = run->judge->collider->distance(run->judge->pair, &input.pose_b, nearest);
        AbutDistanceOutput output = abut_distance(&input);
        double slack = 1e-6 + 1e-5 * truth;
        bool separated = output.state == ABUT_COLLIDE_SEPARATED;
        bool right =
            truth >= (double)output.low - slack && (!separated || truth <= (double)output.high + slack);
        wrong += right ? 0 : 1;
        *width += separated ? ((double)output.high - (double)output.low) / poses.count : 0.0;
    }
    return wrong;
}

static void run_distance(ModelRun* run)
{
    PairPoses poses = choose(run, run->poses, ABUT_COLLIDE_SEPARATED, 1);
    AbutDistanceInput input = abut_distance_input(run->model->field_a, run->model->field_b);
    PairContender contenders[2] = {
        { .name = "abut", .run = run_our_distance, .context = &input },
        { .name = "FCL distance", .run = run_their_distance, .context = run->judge }
    };
    int count = run->judge != NULL ? 2 : 1;
    if (poses.count == 0)
    {
        return;
    }
    pairs_time_warm(contenders, count, poses, 3);
    report_row(run, "distance, separated", contenders[0].microseconds, "us",
               count > 1 ? &contenders[1] : NULL);
    if (count > 1)
    {
        double width;
        int wrong = count_wrong_distances(run, poses, &width);
        report_row(run, "distance, width of bounds", 1e3 * width, "1/1000", NULL);
        report_row(run, "distance, wrong", wrong, "poses", NULL);
        run->bench->wrong = run->bench->wrong || wrong > 0;
    }
}

/// Every answer against the judge's, which finds the states of all poses for the other parts too.
static void run_answers(ModelRun* run)
{
    PairTally tally = pair_model_check(run->model, run->judge->collider, run->judge->pair, run->poses,
                                       run->bench->pose_count, run->states);
    double percent = 100.0 / run->bench->pose_count;
    report_row(run, "answers, colliding", percent * tally.contact, "%", NULL);
    report_row(run, "answers, undecided", percent * (tally.close + tally.budget), "%", NULL);
    report_row(run, "answers, budget spent", percent * tally.budget, "%", NULL);
    report_row(run, "answers, missed", tally.missed, "poses", NULL);
    report_row(run, "answers, wrong", tally.wrong, "poses", NULL);
    run->bench->wrong = run->bench->wrong || tally.missed + tally.wrong > 0;
}

static void find_states(ModelRun* run)
{
    AbutCollideInput input = abut_collide_input(run->model->field_a, run->model->field_b);
    for (int i = 0; i < run->bench->pose_count; ++i)
    {
        input.pose_b = run->poses[i];
        run->states[i] = abut_collide(&input, NULL, 0).state;
    }
}

static bool run_parts(ModelRun* run)
{
    unsigned parts = run->bench->parts;
    pair_model_make_poses(run->model, run->poses, run->bench->pose_count);
    find_states(run);
    if ((parts & PART_ANSWERS) != 0 && run->judge != NULL)
    {
        run_answers(run);
    }
    if ((parts & PART_WARM) != 0)
    {
        run_warm(run);
    }
    bool ok = (parts & PART_COLD) == 0 || run_cold(run);
    if ((parts & PART_TOUCHING) != 0)
    {
        run_touching(run);
    }
    if ((parts & PART_DISTANCE) != 0)
    {
        run_distance(run);
    }
    return ok && ((parts & PART_CONTACTS) == 0 || run_contact_sets(run));
}

static bool run_model(PairsBench* bench, const PairModel* model)
{
    ModelRun* run = calloc(1, sizeof(ModelRun));
    if (run == NULL)
    {
        fprintf(stderr, "abut: bench pairs: no memory for %d poses\n", PAIRS_MOST_POSES);
        return false;
    }
    run->bench = bench;
    run->model = model;
    run->their_count = make_theirs(model, run->theirs);
    bool judged = run->their_count > 0 && run->theirs[0].collider->touches != NULL;
    run->judge = judged ? &run->theirs[0] : NULL;
    bool ok = run_parts(run);
    for (int i = 0; i < run->their_count; ++i)
    {
        run->theirs[i].collider->destroy(run->theirs[i].pair);
    }
    free(run);
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// Models
// -----------------------------------------------------------------------------------------------------------

/// A mesh of the folder in ABUT_SHARED_MESHES; NULL when it is not there.
static AbutMesh* load_shared(const char* file)
{
    const char* folder = getenv("ABUT_SHARED_MESHES");
    AbutMesh* mesh = NULL;
    char path[512];
    snprintf(path, sizeof(path), "%s/%s", folder != NULL ? folder : ".", file);
    return folder != NULL && abut_mesh_load(path, &mesh) == ABUT_OK ? mesh : NULL;
}

static AbutResult make_threads(AbutMesh** nut, AbutMesh** bolt)
{
    AbutThreadMeshDef def = abut_thread_mesh_def();
    def.divisions_per_turn = 96;
    AbutResult result = abut_mesh_create_bolt(&def, bolt);
    def.length = 0.4f * def.length;
    return result == ABUT_OK ? abut_mesh_create_nut(&def, nut) : result;
}

/// Meshes of model `index`, from files when they are there, else generated ones of the same kind.
static bool make_meshes(int index, const char** name, AbutMesh** a, AbutMesh** b)
{
    static const struct
    {
        const char *file, *name, *generated;
        uint32_t triangle_count;
    } models[] = { { "bunny4k.obj", "bunny 4k", "statue 4k", 4000 },
                   { "bunny69k.obj", "bunny 69k", "statue 69k", 69000 },
                   { "dragon48k.obj", "dragon 48k", "statue 48k", 48000 } };
    AbutResult result = ABUT_OK;
    if (index < 3)
    {
        *a = load_shared(models[index].file);
        *name = *a != NULL ? models[index].name : models[index].generated;
        result = *a != NULL ? ABUT_OK : bake_mesh_create_statue(models[index].triangle_count, a);
        *b = *a;
    }
    else
    {
        *a = load_shared("factory_nut_m16_loose_subdiv_3x.obj");
        *b = *a != NULL ? load_shared("factory_bolt_m16_loose.obj") : NULL;
        *name = *b != NULL ? "nut and bolt" : "made nut and bolt";
        if (*b == NULL)
        {
            abut_mesh_destroy(*a);
            *a = NULL;
            result = make_threads(a, b);
        }
    }
    if (result != ABUT_OK)
    {
        fprintf(stderr, "abut: bench pairs: %s: %s\n", *name, abut_last_error());
        abut_mesh_destroy(*a);
    }
    return result == ABUT_OK;
}

static bool run_models(PairsBench* bench)
{
    bool ok = true;
    for (int i = 0; i < MODEL_COUNT && ok; ++i)
    {
        PairModel model = { 0 };
        AbutMesh *a = NULL, *b = NULL;
        const char* name = "";
        if ((bench->models & (1u << i)) != 0)
        {
            ok = make_meshes(i, &name, &a, &b);
            PairModelDef def = { name, bench->format, bench->sparse, bench->open };
            ok = ok && pair_model_create(&def, a, b, &model);
            ok = ok && run_model(bench, &model);
            pair_model_destroy(&model);
        }
    }
    return ok;
}

// -----------------------------------------------------------------------------------------------------------
// Arguments
// -----------------------------------------------------------------------------------------------------------

static unsigned bit_named(const char* name, const char* const* names, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
    {
        if (strcmp(name, names[i]) == 0)
        {
            return 1u << i;
        }
    }
    return 0;
}

static bool parse(int count, char** arguments, PairsBench* bench)
{
    static const char* const parts[] = { "answers", "warm", "cold", "touching", "contacts", "distance" };
    static const char* const models[] = { "small", "large", "dragon", "nut" };
    static const char* const formats[] = { "f32", "f16", "first" };
    for (int i = 0; i < count; ++i)
    {
        unsigned part = bit_named(arguments[i], parts, 6);
        unsigned model = bit_named(arguments[i], models, MODEL_COUNT);
        unsigned format = bit_named(arguments[i], formats, ABUT_FIELD_FORMAT_COUNT);
        bool quick = strcmp(arguments[i], "quick") == 0, sparse = strcmp(arguments[i], "sparse") == 0;
        bool open = strcmp(arguments[i], "open") == 0;
        if (part == 0 && model == 0 && format == 0 && !quick && !sparse && !open)
        {
            fprintf(stderr,
                    "abut: bench pairs: '%s' is none of quick; answers, warm, cold, touching, contacts, "
                    "distance; "
                    "small, large, dragon, nut; f32, f16, first, sparse; open\n",
                    arguments[i]);
            return false;
        }
        bench->parts |= part;
        bench->models |= model;
        bench->quick = bench->quick || quick;
        bench->sparse = bench->sparse || sparse;
        bench->open = bench->open || open;
        bench->format = format == 4 ? ABUT_FIELD_FIRST_ORDER : (format == 2 ? ABUT_FIELD_F16 : bench->format);
    }
    return true;
}

bool bench_pairs_run(BenchReport* report, int argument_count, char** arguments)
{
    PairsBench bench = { .report = report, .format = ABUT_FIELD_F32 };
    if (!parse(argument_count, arguments, &bench))
    {
        return false;
    }
    bench.parts = bench.parts == 0 ? PART_ALL : bench.parts;
    bench.models = bench.models != 0 ? bench.models : (bench.quick ? 1u : (1u << MODEL_COUNT) - 1u);
    bench.pose_count = bench.quick ? 100 : PAIRS_MOST_POSES;
    bench.repeats = bench.quick ? 3 : 5;
    if (bench_colliders()[0] == NULL)
    {
        fprintf(stderr, "abut: bench pairs: built without FCL, which checks the answers; "
                        "tools/install_packages bench installs it\n");
    }
    return run_models(&bench) && !bench.wrong;
}
