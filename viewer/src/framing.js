// What the camera frames: corners of bounding boxes over the whole recording, and the nearest camera that
// sees them.
import { Box3, Matrix4, Quaternion, Sphere, Vector3 } from "three";
import { sample } from "./motion.js";

/// Frames sampled for the space that a simulation takes, and poses of all bodies together.
const SAMPLED_FRAMES = 64;
const SAMPLED_POSES = 20000;
/// Positions outside the middle 96 % on an axis, by more than the largest width of those, are of bodies that
/// fell off an edge.
const QUANTILE = 0.02;
/// A static body at least this fraction of the scene wide, and flat, is ground.
const GROUND_WIDTH = 0.6;
const GROUND_FLATNESS = 0.4;
/// A scene's camera that sees less than this fraction of the bodies at the start is a close-up, and stays
/// one.
const CLOSE_UP = 0.5;

export function boxOfMesh({ positions }) {
    const box = new Box3();
    const point = new Vector3();
    for (let i = 0; i < positions.length; i += 3) {
        box.expandByPoint(point.fromArray(positions, i));
    }
    return box.isEmpty() ? box.setFromCenterAndSize(point.set(0, 0, 0), new Vector3()) : box;
}

/// The eight corners of a box, moved by a matrix.
export function cornersOf(box, matrix) {
    return Array.from({ length: 8 }, (_, i) =>
        new Vector3(
            i & 1 ? box.max.x : box.min.x,
            i & 2 ? box.max.y : box.min.y,
            i & 4 ? box.max.z : box.min.z
        ).applyMatrix4(matrix)
    );
}

/// Longest side of a body's bounding box.
export function sizeOfBody(recording, boxes, index) {
    const { mesh, scale } = recording.bodies[index];
    const size = boxes[mesh].getSize(new Vector3());
    return Math.max(size.x, size.y, size.z) * Math.abs(scale);
}

/// Whether a static body is what a scene of this radius stands on.
export function isGround(body, box, radius) {
    const size = box.getSize(new Vector3()).multiplyScalar(Math.abs(body.scale));
    const width = Math.max(size.x, size.z);
    return body.kind === "static" && width >= 2 * GROUND_WIDTH * radius && size.y <= GROUND_FLATNESS * width;
}

function matrixOf(recording, body, frame) {
    const [position, rotation] = [new Vector3(), new Quaternion()];
    sample(recording, body, frame, position, rotation);
    return new Matrix4().compose(position, rotation, new Vector3().setScalar(recording.bodies[body].scale));
}

/// The space of the moving bodies' positions, without those that fell off an edge.
function usualSpace(matrices) {
    const space = new Box3(new Vector3(), new Vector3());
    [0, 1, 2].forEach((axis) => {
        const sorted = Float32Array.from(matrices, (matrix) => matrix.elements[12 + axis]).sort();
        const end = sorted.length - 1;
        const [low, high] = [
            sorted[Math.floor(end * QUANTILE)] ?? 0,
            sorted[Math.ceil(end * (1 - QUANTILE))] ?? 0,
        ];
        space.min.setComponent(axis, low);
        space.max.setComponent(axis, high);
    });
    const width = space.getSize(new Vector3());
    return space.expandByScalar(Math.max(width.x, width.y, width.z));
}

function cornersOverTime(recording, boxes, bodies, frames) {
    const placed = frames.flatMap((frame) =>
        bodies.map((body) => ({ body, matrix: matrixOf(recording, body, frame) }))
    );
    const space = usualSpace(placed.map(({ matrix }) => matrix));
    return placed
        .filter(({ matrix }) => space.containsPoint(new Vector3().setFromMatrixPosition(matrix)))
        .flatMap(({ body, matrix }) => cornersOf(boxes[recording.bodies[body].mesh], matrix));
}

function sphereAround(corners) {
    return new Box3().setFromPoints(corners).getBoundingSphere(new Sphere());
}

/// Corners to be seen, and the sphere around them: all moving bodies over time, and the static ones among
/// them; or as much as the scene's camera shows where that is a close-up. `sine` is that of half the camera's
/// angle.
export function findFrame(recording, boxes, sine) {
    const numbers = recording.bodies.map((_, i) => i);
    const moving = numbers.filter((i) => recording.bodies[i].kind !== "static");
    const chosen = moving.length > 0 ? moving : numbers;
    const count = Math.min(
        SAMPLED_FRAMES,
        recording.frames,
        Math.max(Math.floor(SAMPLED_POSES / (chosen.length + 1)), 2)
    );
    const frames = Array.from({ length: count }, (_, i) =>
        Math.round((i * (recording.frames - 1)) / Math.max(count - 1, 1))
    );
    const corners = cornersOverTime(recording, boxes, chosen, frames);
    if (corners.length === 0) {
        corners.push(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    }
    const { radius } = sphereAround(corners);
    const { camera } = recording;
    const start = chosen.length > 0 ? sphereAround(cornersOverTime(recording, boxes, chosen, [0])).radius : 0;
    if (camera !== null && camera.distance * sine < CLOSE_UP * start) {
        const sphere = new Sphere(new Vector3(...camera.target), camera.distance * sine);
        const around = cornersOf(new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)), new Matrix4());
        return {
            corners: around.map((corner) => corner.setLength(sphere.radius).add(sphere.center)),
            sphere,
            radius,
        };
    }
    for (const i of numbers.filter((body) => !chosen.includes(body))) {
        const body = recording.bodies[i];
        const own = cornersOf(boxes[body.mesh], matrixOf(recording, i, 0));
        if (!isGround(body, boxes[body.mesh], radius) && sphereAround(own).radius <= 2 * radius) {
            corners.push(...own);
        }
    }
    return { corners, sphere: sphereAround(corners), radius };
}

/// The nearest camera in a direction (towards the camera) that has all corners between the tangents to both
/// sides of its axis, and the point on that axis amid the corners. Each side of the view is a plane through
/// the camera, so that the outermost corner along its normal decides alone.
export function frameCorners(corners, direction, tangents) {
    const right = new Vector3(0, 1, 0).cross(direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const most = {
        right: -Infinity,
        left: -Infinity,
        top: -Infinity,
        bottom: -Infinity,
        front: -Infinity,
        back: -Infinity,
    };
    const extend = (side, value) => (most[side] = Math.max(most[side], value));
    for (const corner of corners) {
        const [x, y, z] = [corner.dot(right), corner.dot(up), corner.dot(direction)];
        extend("right", x + tangents.x * z);
        extend("left", -x + tangents.x * z);
        extend("top", y + tangents.y * z);
        extend("bottom", -y + tangents.y * z);
        extend("front", z);
        extend("back", -z);
    }
    const depth = most.front + most.back;
    const nearest = most.front + 0.05 * depth; // a line of bodies along the axis
    const z = Math.max(
        (most.right + most.left) / (2 * tangents.x),
        (most.top + most.bottom) / (2 * tangents.y),
        nearest
    );
    const onAxis = (at) =>
        new Vector3()
            .addScaledVector(right, (most.right - most.left) / 2)
            .addScaledVector(up, (most.top - most.bottom) / 2)
            .addScaledVector(direction, at);
    return { position: onAxis(z), target: onAxis((most.front - most.back) / 2) };
}
