// Divides a gear into convex pieces and prints how much they leave.
#include <abut/abut.h>
#include <abut/models.h>
#include <stdio.h>

enum
{
    MOST_PIECES = 64
};

int main(void)
{
    AbutGearMeshDef gear = abut_gear_mesh_def();
    AbutDecomposeDef def = abut_decompose_def();
    AbutMesh* mesh = NULL;
    AbutDecomposition* decomposition = NULL;
    if (abut_mesh_create_gear(&gear, &mesh) != ABUT_OK ||
        abut_decompose(&def, mesh, &decomposition) != ABUT_OK)
    {
        fprintf(stderr, "%s\n", abut_last_error());
        return 1;
    }
    for (uint32_t most = 1; most <= MOST_PIECES; most *= 4)
    {
        uint32_t nodes[MOST_PIECES];
        uint32_t count = abut_decomposition_cut(decomposition, most, 0.0f, nodes, MOST_PIECES);
        AbutDecompositionError error;
        if (abut_decomposition_measure(decomposition, nodes, count, 5000, &error) != ABUT_OK)
        {
            fprintf(stderr, "%s\n", abut_last_error());
            return 1;
        }
        printf("%2u pieces: %4.1f %% of the volume outside of the gear, at most %g away from it\n", count,
               100.0 * error.outside_volume / error.solid_volume, error.distance_bound);
    }
    abut_decomposition_destroy(decomposition);
    abut_mesh_destroy(mesh);
    return 0;
}
