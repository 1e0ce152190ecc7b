#include "assimp.h"

#include "input.h"

#include <string.h>

static const char own_formats[] = "obj, stl, ply";

/// The ending of the name with its dot, or "" without one.
static const char* ending_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* dot = strrchr(slash != NULL ? slash : path, '.');
    return dot != NULL ? dot : "";
}

#if defined(ABUT_WITH_ASSIMP)

#include "float_text.h"
#include "joiner.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <pthread.h>
#include <stdio.h>

enum
{
    CORNERS_PER_BYTE = 64,      // of the file, that instances may add up to ...
    CORNERS_AT_LEAST = 1 << 24, // ... and what small files are allowed in any case
    LIST_SIZE = 2048,           // of the text with all endings
    FILE_BYTES_MAX = 1 << 30    // larger files are not given to a parser that is not ours
};

/// assimp keeps its last error in one place for all threads.
static pthread_mutex_t assimp_mutex = PTHREAD_MUTEX_INITIALIZER;

/// x, y and z of the world for a point of a node: three rows of a matrix.
typedef struct Transform
{
    double rows[3][4];
} Transform;

typedef struct PlacedNode
{
    const struct aiNode* node;
    Transform to_world;
} PlacedNode;

typedef struct SceneReader
{
    AbutIoLoad* load;
    const struct aiScene* scene;
    AbutIoJoiner joiner;
    AbutIoArray stack;   // PlacedNode; nodes to come, the next one last
    AbutIoArray corners; // uint32_t; of the face that is being read
    uint64_t corner_count;
    uint64_t corner_limit;
} SceneReader;

// ---------------------------------------------------------------------------------------------------------------------
// Transforms
// ---------------------------------------------------------------------------------------------------------------------

static Transform identity(void)
{
    Transform t = { { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 } } };
    return t;
}

/// First the node's own matrix, then `outer`. A projective last row has no meaning here and is not looked at.
static Transform compose(const Transform* outer, const struct aiMatrix4x4* m)
{
    const double inner[3][4] = {
        { (double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4 },
        { (double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4 },
        { (double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4 },
    };
    Transform result;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 4; ++j)
        {
            result.rows[i][j] = outer->rows[i][0] * inner[0][j] + outer->rows[i][1] * inner[1][j] +
                                outer->rows[i][2] * inner[2][j] + (j == 3 ? outer->rows[i][3] : 0.0);
        }
    }
    return result;
}

/// A mirrored mesh would show its inside: its faces are turned round.
static bool mirrors(const Transform* t)
{
    const double(*m)[4] = t->rows;
    double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return determinant < 0.0;
}

static bool transform_point(const Transform* t, struct aiVector3D v, AbutVec3* out)
{
    double p[3];
    for (int i = 0; i < 3; ++i)
    {
        const double* row = t->rows[i];
        p[i] = row[0] * (double)v.x + row[1] * (double)v.y + row[2] * (double)v.z + row[3];
    }
    return abut_io_float_from_double(p[0], &out->x) && abut_io_float_from_double(p[1], &out->y) &&
           abut_io_float_from_double(p[2], &out->z);
}

// ---------------------------------------------------------------------------------------------------------------------
// Meshes and nodes
// ---------------------------------------------------------------------------------------------------------------------

static AbutResult fail_corner(const SceneReader* reader, const struct aiMesh* mesh, unsigned face,
                              const char* what)
{
    return abut_fail(ABUT_INVALID_DATA, "%s: face %u of mesh '%.100s': %s", reader->load->name, face,
                     mesh->mName.data, what);
}

static AbutResult add_corner(SceneReader* reader, const struct aiMesh* mesh, unsigned face, unsigned index,
                             const Transform* to_world)
{
    if (index >= mesh->mNumVertices || mesh->mVertices == NULL)
    {
        return fail_corner(reader, mesh, face, "a vertex index is out of range");
    }
    AbutVec3 p;
    if (!transform_point(to_world, mesh->mVertices[index], &p))
    {
        return fail_corner(reader, mesh, face, "a coordinate is not finite, or too large for a float");
    }
    uint32_t* corner = (uint32_t*)reader->corners.items + reader->corners.count++;
    return abut_io_joiner_add(&reader->joiner, &p, 1, corner);
}

static AbutResult read_face(SceneReader* reader, const struct aiMesh* mesh, unsigned number,
                            const Transform* to_world, bool mirrored)
{
    const struct aiFace* face = &mesh->mFaces[number];
    reader->corners.count = 0;
    reader->corner_count += face->mNumIndices;
    if (reader->corner_count > reader->corner_limit)
    {
        return abut_fail(ABUT_LIMIT_EXCEEDED, "%s: copies of its meshes have more than %llu corners together",
                         reader->load->name, (unsigned long long)reader->corner_limit);
    }
    if (!abut_io_array_reserve(&reader->load->host, &reader->corners, face->mNumIndices))
    {
        return ABUT_OUT_OF_MEMORY;
    }
    for (unsigned i = 0; i < face->mNumIndices; ++i)
    {
        unsigned index = face->mIndices[mirrored ? face->mNumIndices - 1 - i : i];
        AbutResult result = add_corner(reader, mesh, number, index, to_world);
        if (result != ABUT_OK)
        {
            return result;
        }
    }
    return abut_io_builder_add_polygon(reader->joiner.builder, reader->corners.items, reader->corners.count);
}

static AbutResult read_mesh(SceneReader* reader, unsigned number, const Transform* to_world)
{
    if (number >= reader->scene->mNumMeshes)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: a node refers to mesh %u of %u", reader->load->name, number,
                         reader->scene->mNumMeshes);
    }
    const struct aiMesh* mesh = reader->scene->mMeshes[number];
    bool mirrored = mirrors(to_world);
    AbutResult result = ABUT_OK;
    for (unsigned i = 0; i < mesh->mNumFaces && result == ABUT_OK; ++i)
    {
        result = read_face(reader, mesh, i, to_world, mirrored);
    }
    return result;
}

static bool push_node(SceneReader* reader, const struct aiNode* node, const Transform* outer)
{
    if (!abut_io_array_reserve(&reader->load->host, &reader->stack, 1))
    {
        return false;
    }
    PlacedNode placed = { node, compose(outer, &node->mTransformation) };
    ((PlacedNode*)reader->stack.items)[reader->stack.count++] = placed;
    return true;
}

static AbutResult read_node(SceneReader* reader, const PlacedNode* placed)
{
    const struct aiNode* node = placed->node;
    AbutResult result = ABUT_OK;
    for (unsigned i = 0; i < node->mNumMeshes && result == ABUT_OK; ++i)
    {
        result = read_mesh(reader, node->mMeshes[i], &placed->to_world);
    }
    for (unsigned i = node->mNumChildren; i-- > 0 && result == ABUT_OK;)
    {
        result = push_node(reader, node->mChildren[i], &placed->to_world) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    }
    return result;
}

/// Depth first, in the order of the file, with a stack of our own: scenes may be nested as deep as their
/// author likes.
static AbutResult read_scene(SceneReader* reader)
{
    Transform world = identity();
    AbutResult result = push_node(reader, reader->scene->mRootNode, &world) ? ABUT_OK : ABUT_OUT_OF_MEMORY;
    while (result == ABUT_OK && reader->stack.count > 0)
    {
        PlacedNode placed = ((PlacedNode*)reader->stack.items)[--reader->stack.count];
        result = read_node(reader, &placed);
    }
    return result;
}

static AbutResult read_imported(AbutIoLoad* load, const struct aiScene* scene, AbutIoBuilder* builder)
{
    if (scene->mRootNode == NULL || scene->mNumMeshes == 0)
    {
        return abut_fail(ABUT_INVALID_DATA, "%s: assimp found no mesh in it", load->name);
    }
    SceneReader reader = { .load = load,
                           .scene = scene,
                           .joiner = abut_io_joiner_make(builder, load->size),
                           .stack.item_size = sizeof(PlacedNode),
                           .corners.item_size = sizeof(uint32_t),
                           .corner_limit = CORNERS_AT_LEAST + (uint64_t)CORNERS_PER_BYTE * load->size };
    AbutResult result = read_scene(&reader);
    abut_io_joiner_free(&reader.joiner);
    abut_io_array_free(&load->host, &reader.stack);
    abut_io_array_free(&load->host, &reader.corners);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

/// "*.3ds;*.fbx" becomes "3ds, fbx".
static void list_endings(char list[LIST_SIZE])
{
    struct aiString endings;
    aiGetExtensionList(&endings);
    size_t count = 0;
    for (const char* p = endings.data; *p != '\0' && count + 3 < LIST_SIZE; ++p)
    {
        if (*p == ';')
        {
            list[count++] = ',';
            list[count++] = ' ';
        }
        else if (*p != '*' && *p != '.')
        {
            list[count++] = *p;
        }
    }
    list[count] = '\0';
}

static AbutResult check_ending(const char* path)
{
    const char* ending = ending_of(path);
    if (*ending != '\0' && aiIsExtensionSupported(ending))
    {
        return ABUT_OK;
    }
    char list[LIST_SIZE];
    list_endings(list);
    return abut_fail(ABUT_UNSUPPORTED,
                     "%s: cannot tell the format from the ending '%.32s'; read are %s, and through assimp %s",
                     path, ending, own_formats, list);
}

static const struct aiScene* import(const char* path)
{
    pthread_mutex_lock(&assimp_mutex);
    const struct aiScene* scene = aiImportFile(path, 0);
    if (scene == NULL)
    {
        abut_fail(ABUT_INVALID_DATA, "%s: assimp cannot read it: %.1000s", path, aiGetErrorString());
    }
    pthread_mutex_unlock(&assimp_mutex);
    return scene;
}

AbutResult abut_io_assimp_read(AbutIoLoad* load, size_t max_bytes, AbutIoBuilder* builder)
{
    size_t most = max_bytes < FILE_BYTES_MAX ? max_bytes : FILE_BYTES_MAX;
    AbutResult result = abut_io_input_check(load->name, most, &load->size);
    result = result == ABUT_OK ? check_ending(load->name) : result;
    result = result == ABUT_OK ? abut_io_report_progress(load, 0) : result;
    if (result != ABUT_OK)
    {
        return result;
    }
    const struct aiScene* scene = import(load->name);
    if (scene == NULL)
    {
        return ABUT_INVALID_DATA;
    }
    result = abut_io_report_progress(load, load->size / 2);
    result = result == ABUT_OK ? read_imported(load, scene, builder) : result;
    aiReleaseImport(scene);
    return result;
}

#else

AbutResult abut_io_assimp_read(AbutIoLoad* load, size_t max_bytes, AbutIoBuilder* builder)
{
    (void)builder;
    size_t size;
    AbutResult result = abut_io_input_check(load->name, max_bytes, &size);
    if (result != ABUT_OK)
    {
        return result;
    }
    return abut_fail(ABUT_UNSUPPORTED,
                     "%s: this build reads %s only, not '%.32s'; others need assimp (-DABUT_WITH_ASSIMP=ON)",
                     load->name, own_formats, ending_of(load->name));
}

#endif
