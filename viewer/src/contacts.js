// What the recording says about contacts of a frame, and of a body at a frame.

export const POINT_SIZE = 8; // position, normal, separation, impulse

/// The deepest overlap of each body at a frame, ≥ 0; NaN for bodies without a contact.
export function depthOfBodies(recording, frame, out) {
    const { offsets, points, bodies } = recording.contacts;
    out.fill(NaN);
    for (let i = offsets[frame]; i < offsets[frame + 1]; ++i) {
        const depth = Math.max(-points[i * POINT_SIZE + 6], 0);
        for (const body of [bodies[i * 2], bodies[i * 2 + 1]]) {
            out[body] = out[body] >= depth ? out[body] : depth;
        }
    }
    return out;
}

/// How many contacts a body has at a frame, with how many others, and the deepest.
export function contactsOfBody(recording, body, frame) {
    const { offsets, points, bodies } = recording.contacts;
    const others = new Set();
    let count = 0;
    let depth = 0;
    for (let i = offsets[frame]; i < offsets[frame + 1]; ++i) {
        const [a, b] = [bodies[i * 2], bodies[i * 2 + 1]];
        if (a === body || b === body) {
            count += 1;
            others.add(a === body ? b : a);
            depth = Math.max(depth, -points[i * POINT_SIZE + 6]);
        }
    }
    return { count, others: [...others], depth };
}

/// Impulses from this quantile of the recording on have the longest arrows.
const LONGEST_QUANTILE = 0.95;
/// Impulses looked at to find it.
const SAMPLED_IMPULSES = 50000;

/// The impulse of the longest arrows: nearly the largest, so that one hard landing does not make all others
/// short.
export function impulseScale({ contacts: { points } }) {
    const count = points.length / POINT_SIZE;
    const stride = Math.max(1, Math.floor(count / SAMPLED_IMPULSES));
    const found = [];
    for (let i = 0; i < count; i += stride) {
        found.push(points[i * POINT_SIZE + 7]);
    }
    const sorted = Float32Array.from(found.filter((impulse) => impulse > 0)).sort();
    return sorted.length > 0 ? sorted[Math.floor((sorted.length - 1) * LONGEST_QUANTILE)] : 1;
}

/// 1 where a contact's normal, which points from B to A, points out of the supporting body; −1 where it is to
/// be reversed. A static body supports whatever touches it; of two others, the one further along gravity
/// does.
export function supportSign({ bodies, gravity }, a, b, normal) {
    const [stillA, stillB] = [bodies[a].kind !== "dynamic", bodies[b].kind !== "dynamic"];
    if (stillA !== stillB) {
        return stillB ? 1 : -1;
    }
    return normal.x * gravity[0] + normal.y * gravity[1] + normal.z * gravity[2] > 0 ? -1 : 1;
}
