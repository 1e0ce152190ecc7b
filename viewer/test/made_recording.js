// A recording without a simulation: cubes on circles over a floor, with contacts that are easy to check.
import { deflateSync } from "node:zlib";

const CUBE_CORNERS = [-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1];
const CUBE_FACES = [
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 3, 7, 6, 3, 6, 2, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6,
    5,
];
const BLOCK_ROWS = 4096;

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");

/// The other direction of src/packed.js, written down from its description.
export function pack(array, words, back) {
    const source = new Uint32Array(array.buffer, array.byteOffset, array.byteLength / 4);
    const rows = source.length / words;
    const out = [];
    for (let first = 0; first < rows; first += BLOCK_ROWS) {
        const end = Math.min(first + BLOCK_ROWS, rows);
        for (let word = 0; word < words; ++word) {
            for (let byte = 0; byte < 4; ++byte) {
                for (let row = first; row < end; ++row) {
                    const before = row >= back ? source[(row - back) * words + word] : 0;
                    out.push(((source[row * words + word] - before) >>> (8 * byte)) & 255);
                }
            }
        }
    }
    return { words, back, data: deflateSync(Buffer.from(out)).toString("base64") };
}

export function packBytes(array) {
    return { words: 0, back: 0, data: deflateSync(array).toString("base64") };
}

function cube(size, flat = 1) {
    const positions = Float32Array.from(CUBE_CORNERS, (value, i) => value * size * (i % 3 === 1 ? flat : 1));
    return { positions: base64(positions), indices: base64(Uint32Array.from(CUBE_FACES)) };
}

function poseAt(body, frame, bodies) {
    if (body === 0) {
        return [0, -0.2, 0, 0, 0, 0, 1];
    }
    const turn = (2 * Math.PI * body) / bodies + frame * 0.01;
    const radius = 1 + (body % 5) * 0.35;
    return [
        radius * Math.cos(turn),
        0.3 + 0.2 * (body % 3),
        radius * Math.sin(turn),
        0,
        Math.sin(turn / 2),
        0,
        Math.cos(turn / 2),
    ];
}

/// Body 0 is the floor. Every odd body touches it in every frame, once.
export function makeRecording({ frames = 120, bodies = 12, title = "cubes" } = {}) {
    const poses = new Float32Array(frames * bodies * 7);
    for (let frame = 0; frame < frames; ++frame) {
        for (let body = 0; body < bodies; ++body) {
            poses.set(poseAt(body, frame, bodies), (frame * bodies + body) * 7);
        }
    }
    const touching = Array.from({ length: bodies }, (_, i) => i).filter((body) => body % 2 === 1);
    const points = [];
    const pairs = [];
    for (let frame = 0; frame < frames; ++frame) {
        for (const body of touching) {
            const [x, y, z] = poseAt(body, frame, bodies);
            points.push(x, y - 0.15, z, 0, 1, 0, -0.001 * body, 0.1);
            pairs.push(body, 0);
        }
    }
    const wave = (phase) => Float32Array.from({ length: frames }, (_, i) => 2 + Math.sin(i * 0.1 + phase));
    const milliseconds = Float32Array.from(
        { length: frames * 6 },
        (_, i) => 0.2 + 0.1 * (i % 6) + 0.1 * Math.sin(i)
    );
    return {
        version: 1,
        title,
        dt: 1 / 60,
        frames,
        response: "impulse",
        hash: "0123456789abcdef",
        origin: [1000.5, 0, 0],
        camera: { target: [0, 0.3, 0], distance: 7 },
        meshes: [cube(3, 0.05), cube(0.15)],
        bodies: Array.from({ length: bodies }, (_, i) => ({
            name: i === 0 ? "floor" : `cube ${i}`,
            mesh: i === 0 ? 0 : 1,
            kind: i === 0 ? "static" : "dynamic",
            color:
                i === 0
                    ? [0.8, 0.8, 0.78]
                    : [0.5 + 0.4 * Math.sin(i), 0.5 + 0.4 * Math.sin(i + 2), 0.5 + 0.4 * Math.sin(i + 4)],
            scale: 1,
            mass: i === 0 ? null : 1.5,
        })),
        poses: base64(poses),
        asleep: base64(Uint8Array.from({ length: frames * bodies }, (_, i) => (i % bodies === 2 ? 1 : 0))),
        contacts: {
            counts: base64(new Uint32Array(frames).fill(touching.length)),
            points: base64(Float32Array.from(points)),
            bodies: base64(Uint32Array.from(pairs)),
        },
        series: {
            kinetic: base64(wave(0)),
            potential: base64(wave(2)),
            deepest: base64(Float32Array.from(wave(1), (value) => 0.003 * value)),
            milliseconds: base64(milliseconds),
        },
    };
}

/// The same contacts in every frame instead: { a, b, normal, depth, impulse }, all in the middle.
export function withContacts(recording, contacts) {
    const points = contacts.flatMap(({ normal, depth, impulse }) => [0, 0, 0, ...normal, -depth, impulse]);
    const repeat = (Type, values) =>
        base64(Type.from({ length: recording.frames * values.length }, (_, i) => values[i % values.length]));
    recording.contacts = {
        counts: repeat(Uint32Array, [contacts.length]),
        points: repeat(Float32Array, points),
        bodies: repeat(
            Uint32Array,
            contacts.flatMap(({ a, b }) => [a, b])
        ),
    };
    return recording;
}

/// A page with any text as its recording, as cli/write_html.c puts it together.
export function makePage(template, text) {
    const json = text.replaceAll("<", "\\u003c");
    const element = `<script id="abut-recording" type="application/json">${json}</script>`;
    return template.split("<!-- recording -->").join(element);
}
