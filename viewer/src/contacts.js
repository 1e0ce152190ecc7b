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

/// The depth from which on everything is red: that of four frames in five, so that the first impacts don't make the rest pale.
export function depthScale(recording) {
    const sorted = recording.series.deepest.filter((d) => d > 0).sort();
    return sorted.length > 0 ? sorted[Math.floor(sorted.length * 0.8)] : 1;
}
