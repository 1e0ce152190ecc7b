// Reads the recording of a simulation: checks everything, so that the rest of the page need not.
// docs/viewer.md has the format.
import { RecordingError, decodeArray, lengthOfPlain } from "./packed.js";

export { RecordingError };

const VERSION = 1;
// More than a page can hold in memory; the writer stays far below.
const MOST_FRAMES = 1e7;
const MOST_BODIES = 1e6;
const MOST_CONTACTS = 1e8;
const MOST_POSE_NUMBERS = 5e8;
const KINDS = ["static", "kinematic", "dynamic"];

function check(condition, message) {
    if (!condition) {
        throw new RecordingError(message);
    }
}

function isVector(value, length) {
    return Array.isArray(value) && value.length === length && value.every(Number.isFinite);
}

function parse(text) {
    try {
        return JSON.parse(text);
    } catch (error) {
        throw new RecordingError(`The recording is not JSON: ${error.message}. Was the file cut off?`);
    }
}

function checkHead(json) {
    check(json !== null && typeof json === "object", "The recording is empty");
    check(
        json.version === VERSION,
        `The recording has version ${json.version}; this page plays version ${VERSION}`
    );
    check(
        Number.isInteger(json.frames) && json.frames >= 1 && json.frames <= MOST_FRAMES,
        `"frames" is not a number of frames`
    );
    check(Number.isFinite(json.dt) && json.dt > 0, `"dt" is not a time over 0`);
    check(isVector(json.origin, 3), `"origin" is not three numbers`);
    check(Array.isArray(json.meshes), `"meshes" is missing`);
    check(Array.isArray(json.bodies) && json.bodies.length <= MOST_BODIES, `"bodies" is missing`);
    check(json.frames * json.bodies.length * 7 <= MOST_POSE_NUMBERS, "The recording is too long for a page");
    check(json.contacts !== null && typeof json.contacts === "object", `"contacts" is missing`);
    check(json.series !== null && typeof json.series === "object", `"series" is missing`);
}

function countOf(declared, packed, size, what) {
    if (declared !== undefined) {
        check(
            Number.isInteger(declared) && declared >= 0 && declared * size <= 2 ** 31,
            `${what} has a count that is none`
        );
        return declared;
    }
    const count = lengthOfPlain(packed, what) / size;
    check(Number.isInteger(count), `${what} is not whole`);
    return count;
}

async function readMesh(json, index) {
    const what = `mesh ${index}`;
    check(json !== null && typeof json === "object", `${what} is missing`);
    const vertexCount = countOf(json.vertices, json.positions, 12, `${what}, positions`);
    const triangleCount = countOf(json.triangles, json.indices, 12, `${what}, indices`);
    const positions = await decodeArray(json.positions, Float32Array, vertexCount * 3, `${what}, positions`);
    const indices = await decodeArray(json.indices, Uint32Array, triangleCount * 3, `${what}, indices`);
    check(positions.every(Number.isFinite), `${what} has a vertex that is not finite`);
    check(
        indices.every((i) => i < vertexCount),
        `${what} has a triangle of vertices that it does not have`
    );
    return { positions, indices };
}

function readBody(json, index, meshCount) {
    const what = `body ${index}`;
    check(json !== null && typeof json === "object", `${what} is missing`);
    check(Number.isInteger(json.mesh) && json.mesh >= 0 && json.mesh < meshCount, `${what} has no mesh`);
    check(KINDS.includes(json.kind), `${what} is neither static, kinematic nor dynamic`);
    return {
        name: typeof json.name === "string" && json.name !== "" ? json.name : what,
        mesh: json.mesh,
        kind: json.kind,
        color: isVector(json.color, 3) ? json.color : [0.6, 0.6, 0.6],
        scale: Number.isFinite(json.scale) && json.scale !== 0 ? json.scale : 1,
        mass: Number.isFinite(json.mass) ? json.mass : null,
    };
}

function offsetsOf(counts) {
    const offsets = new Float64Array(counts.length + 1);
    for (let i = 0; i < counts.length; ++i) {
        offsets[i + 1] = offsets[i] + counts[i];
    }
    return offsets;
}

async function readContacts(json, frames, bodyCount) {
    const counts = await decodeArray(json.counts, Uint32Array, frames, "contacts, counts");
    const offsets = offsetsOf(counts);
    const total = offsets[frames];
    check(total <= MOST_CONTACTS, "The recording has too many contacts");
    const points = await decodeArray(json.points, Float32Array, total * 8, "contacts, points");
    const bodies = await decodeArray(json.bodies, Uint32Array, total * 2, "contacts, bodies");
    check(
        bodies.every((b) => b < bodyCount),
        "A contact is of a body that is not there"
    );
    // The number there was, where the writer left some out.
    const all =
        json.totals === undefined
            ? counts
            : await decodeArray(json.totals, Uint32Array, frames, "contacts, totals");
    return { counts, all, offsets, points, bodies };
}

async function readSeries(json, frames) {
    const read = (name, width) => decodeArray(json[name], Float32Array, frames * width, `series, ${name}`);
    const [kinetic, potential, deepest, milliseconds] = await Promise.all([
        read("kinetic", 1),
        read("potential", 1),
        read("deepest", 1),
        read("milliseconds", 6),
    ]);
    return { kinetic, potential, deepest, milliseconds };
}

function angle(value, otherwise) {
    return Number.isFinite(value) ? value : otherwise;
}

function readCamera(json) {
    const good = json !== null && typeof json === "object" && isVector(json.target, 3) && json.distance > 0;
    return good
        ? {
              target: json.target,
              distance: json.distance,
              turn: angle(json.turn, 37),
              rise: angle(json.rise, 25),
          }
        : null;
}

/// The recording of the page as arrays and plain values. Throws a RecordingError whose message is for people.
export async function readRecording(text) {
    const json = parse(text);
    checkHead(json);
    const frames = json.frames;
    const meshes = await Promise.all(json.meshes.map(readMesh));
    const bodies = json.bodies.map((body, i) => readBody(body, i, meshes.length));
    const poses = await decodeArray(json.poses, Float32Array, frames * bodies.length * 7, "poses");
    check(poses.every(Number.isFinite), "A pose is not finite");
    return {
        title: typeof json.title === "string" ? json.title : "",
        dt: json.dt,
        frames,
        stride: Number.isInteger(json.stride) && json.stride > 0 ? json.stride : 1,
        response: typeof json.response === "string" ? json.response : "",
        hash: typeof json.hash === "string" ? json.hash : "",
        origin: json.origin,
        camera: readCamera(json.camera),
        gravity: isVector(json.gravity, 3) ? json.gravity : [0, -9.81, 0],
        meshes,
        bodies,
        poses,
        asleep: await decodeArray(json.asleep, Uint8Array, frames * bodies.length, "asleep"),
        contacts: await readContacts(json.contacts, frames, bodies.length),
        series: await readSeries(json.series, frames),
    };
}
