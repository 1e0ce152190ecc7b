// Fewer triangles where there would be too many for a fluent picture: vertices of the same cell of a grid
// become one. Vertices whose surfaces look into different octants stay apart, so that the two sides of a thin
// wall do.

/// Triangles of all bodies together that a picture may have.
const MOST_TRIANGLES = { high: 2e6, low: 4e5 };
/// No mesh is made coarser than this.
const LEAST_TRIANGLES = 200;
const FINEST_GRID = 256;

/// Per vertex, three bits: the signs of the summed normals of the triangles around it.
function octants({ positions, indices }) {
    const sums = new Float32Array(positions.length);
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
        const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
        const v = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
        const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for (const vertex of [a, b, c]) {
            normal.forEach((value, k) => (sums[vertex + k] += value));
        }
    }
    return Uint8Array.from(
        { length: positions.length / 3 },
        (_, i) => (sums[3 * i] < 0 ? 1 : 0) | (sums[3 * i + 1] < 0 ? 2 : 0) | (sums[3 * i + 2] < 0 ? 4 : 0)
    );
}

function boundsOf(positions) {
    const low = [Infinity, Infinity, Infinity];
    let size = 0;
    positions.forEach((value, i) => (low[i % 3] = Math.min(low[i % 3], value)));
    positions.forEach((value, i) => (size = Math.max(size, value - low[i % 3])));
    return { low, size: size || 1 };
}

/// The cluster of each vertex on a grid of `cells` along the longest side, numbered from 0.
function clusterVertices(positions, sides, { low, size }, cells) {
    const numbers = new Map();
    const clusters = new Uint32Array(positions.length / 3);
    for (let i = 0; i < clusters.length; ++i) {
        const at = [0, 1, 2].map((k) => Math.floor(((positions[3 * i + k] - low[k]) / size) * cells));
        const key = ((at[0] * (cells + 1) + at[1]) * (cells + 1) + at[2]) * 8 + sides[i];
        if (!numbers.has(key)) {
            numbers.set(key, numbers.size);
        }
        clusters[i] = numbers.get(key);
    }
    return { clusters, count: numbers.size };
}

function keptTriangles(indices, clusters) {
    const kept = [];
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [clusters[indices[i]], clusters[indices[i + 1]], clusters[indices[i + 2]]];
        if (a !== b && b !== c && c !== a) {
            kept.push(a, b, c);
        }
    }
    return kept;
}

/// Each cluster stands where its vertices are on the average.
function averages(positions, clusters, count) {
    const sums = new Float64Array(count * 3);
    const weights = new Uint32Array(count);
    clusters.forEach((cluster, i) => {
        weights[cluster] += 1;
        [0, 1, 2].forEach((k) => (sums[3 * cluster + k] += positions[3 * i + k]));
    });
    return Float32Array.from(sums, (sum, i) => sum / weights[Math.floor(i / 3)]);
}

/// The mesh with at most about `most` triangles: on the finest grid that gives so few.
export function simplify(mesh, most) {
    if (mesh.indices.length / 3 <= most) {
        return mesh;
    }
    const sides = octants(mesh);
    const bounds = boundsOf(mesh.positions);
    let found = null;
    let [low, high] = [2, FINEST_GRID];
    while (low < high) {
        const cells = Math.ceil((low + high) / 2);
        const { clusters, count } = clusterVertices(mesh.positions, sides, bounds, cells);
        const kept = keptTriangles(mesh.indices, clusters);
        if (kept.length / 3 <= most && kept.length > 0) {
            found = { positions: averages(mesh.positions, clusters, count), indices: Uint32Array.from(kept) };
            low = cells;
        } else {
            high = cells - 1;
        }
    }
    return found ?? mesh;
}

/// The meshes of a recording as they are to be drawn.
export function simplifyAll(recording, quality) {
    const uses = new Array(recording.meshes.length).fill(0);
    recording.bodies.forEach((body) => (uses[body.mesh] += 1));
    const total = recording.meshes.reduce((sum, mesh, i) => sum + (uses[i] * mesh.indices.length) / 3, 0);
    const part = MOST_TRIANGLES[quality] / total;
    return recording.meshes.map((mesh) =>
        part >= 1 ? mesh : simplify(mesh, Math.max((part * mesh.indices.length) / 3, LEAST_TRIANGLES))
    );
}
