// Reading recordings, without a browser: both forms of arrays, and everything that can be wrong with one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { joinWebp } from "../animated_webp.js";
import { speeds } from "../src/motion.js";
import { decodeArray } from "../src/packed.js";
import { Playback } from "../src/playback.js";
import { RecordingError, readRecording } from "../src/recording.js";
import { simplify } from "../src/simplify.js";
import { makeRecording, pack, packBytes } from "./made_recording.js";

const made = (options) => JSON.parse(JSON.stringify(makeRecording(options)));
const read = (json) => readRecording(JSON.stringify(json));

/// A generator of our own: the same damage in every run.
function makeRandom(seed) {
    let state = seed;
    return (below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
    };
}

test("packed arrays come back bit for bit, for every way to pack them", async () => {
    const random = makeRandom(1);
    for (const [words, back, rows] of [
        [7, 41, 9000],
        [8, 1, 4097],
        [1, 1, 1],
        [3, 5000, 4096],
        [2, 1, 0],
    ]) {
        const source = Uint32Array.from({ length: words * rows }, () => random(2 ** 32));
        const unpacked = await decodeArray(pack(source, words, back), Uint32Array, source.length, "numbers");
        assert.deepEqual(unpacked, source);
    }
    const bytes = Uint8Array.from({ length: 1000 }, () => random(3));
    assert.deepEqual(await decodeArray(packBytes(bytes), Uint8Array, 1000, "bytes"), bytes);
});

test("an array that unpacks to more than it should is stopped, not unpacked", async () => {
    const bomb = packBytes(new Uint8Array(1 << 26));
    await assert.rejects(decodeArray(bomb, Uint8Array, 100, "asleep"), /asleep is longer than the 100 bytes/);
});

test("a plain recording is read", async () => {
    const recording = await read(made());
    assert.equal(recording.frames, 120);
    assert.equal(recording.bodies.length, 12);
    assert.equal(recording.bodies[3].name, "cube 3");
    assert.equal(recording.contacts.counts[5], 6);
    assert.deepEqual(recording.gravity, [0, -9.81, 0]);
    assert.deepEqual((await read({ ...made(), gravity: [1, 2, 3] })).gravity, [1, 2, 3]);
    assert.equal(recording.poses[(10 * 12 + 0) * 7 + 1], Math.fround(-0.2));
});

test("pictures become an animated WebP of the form that browsers play", () => {
    const picture = (...pixels) => {
        const head = Buffer.from("RIFF....WEBPVP8 ....", "latin1");
        head.writeUInt32LE(12 + pixels.length + (pixels.length % 2), 4);
        head.writeUInt32LE(pixels.length, 16);
        return Buffer.concat([head, Buffer.from(pixels), Buffer.alloc(pixels.length % 2)]);
    };
    const film = joinWebp(
        [
            { data: picture(1, 2, 3), milliseconds: 40 },
            { data: picture(4, 5), milliseconds: 300 },
        ],
        800,
        460
    );
    assert.equal(film.readUInt32LE(4), film.length - 8);
    const found = [];
    for (let at = 12; at < film.length; at += 8 + film.readUInt32LE(at + 4)) {
        found.push([
            film.toString("latin1", at, at + 4),
            [...film.subarray(at + 8, at + 8 + film.readUInt32LE(at + 4))],
        ]);
    }
    const size = [0x1f, 0x03, 0, 0xcb, 0x01, 0];
    assert.deepEqual(found, [
        ["VP8X", [2, 0, 0, 0, ...size]],
        ["ANIM", [0, 0, 0, 0, 0, 0]],
        ["ANMF", [0, 0, 0, 0, 0, 0, ...size, 40, 0, 0, 2, ...Buffer.from("VP8 "), 3, 0, 0, 0, 1, 2, 3, 0]],
        ["ANMF", [0, 0, 0, 0, 0, 0, ...size, 44, 1, 0, 2, ...Buffer.from("VP8 "), 2, 0, 0, 0, 4, 5]],
    ]);
    assert.throws(
        () => joinWebp([{ data: Buffer.from("RIFF....WEBP"), milliseconds: 1 }], 1, 1),
        /no pixels/
    );
});

test("whatever is missing or wrong is said by name", async () => {
    const faults = [
        [(r) => (r.version = 2), /version 2/],
        [(r) => (r.frames = 0), /"frames"/],
        [(r) => (r.frames = 1e9), /"frames"/],
        [(r) => (r.dt = -1), /"dt"/],
        [(r) => (r.origin = [0, null, 0]), /"origin"/],
        [(r) => delete r.bodies, /"bodies"/],
        [(r) => (r.bodies[4].mesh = 2), /body 4 has no mesh/],
        [(r) => (r.bodies[4].kind = "soft"), /body 4 is neither/],
        [(r) => (r.bodies[4] = null), /body 4 is missing/],
        [(r) => (r.meshes[1].indices = "AAAA"), /mesh 1, indices/],
        [(r) => (r.meshes[0].positions = "!"), /mesh 0, positions/],
        [(r) => (r.poses = r.poses.slice(4)), /poses has \d+ bytes and should have \d+/],
        [(r) => (r.poses = "****"), /poses is not base64/],
        [(r) => (r.poses = { words: 7, back: 12, data: "AAAA" }), /poses is damaged/],
        [(r) => (r.poses = { words: 11, back: 12, data: "" }), /packed in a way/],
        [(r) => delete r.asleep, /asleep is missing/],
        [(r) => (r.contacts = null), /"contacts"/],
        [(r) => delete r.contacts.points, /contacts, points is missing/],
        [
            (r) => (r.contacts.bodies = Buffer.alloc(120 * 6 * 8, 255).toString("base64")),
            /a body that is not there/,
        ],
        [(r) => (r.series.kinetic = ""), /series, kinetic/],
    ];
    for (const [damage, message] of faults) {
        const json = made();
        damage(json);
        await assert.rejects(
            read(json),
            (error) => error instanceof RecordingError && message.test(error.message),
            String(message)
        );
    }
});

test("a pose that is no number is refused", async () => {
    const json = made();
    const poses = Buffer.from(json.poses, "base64");
    poses.writeFloatLE(NaN, 400);
    json.poses = poses.toString("base64");
    await assert.rejects(read(json), /A pose is not finite/);
});

test("a recording cut off anywhere is a RecordingError", async () => {
    const text = JSON.stringify(made({ frames: 3, bodies: 3 }));
    for (let length = 0; length < text.length; length += 37) {
        await assert.rejects(readRecording(text.slice(0, length)), RecordingError);
    }
});

test("damage is read or refused with a RecordingError, never anything else", async () => {
    const random = makeRandom(7);
    const text = JSON.stringify(made({ frames: 3, bodies: 3 }));
    for (let i = 0; i < 500; ++i) {
        const at = random(text.length);
        const damaged = text.slice(0, at) + String.fromCharCode(32 + random(95)) + text.slice(at + 1);
        await readRecording(damaged).catch((error) =>
            assert.ok(error instanceof RecordingError, error.stack)
        );
    }
});

test("speeds are those of the motion", async () => {
    const recording = await read(made());
    for (const frame of [0, 1, 50, 119]) {
        const { linear, angular } = speeds(recording, 4, frame);
        // On a circle of radius 2.4, 0.01 radians per frame of 1/60 s: the chord is shorter than the arc by
        // 4e-6 of it.
        assert.ok(Math.abs(linear - 2.4 * 0.6) < 1e-3, `speed ${linear}`);
        assert.ok(Math.abs(angular - 0.6) < 1e-3, `turning ${angular}`);
        assert.deepEqual(speeds(recording, 0, frame), { linear: 0, angular: 0 });
    }
});

/// A plate with many small triangles: n by n squares on both sides, 0.01 apart.
function makePlate(n) {
    const positions = [];
    const indices = [];
    for (const side of [0, 1]) {
        for (let i = 0; i <= n; ++i) {
            for (let k = 0; k <= n; ++k) {
                positions.push(i / n, side * 0.01, k / n);
            }
        }
        const at = (i, k) => side * (n + 1) ** 2 + i * (n + 1) + k;
        for (let i = 0; i < n; ++i) {
            for (let k = 0; k < n; ++k) {
                const [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
                indices.push(...(side === 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
            }
        }
    }
    return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

test("a simpler mesh has few enough triangles, and a thin plate keeps both sides", () => {
    const plate = makePlate(60);
    const simple = simplify(plate, 2000);
    const count = simple.indices.length / 3;
    assert.ok(count <= 2000 && count >= 1000, `${count} triangles`);
    const heights = new Set(Array.from(simple.positions).filter((_, i) => i % 3 === 1));
    assert.deepEqual([...heights].sort(), [0, Math.fround(0.01)]);
    assert.ok(simple.indices.every((i) => i < simple.positions.length / 3));
    assert.equal(simplify(plate, 20000), plate);
});

test("the clock stops at the end, starts anew from there, and stays within", () => {
    const playback = new Playback(61, 1 / 60);
    playback.play();
    playback.advance(0.5);
    assert.ok(Math.abs(playback.time - 30) < 1e-9);
    playback.advance(10);
    assert.deepEqual([playback.playing, playback.frame], [false, 60]);
    playback.play();
    assert.deepEqual([playback.playing, playback.frame], [true, 0]);
    playback.seek(-5);
    assert.equal(playback.frame, 0);
    playback.seek(NaN);
    assert.equal(playback.frame, 0);
    playback.step(1000);
    assert.deepEqual([playback.playing, playback.frame], [false, 60]);
    playback.faster(100);
    assert.equal(playback.speed, 8);
});
