// Where bodies are between frames, and how fast: from the recorded poses alone.

export const POSE_SIZE = 7;

/// The pose of a body at a frame, as recorded, relative to the origin: seven numbers of recording.poses from
/// here on.
export function poseOffset(recording, body, frame) {
    return (frame * recording.bodies.length + body) * POSE_SIZE;
}

/// Writes the position and the rotation at a time given in frames: straight between two frames, and along the
/// shorter way round (normalised, which at this distance cannot be told from the true arc).
export function sample(recording, body, time, position, rotation) {
    const frame = Math.min(Math.floor(time), recording.frames - 1);
    const next = Math.min(frame + 1, recording.frames - 1);
    const part = time - frame;
    const poses = recording.poses;
    const a = poseOffset(recording, body, frame);
    const b = poseOffset(recording, body, next);
    position.set(
        poses[a] + (poses[b] - poses[a]) * part,
        poses[a + 1] + (poses[b + 1] - poses[a + 1]) * part,
        poses[a + 2] + (poses[b + 2] - poses[a + 2]) * part
    );
    const dot =
        poses[a + 3] * poses[b + 3] +
        poses[a + 4] * poses[b + 4] +
        poses[a + 5] * poses[b + 5] +
        poses[a + 6] * poses[b + 6];
    const to = dot < 0 ? -part : part;
    const from = 1 - part;
    rotation
        .set(
            poses[a + 3] * from + poses[b + 3] * to,
            poses[a + 4] * from + poses[b + 4] * to,
            poses[a + 5] * from + poses[b + 5] * to,
            poses[a + 6] * from + poses[b + 6] * to
        )
        .normalize();
}

/// Speed of the body's origin, and its rate of turning in radians per second, over the step that ends at
/// `frame` (the first frame: that begins there).
export function speeds(recording, body, frame) {
    if (recording.frames < 2) {
        return { linear: 0, angular: 0 };
    }
    const end = Math.max(frame, 1);
    const poses = recording.poses;
    const a = poseOffset(recording, body, end - 1);
    const b = poseOffset(recording, body, end);
    const way = Math.hypot(poses[b] - poses[a], poses[b + 1] - poses[a + 1], poses[b + 2] - poses[a + 2]);
    // The sine of half the angle: the vector part of conj(a) * b. acos of the dot product would lose small
    // angles.
    const [ax, ay, az, aw] = poses.subarray(a + 3, a + 7);
    const [bx, by, bz, bw] = poses.subarray(b + 3, b + 7);
    const x = aw * bx - ax * bw - ay * bz + az * by;
    const y = aw * by - ay * bw - az * bx + ax * bz;
    const z = aw * bz - az * bw - ax * by + ay * bx;
    const angle = 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(ax * bx + ay * by + az * bz + aw * bw));
    return { linear: way / recording.dt, angular: angle / recording.dt };
}
