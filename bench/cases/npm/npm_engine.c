// Engines from npm: Node.js runs them (bench/peers/npm/run.js) and answers with numbers on a pipe.
#include "npm_cases.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

const NpmEngine* npm_engines(void)
{
    static const NpmEngine engines[] = {
        { "PhysX TGS (wasm)", "physx-tgs", true },
        { "PhysX PGS (wasm)", "physx-pgs", true },
        { "MuJoCo (wasm)", "mujoco", false },
        { NULL, NULL, false },
    };
    return engines;
}

bool npm_engines_available(void)
{
    bool there = access(BENCH_NPM_FOLDER "/node_modules/.installed-lock.json", R_OK) == 0;
    if (!there)
    {
        fprintf(stderr, "abut: bench npm: going without PhysX and MuJoCo; tools/install_npm bench/peers/npm "
                        "installs them from npm\n");
    }
    return there;
}

// -----------------------------------------------------------------------------------------------------------
// The scene, as JSON
// -----------------------------------------------------------------------------------------------------------

static void write_mesh(const AbutMesh* mesh, FILE* out)
{
    fputs("\"vertices\":[", out);
    for (uint32_t i = 0; i < abut_mesh_vertex_count(mesh); ++i)
    {
        AbutVec3 v = abut_mesh_vertices(mesh)[i];
        fprintf(out, "%s%.9g,%.9g,%.9g", i > 0 ? "," : "", (double)v.x, (double)v.y, (double)v.z);
    }
    fputs("],\n\"triangles\":[", out);
    for (uint32_t i = 0; i < 3 * abut_mesh_triangle_count(mesh); ++i)
    {
        fprintf(out, "%s%u", i > 0 ? "," : "", abut_mesh_indices(mesh)[i]);
    }
    fputs("],\n", out);
}

static void write_scene(const NpmModel* model, const AbutPose* poses, int steps, double limit, FILE* out)
{
    const AbutMassData* mass = &model->mass;
    fprintf(out, "{\"step\":%.17g,\"steps\":%d,\"limit\":%.9g,\"friction\":%.9g,\"cell\":%.9g,", NPM_STEP,
            steps, limit, NPM_FRICTION, model->cell);
    fprintf(out, "\"mass\":%.9g,\"inertia\":[%.9g,%.9g,%.9g],\n", NPM_DENSITY * mass->volume,
            NPM_DENSITY * mass->inertia[0][0], NPM_DENSITY * mass->inertia[1][1],
            NPM_DENSITY * mass->inertia[2][2]);
    write_mesh(model->mesh, out);
    fputs("\"poses\":[", out);
    for (uint32_t i = 0; i < NPM_BODIES; ++i)
    {
        AbutPosition p = poses[i].position;
        AbutQuat q = poses[i].rotation;
        fprintf(out, "%s\n[%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g]", i > 0 ? "," : "", p.x, p.y, p.z, (double)q.x,
                (double)q.y, (double)q.z, (double)q.w);
    }
    fputs("]}\n", out);
}

// -----------------------------------------------------------------------------------------------------------
// The answer, in lines
// -----------------------------------------------------------------------------------------------------------

static bool read_body(const char* line, uint32_t number, NpmRun* run)
{
    AbutPose pose = abut_pose_identity();
    double v[3], w[3];
    int asleep;
    AbutPosition* p = &pose.position;
    AbutQuat* q = &pose.rotation;
    if (number >= NPM_BODIES ||
        sscanf(line, "body %lf %lf %lf %f %f %f %f %lf %lf %lf %lf %lf %lf %d", &p->x, &p->y, &p->z, &q->x,
               &q->y, &q->z, &q->w, &v[0], &v[1], &v[2], &w[0], &w[1], &w[2], &asleep) != 14)
    {
        return false;
    }
    double speed = (double)abut_vec3_length(abut_vec3((float)v[0], (float)v[1], (float)v[2]));
    run->poses[number] = pose;
    run->fastest = speed > run->fastest ? speed : run->fastest;
    run->asleep += asleep != 0 ? 1u : 0u;
    return true;
}

/// Lines of other kinds are the engine's own.
static bool read_answer(FILE* in, NpmRun* run)
{
    char line[512];
    uint32_t bodies = 0;
    bool good = true, ended = false;
    while (good && !ended && fgets(line, sizeof(line), in) != NULL)
    {
        double seconds;
        if (sscanf(line, "bake %lf", &run->bake) == 1)
        {
            continue;
        }
        if (sscanf(line, "step %lf", &seconds) == 1)
        {
            good = run->steps < NPM_STEPS;
            run->seconds[good ? run->steps++ : 0] = seconds;
        }
        else if (strncmp(line, "body ", 5) == 0)
        {
            good = read_body(line, bodies++, run);
        }
        ended = strcmp(line, "end\n") == 0;
    }
    return good && ended && bodies == NPM_BODIES && run->steps > 0;
}

// -----------------------------------------------------------------------------------------------------------
// The process
// -----------------------------------------------------------------------------------------------------------

/// Starts Node.js with `scene` as its input. All of the module is compiled, and by the better compiler,
/// before anything is timed. @return errno, or 0.
static int start(const NpmEngine* engine, FILE* scene, const int pipe_ends[2], pid_t* child)
{
    char node[] = "node", tier[] = "--no-liftoff", eager[] = "--no-wasm-lazy-compilation";
    char script[] = BENCH_NPM_FOLDER "/run.js", name[32];
    snprintf(name, sizeof(name), "%s", engine->argument);
    char* arguments[] = { node, tier, eager, script, name, NULL };
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error == 0)
    {
        posix_spawn_file_actions_adddup2(&actions, fileno(scene), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
        posix_spawn_file_actions_addclose(&actions, pipe_ends[1]);
        error = posix_spawnp(child, node, &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    return error;
}

static bool run_process(const NpmEngine* engine, FILE* scene, NpmRun* out)
{
    int pipe_ends[2], status = 0;
    pid_t child;
    if (pipe(pipe_ends) != 0)
    {
        fprintf(stderr, "abut: bench npm: %s\n", strerror(errno));
        return false;
    }
    int error = start(engine, scene, pipe_ends, &child);
    close(pipe_ends[1]);
    FILE* in = error == 0 ? fdopen(pipe_ends[0], "r") : NULL;
    bool good = in != NULL && read_answer(in, out);
    if (in != NULL)
    {
        fclose(in);
    }
    else
    {
        close(pipe_ends[0]);
    }
    if (error != 0)
    {
        fprintf(stderr, "abut: bench npm: node: %s\n", strerror(error));
        return false;
    }
    waitpid(child, &status, 0);
    good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good)
    {
        fprintf(stderr, "abut: bench npm: %s has not answered as it should\n", engine->name);
    }
    return good;
}

bool npm_engine_run(const NpmEngine* engine, const NpmModel* model, const AbutPose* poses, int steps,
                    double limit, NpmRun* out)
{
    *out = (NpmRun){ .rest = INFINITY };
    FILE* scene = tmpfile();
    if (scene == NULL)
    {
        fprintf(stderr, "abut: bench npm: no temporary file for the scene: %s\n", strerror(errno));
        return false;
    }
    write_scene(model, poses, steps, limit, scene);
    bool good = fflush(scene) == 0 && fseek(scene, 0, SEEK_SET) == 0;
    good = good && run_process(engine, scene, out);
    fclose(scene);
    return good;
}
