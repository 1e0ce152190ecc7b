// Normals for meshes that come without: smooth over round parts, sharp along edges.

/// Faces that meet at a smaller angle are shaded as one surface.
const CREASE_COSINE = Math.cos((38 * Math.PI) / 180);

/// Twice the area times the normal, per triangle.
function faceNormals(positions, indices) {
    const normals = new Float32Array(indices.length);
    for (let i = 0; i < indices.length; i += 3) {
        const a = indices[i] * 3;
        const b = indices[i + 1] * 3;
        const c = indices[i + 2] * 3;
        const ux = positions[b] - positions[a];
        const uy = positions[b + 1] - positions[a + 1];
        const uz = positions[b + 2] - positions[a + 2];
        const vx = positions[c] - positions[a];
        const vy = positions[c + 1] - positions[a + 1];
        const vz = positions[c + 2] - positions[a + 2];
        normals[i] = uy * vz - uz * vy;
        normals[i + 1] = uz * vx - ux * vz;
        normals[i + 2] = ux * vy - uy * vx;
    }
    return normals;
}

/// The corners (indices into `indices`) at each vertex, as one list with offsets.
function cornersOfVertices(indices, vertexCount) {
    const starts = new Uint32Array(vertexCount + 1);
    for (const vertex of indices) {
        starts[vertex + 1] += 1;
    }
    for (let i = 0; i < vertexCount; ++i) {
        starts[i + 1] += starts[i];
    }
    const corners = new Uint32Array(indices.length);
    const next = starts.slice();
    for (let corner = 0; corner < indices.length; ++corner) {
        corners[next[indices[corner]]++] = corner;
    }
    return { starts, corners };
}

function lengthAt(v, i) {
    return Math.hypot(v[i], v[i + 1], v[i + 2]);
}

/// Sum of the normals of the faces around a corner that go on smoothly from its own.
function cornerNormal(faces, corner, around, out) {
    const own = corner - (corner % 3);
    const ownLength = lengthAt(faces, own);
    out.fill(0);
    for (const other of around) {
        const face = other - (other % 3);
        const dot =
            faces[own] * faces[face] + faces[own + 1] * faces[face + 1] + faces[own + 2] * faces[face + 2];
        if (dot >= CREASE_COSINE * ownLength * lengthAt(faces, face)) {
            out[0] += faces[face];
            out[1] += faces[face + 1];
            out[2] += faces[face + 2];
        }
    }
    const length = Math.hypot(out[0], out[1], out[2]) || 1;
    out[0] /= length;
    out[1] /= length;
    out[2] /= length;
}

/// The same triangles with normals: vertices on creases become several.
export function withNormals({ positions, indices }) {
    const faces = faceNormals(positions, indices);
    const { starts, corners } = cornersOfVertices(indices, positions.length / 3);
    const outPositions = [];
    const outNormals = [];
    const outIndices = new Uint32Array(indices.length);
    const normal = new Float32Array(3);
    for (let vertex = 0; vertex + 1 < starts.length; ++vertex) {
        const around = corners.subarray(starts[vertex], starts[vertex + 1]);
        const first = outNormals.length / 3;
        for (const corner of around) {
            cornerNormal(faces, corner, around, normal);
            let copy = first;
            while (
                copy * 3 < outNormals.length &&
                outNormals[copy * 3] * normal[0] +
                    outNormals[copy * 3 + 1] * normal[1] +
                    outNormals[copy * 3 + 2] * normal[2] <
                    0.9999
            ) {
                copy += 1;
            }
            if (copy * 3 === outNormals.length) {
                outPositions.push(
                    positions[vertex * 3],
                    positions[vertex * 3 + 1],
                    positions[vertex * 3 + 2]
                );
                outNormals.push(normal[0], normal[1], normal[2]);
            }
            outIndices[corner] = copy;
        }
    }
    return {
        positions: new Float32Array(outPositions),
        normals: new Float32Array(outNormals),
        indices: outIndices,
    };
}
