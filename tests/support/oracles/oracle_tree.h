/// @file oracle_tree.h
/// Random trees of combined shapes: the library's shape beside the same formula in double and the set that it
/// stands for.
#ifndef ABUT_TEST_ORACLE_TREE_H
#define ABUT_TEST_ORACLE_TREE_H

#include "support/oracles/oracle.h"

enum
{
    ORACLE_TREE_CHILDREN = 3
};

typedef struct OracleTree
{
    AbutShapeKind kind;
    const OraclePrimitive* primitive; ///< of a leaf
    struct OracleTree* children[ORACLE_TREE_CHILDREN];
    uint32_t child_count;
    double amount; ///< blend radius, offset, thickness or factor
    AbutPose pose; ///< of a placed child
    AbutShape* shape;
} OracleTree;

/// A tree with `levels` combinations above its leaves (0 for a placed primitive). About two units across,
/// around the origin. Without infinite primitives unless `infinite`. Destroy it with oracle_tree_destroy().
OracleTree* oracle_tree_random(TestRandom* random, int levels, bool infinite);

void oracle_tree_destroy(OracleTree* tree);

/// The documented formula of the tree in double.
double oracle_tree_distance(const OracleTree* tree, const double p[3]);

/// Whether p belongs to the solid, by set operations where there are any.
bool oracle_tree_contains(const OracleTree* tree, const double p[3]);

/// One line like "union(placed(box), torus)" in a static buffer.
const char* oracle_tree_text(const OracleTree* tree);

#endif
