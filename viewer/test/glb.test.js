// Animated glTF of simulations, judged by the Khronos validator: nothing to complain about, not even a hint.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import validator from "gltf-validator";

const program = process.env.ABUT_PROGRAM ?? "build/bin/abut";
const scenes = process.env.ABUT_SCENES ?? "scenes";

async function validate(context, scene, ...options) {
    const folder = mkdtempSync(join(tmpdir(), "abut-glb-"));
    context.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "out.glb");
    execFileSync(program, ["simulate", scene, "-o", path, ...options], { stdio: "pipe" });
    const report = await validator.validateBytes(new Uint8Array(readFileSync(path)));
    assert.deepEqual(report.issues.messages, []);
    return report.info;
}

test("a heap of many shapes is valid and animated", async (context) => {
    const info = await validate(context, "pile", "--bodies", "20", "--seconds", "0.5");
    assert.equal(info.version, "2.0");
    assert.equal(info.animationCount, 1);
    assert.ok(info.totalTriangleCount > 10000);
});

test("terrain, machines and scene files are valid", async (context) => {
    for (const scene of ["statue", "gears", join(scenes, "dominoes.json")]) {
        const info = await validate(context, scene, "--seconds", "0.3");
        assert.equal(info.animationCount, 1, scene);
    }
});

test("one frame is valid and stands still", async (context) => {
    const info = await validate(context, "peg", "--seconds", "0.01", "--fps", "1");
    assert.equal(info.animationCount, 0);
});
