/// @file image.h
/// Collision of triangle meshes in image space: CULLIDE for sets of meshes, CInDeR for two closed ones.
///
/// Both draw the triangles as depth images along an axis, on a rasteriser that is conservative: every pixel
/// whose square a triangle touches is drawn, with an interval of depth that contains the triangle above that
/// square. So a finite resolution makes false candidates, which exact tests remove, and never a missed
/// collision (docs/image_space.md). Meshes may be open, self-intersecting or soup for CULLIDE; CInDeR needs
/// closed ones.
///
/// All decisions are exact for **transformed vertices**: those of the first mesh of a set as they are, those
/// of the others moved into the frame of the first by the poses and rounded to float. `uncertainty` bounds
/// that rounding.
#ifndef ABUT_IMAGE_H
#define ABUT_IMAGE_H

#include <abut/base.h>
#include <abut/math.h>
#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Directions of view; a query takes one or several.
typedef enum AbutImageAxes
{
    ABUT_IMAGE_X = 1,
    ABUT_IMAGE_Y = 2,
    ABUT_IMAGE_Z = 4,
    ABUT_IMAGE_XYZ = 7
} AbutImageAxes;

typedef struct AbutImageSettings
{
    uint32_t resolution; ///< pixels of an image along each of its two sides, 1 to 2,048; default 128
    /// Directions of view, a sum of AbutImageAxes. CULLIDE prunes along each of them in turn; CInDeR looks
    /// along the first. Default ABUT_IMAGE_Z.
    uint32_t axes;
    /// Depth slabs of a pixel besides its interval of depth: 64 (the default), or 0 for one interval of depth
    /// per pixel, as in the original. Slabs tell the front of a body from its back.
    uint32_t slabs;
    uint32_t rounds; ///< repetitions of the two passes over triangles, 1 to 16; default 1
} AbutImageSettings;

ABUT_API AbutImageSettings abut_image_settings(void);

/// Meshes prepared for queries: chunks of neighbouring triangles, and memory of queries, which is reused. One
/// thread may query a set at a time.
typedef struct AbutImageSet AbutImageSet;

typedef struct AbutImageSetDef
{
    const AbutMesh* const*
        meshes;           ///< copied; an object of the set each, the same mesh several times if need be
    uint32_t mesh_count;  ///< at most 65,536
    const AbutHost* host; ///< NULL for the default
} AbutImageSetDef;

ABUT_API AbutImageSetDef abut_image_set_def(void);

/// @return ABUT_INVALID_ARGUMENT, ABUT_LIMIT_EXCEEDED above 2³⁰ triangles, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_image_set_create(const AbutImageSetDef* def, AbutImageSet** out);

/// NULL is ignored.
ABUT_API void abut_image_set_destroy(AbutImageSet* set);

/// Two triangles with a common point; object_a ≤ object_b, and triangle_a < triangle_b within one object.
typedef struct AbutImagePair
{
    uint32_t object_a, triangle_a;
    uint32_t object_b, triangle_b;
} AbutImagePair;

/// Members of the potentially colliding set after each level, and the work of the exact tests.
typedef struct AbutCullideReport
{
    uint32_t object_count;    ///< after the level of objects
    uint32_t chunk_count;     ///< after the level of chunks (sub-objects)
    uint32_t triangle_count;  ///< after the level of triangles
    uint64_t candidate_count; ///< pairs that were tested exactly
    uint32_t pass_count;      ///< passes over the set, of all levels
} AbutCullideReport;

typedef struct AbutCullideOutput
{
    const AbutImagePair* pairs; ///< ascending; owned by the set, valid until its next query
    size_t pair_count;
    double uncertainty; ///< transformed vertices are within this of their exact position
    AbutCullideReport report;
} AbutCullideOutput;

/// CULLIDE (N. Govindaraju, S. Redon, M. Lin, D. Manocha, 2003): all pairs of overlapping triangles of
/// different objects; touching counts, degenerate triangles too. `poses` has one per mesh.
///
/// An object that is fully visible against a set does not collide with it. So the potentially colliding set
/// is drawn in two passes, first to last and last to first, and a member that is fully visible in both is
/// removed: objects, then chunks, then triangles. Triangles that remain are tested exactly where they share a
/// pixel.
/// @return ABUT_INVALID_ARGUMENT for settings or poses out of range, ABUT_LIMIT_EXCEEDED when a transformed
/// vertex is beyond the range of float, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_cullide(AbutImageSet* set, const AbutImageSettings* settings, const AbutPose* poses,
                                 AbutCullideOutput* out);

/// Self-collision of an object of the set (the extension of N. Boldt and J. Meyer, 2005): pairs of its
/// triangles that share no corner and touch, and pairs that share a corner or an edge and cross: that have
/// a common point on the border of neither. Corners are shared when their coordinates are equal. Exact,
/// about the vertices as they are. Neighbours hide each other, so nothing is pruned by visibility:
/// triangles are listed per pixel along the first axis, and those with overlapping depths are tested; the
/// report has the candidates alone.
/// @return as abut_cullide().
ABUT_API AbutResult abut_cullide_self(AbutImageSet* set, const AbutImageSettings* settings, uint32_t object,
                                      AbutCullideOutput* out);

// -----------------------------------------------------------------------------------------------------------
// Two closed meshes
// -----------------------------------------------------------------------------------------------------------

typedef enum AbutImageState
{
    ABUT_IMAGE_SEPARATED, ///< proved: the solids have no point in common
    ABUT_IMAGE_CONTACT,   ///< proved: they have one
    ABUT_IMAGE_CLOSE,     ///< apart or in touch by no more than the rounding of the poses
    ABUT_IMAGE_STATE_COUNT
} AbutImageState;

/// Name of a state: "separated", "contact", "close"; "unknown" for an invalid number.
ABUT_API const char* abut_image_state_name(AbutImageState state);

typedef struct AbutCinderOutput
{
    AbutImageState state;
    /// With a contact: the edge that shows it, edge 0 to 2 from the corner of that number of a triangle, is
    /// in the inside of the other body (by parity), or its triangle touches the surface of the other
    /// (exactly).
    bool is_inside;
    uint32_t object, triangle, edge;
    uint32_t exact_count; ///< edges and triangles that images could not tell apart; 0 with a contact
    double uncertainty;   ///< moved corners are within this of their exact position
} AbutCinderOutput;

/// CInDeR (D. Knott, D. Pai, 2003): whether two closed meshes of a set have a common point, as solids: a
/// body inside of another one is in contact. Edges of each are tested against the parity of the other along
/// an axis: the number of faces in front of a point is odd where it is inside. Where the depth of an edge
/// overlaps that of a face, the exact test of both decides. Inside is where parity is odd, whatever the
/// orientation of the faces.
/// @return ABUT_INVALID_ARGUMENT for settings, poses or objects out of range, ABUT_INVALID_DATA for a mesh
/// that is not closed (an edge with an odd number of triangles), with the number of such edges,
/// ABUT_LIMIT_EXCEEDED, ABUT_OUT_OF_MEMORY.
ABUT_API AbutResult abut_cinder(AbutImageSet* set, const AbutImageSettings* settings, const AbutPose* poses,
                                uint32_t object_a, uint32_t object_b, AbutCinderOutput* out);

// -----------------------------------------------------------------------------------------------------------
// Depth images
// -----------------------------------------------------------------------------------------------------------

/// A depth image of one object, for pictures: resolution² pixels along the first axis of the settings, rows
/// of columns. Columns go along the axis behind that of the view in the order x, y, z, x, y, and rows along
/// the next.
typedef struct AbutImageDrawing
{
    uint32_t object;
    AbutBox
        box; ///< to be seen, in the frame of the first mesh; what is beyond it is in the pixels of its border
    float* nearest;  ///< out: least depth of the object above each pixel, rounded down; infinite for none
    float* farthest; ///< out: largest depth, rounded up; minus infinite for none
} AbutImageDrawing;

/// @return as abut_cullide().
ABUT_API AbutResult abut_image_draw(AbutImageSet* set, const AbutImageSettings* settings,
                                    const AbutPose* poses, const AbutImageDrawing* drawing);

#ifdef __cplusplus
}
#endif

#endif
