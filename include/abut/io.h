/// @file io.h
/// Files and texts: meshes and volumes in common formats, fields in the format of abut, and texts of shapes.
/// Its own library (abut_io), so that the core never parses files. All input is untrusted: every count,
/// offset and index is checked before use, memory stays in proportion to the size of the file, and a message
/// names the file and the position.
#ifndef ABUT_IO_H
#define ABUT_IO_H

#include <abut/base.h>
#include <abut/mesh.h>
#include <abut/points.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum AbutMeshFormat
{
    ABUT_MESH_FORMAT_UNKNOWN, ///< any other: by assimp, where this build has it
    ABUT_MESH_FORMAT_OBJ,
    ABUT_MESH_FORMAT_STL, ///< binary or text; when writing: binary
    ABUT_MESH_FORMAT_PLY, ///< text or binary, little or big endian; when writing: binary little endian
} AbutMeshFormat;

/// From the ending of the name, in any case; ABUT_MESH_FORMAT_UNKNOWN for others.
ABUT_API AbutMeshFormat abut_mesh_format_from_path(const char* path);

/// Loads a mesh with the default host. See abut_mesh_load_with().
ABUT_API AbutResult abut_mesh_load(const char* path, AbutMesh** out);

typedef struct AbutMeshLoadDef
{
    AbutMeshFormat format;    ///< UNKNOWN (the default): by the ending of the name
    bool use_assimp;          ///< assimp for OBJ, STL and PLY too (for comparisons); default false
    size_t max_bytes;         ///< refuse larger files; default 16 GiB (never more than 1 GiB for assimp)
    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
    const AbutHost* host;
    /// The program that runs assimp. NULL (the default): what the environment variable ABUT_IMPORT names,
    /// else abut-import beside the running program or in libexec/abut of the installed tree
    const char* import_program;
    /// How long assimp may take. 0 (the default): the environment variable ABUT_IMPORT_SECONDS, else 60 s and
    /// 1 s more for each megabyte of the file
    double import_seconds;
    /// Bytes of address space that each of two runs of assimp may take. 0 (the default): the environment
    /// variable ABUT_IMPORT_MIB, else 2 GiB and 32 bytes more for each byte of the file
    uint64_t import_bytes;
} AbutMeshLoadDef;

ABUT_API AbutMeshLoadDef abut_mesh_load_def(void);

/// OBJ, STL and PLY are read here; everything else (glTF, GLB, OFF, 3MF, DAE, FBX, ...) through assimp when
/// the build has it. Polygons become triangle fans (concave ones are cut by ears), strips become triangles,
/// several objects become one mesh, and everything but positions and faces is passed over. Corners with equal
/// coordinates are joined in STL files and in what comes through assimp. What is left out (faces with fewer
/// than 3 corners) is counted in a warning to the host's log. docs/mesh_files.md has the details of each
/// format. assimp runs in two child processes at once, started by posix_spawn() and limited in time and
/// memory: whatever it does becomes a result and a message. Files that it reads differently in the two runs
/// are refused.
/// @return ABUT_NOT_FOUND, ABUT_IO_ERROR (a directory, a pipe, no permission), ABUT_INVALID_DATA (an empty
/// file, or bad content) with file and line or byte, ABUT_LIMIT_EXCEEDED, ABUT_UNSUPPORTED (unknown ending,
/// assimp not built in, or its program not found), ABUT_CANCELLED, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_mesh_load_with(const AbutMeshLoadDef* def, const char* path, AbutMesh** out);

/// The same from memory; `name` stands for the file in messages, `format` is one of ours.
ABUT_API AbutResult abut_mesh_parse(const AbutMeshLoadDef* def, AbutMeshFormat format, const void* data,
                                    size_t size, const char* name, AbutMesh** out);

/// Writes OBJ, PLY or STL by the ending of the name: to a temporary file beside it first, then renamed, so
/// that an old file is whole until the new one is. Coordinates survive a round trip bit for bit (STL joins
/// vertices that are equal and drops those without a triangle).
/// @return ABUT_UNSUPPORTED for other endings, ABUT_IO_ERROR with the system's reason; then nothing has
/// changed.
ABUT_API AbutResult abut_mesh_save(const AbutMesh* mesh, const char* path);

/// Reads a decimal number ("-1.5", ".5e3") at the start of [text, end), rounded to the nearest double
/// whatever the locale. "inf", "nan" and hexadecimal are no numbers here.
/// @return where the number ends, or NULL when there is none or it is too large for a double.
ABUT_API const char* abut_number_parse(const char* text, const char* end, double* out);

// -----------------------------------------------------------------------------------------------------------
// Fields and volumes
// -----------------------------------------------------------------------------------------------------------

typedef struct AbutFieldSaveDef
{
    bool compress; ///< by zstd, where this build has it; the file is then read and not mapped. Default false
    int level;     ///< of the compression, 1 (fast) to 19 (small); default 3
    const AbutHost* host;
} AbutFieldSaveDef;

ABUT_API AbutFieldSaveDef abut_field_save_def(void);

/// Writes a field: to a temporary file beside `path` first, then renamed, so that an old file is whole until
/// the new one is. A compressed file has the same bytes for one version of zstd.
/// @return ABUT_INVALID_ARGUMENT for other shapes, ABUT_UNSUPPORTED (compressed, without zstd), ABUT_IO_ERROR
/// with the system's reason, ABUT_OUT_OF_MEMORY; then nothing has changed.
ABUT_API AbutResult abut_field_save_with(const AbutFieldSaveDef* def, const AbutShape* field,
                                         const char* path);

/// The same as the block is in memory, not compressed.
ABUT_API AbutResult abut_field_save(const AbutShape* field, const char* path);

/// Maps a field file; nothing is copied, and the file must stay as it is while the shape lives. A compressed
/// file is told by its first bytes, read, and closed. Their bytes are checked like any others, and what a
/// compressed file says of its size is checked against its length before memory is asked for.
/// @return ABUT_NOT_FOUND, ABUT_IO_ERROR, ABUT_INVALID_DATA with file and byte, ABUT_UNSUPPORTED (compressed,
/// without zstd), ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_field_load(const char* path, const AbutHost* host, AbutShape** out);

/// The same from memory, for either kind of file; the bytes are copied. `name` stands for the file in
/// messages.
ABUT_API AbutResult abut_field_parse(const void* data, size_t size, const char* name, const AbutHost* host,
                                     AbutShape** out);

/// Writes the block of a point hull (abut_point_hull_block()): whole or not at all, as a field.
/// @return ABUT_IO_ERROR with the system's reason; then nothing has changed.
ABUT_API AbutResult abut_point_hull_save(const AbutPointHull* hull, const char* path);

/// Reads a point hull file. Its bytes are untrusted (abut_point_hull_create_from_block()).
/// @return ABUT_NOT_FOUND, ABUT_IO_ERROR, ABUT_INVALID_DATA with file and byte, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_point_hull_load(const char* path, const AbutHost* host, AbutPointHull** out);

/// Grids of distances in common formats.
typedef enum AbutVolumeFormat
{
    ABUT_VOLUME_FORMAT_UNKNOWN,
    ABUT_VOLUME_FORMAT_VTI,  ///< VTK ImageData, appended raw: written
    ABUT_VOLUME_FORMAT_NRRD, ///< raw: written
    ABUT_VOLUME_FORMAT_NPY,  ///< NumPy, version 1.0: written
    ABUT_VOLUME_FORMAT_SDF,  ///< SDFGen's text: read
} AbutVolumeFormat;

/// From the ending of the name, in any case; ABUT_VOLUME_FORMAT_UNKNOWN for others.
ABUT_API AbutVolumeFormat abut_volume_format_from_path(const char* path);

typedef struct AbutVolumeSaveDef
{
    AbutVolumeFormat format;  ///< UNKNOWN (the default): by the ending of the name
    uint64_t max_bytes;       ///< refuse to write larger files; default 16 GiB
    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
    const AbutHost* host;
} AbutVolumeSaveDef;

ABUT_API AbutVolumeSaveDef abut_volume_save_def(void);

/// Writes the distances at all nodes of a field's grid as float32, x fastest; see docs/volume_files.md.
/// Sparse fields become the dense grid, a slice at a time: memory goes with one slice. The file is written
/// whole or not at all.
/// @return ABUT_INVALID_ARGUMENT for other shapes (bake them first), ABUT_UNSUPPORTED for other endings,
/// ABUT_LIMIT_EXCEEDED with the size, ABUT_IO_ERROR, ABUT_CANCELLED, ABUT_OUT_OF_MEMORY; then nothing has
/// changed.
ABUT_API AbutResult abut_volume_save(const AbutVolumeSaveDef* def, const AbutShape* field, const char* path);

typedef struct AbutVolumeLoadDef
{
    size_t max_bytes;         ///< refuse larger files; default 16 GiB
    float error;              ///< as in AbutBakeValuesDef, > 0; default infinite
    AbutProgressFn* progress; ///< may be NULL
    void* progress_user;
    const AbutHost* host;
} AbutVolumeLoadDef;

ABUT_API AbutVolumeLoadDef abut_volume_load_def(void);

/// Reads a grid of distances (.sdf) into a dense field by abut_bake_values(): without a proof, unless the def
/// declares an error.
/// @return as abut_mesh_load_with().
ABUT_API AbutResult abut_volume_load(const AbutVolumeLoadDef* def, const char* path, AbutShape** out);

/// The same from memory; `name` stands for the file in messages.
ABUT_API AbutResult abut_volume_parse(const AbutVolumeLoadDef* def, const void* data, size_t size,
                                      const char* name, AbutShape** out);

/// The result of a SHAPE text: a shape with a distance, or a mesh (a file, or a generator of triangles).
typedef struct AbutParsedShape
{
    AbutShape* shape; ///< NULL when the text names a mesh
    AbutMesh* mesh;   ///< NULL when the text names a shape
} AbutParsedShape;

/// Reads "sphere:0.5", "union(sphere:1;box:1,2,3)", "gear:20,0.1,0.2", "part.obj", "part.abut" and so on;
/// docs/shapes.md lists all forms. A text that starts with the name of a form is that form; everything else
/// is a file, so that a file whose name looks like a form is written "./sphere:1.obj".
/// @return ABUT_INVALID_ARGUMENT with the column that is wrong and the form that was expected,
/// ABUT_LIMIT_EXCEEDED for nesting deeper than 64, or what loading the file or baking a field
/// ("part.obj@128", or "part.obj@128,close" with the holes of the mesh closed) returned. On success exactly
/// one member of `out` is set; the caller destroys it.
ABUT_API AbutResult abut_shape_parse(const char* text, const AbutHost* host, AbutParsedShape* out);

/// One line per form with its meaning, for help pages; ends with NULL entries.
typedef struct AbutShapeForm
{
    const char* form;    ///< "capsule:R,L"
    const char* meaning; ///< "radius R, L between the centres of the caps, along y"
} AbutShapeForm;

ABUT_API const AbutShapeForm* abut_shape_parse_forms(void);

/// Reads "x,y,z[,qx,qy,qz,qw[,scale]]". The quaternion is normalised; a length not within 1e-2 of 1 is an
/// error.
ABUT_API AbutResult abut_pose_parse(const char* text, AbutPose* out);

#ifdef __cplusplus
}
#endif

#endif
