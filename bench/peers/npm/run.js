// usage: node run.js ENGINE < SCENE
// Lets the bodies of a scene (JSON, as bench_npm.c writes it) fall in an engine from npm, and prints a line
// "bake SECONDS", a line "step SECONDS" for each step, and at the end a line "body X Y Z QX QY QZ QW VX VY VZ
// WX WY WZ ASLEEP" for each body. Seconds are those of the processor, of this thread where Node.js can tell.
import { readFileSync } from "node:fs";
import { createPhysx } from "./physx.js";
import { createMujoco } from "./mujoco.js";

const engines = {
    "physx-tgs": (scene, cpu) => createPhysx(scene, "TGS", cpu),
    "physx-pgs": (scene, cpu) => createPhysx(scene, "PGS", cpu),
    mujoco: createMujoco,
};

function cpuSeconds() {
    const usage = process.threadCpuUsage ? process.threadCpuUsage() : process.cpuUsage();
    return 1e-6 * (usage.user + usage.system);
}

const create = engines[process.argv[2]];
if (create === undefined) {
    console.error(`run.js: no engine '${process.argv[2]}'; there are ${Object.keys(engines).join(", ")}`);
    process.exit(2);
}
const scene = JSON.parse(readFileSync(0, "utf8"));
const engine = await create(scene, cpuSeconds);
const lines = [`bake ${engine.bakeSeconds}`];
let spent = 0;
for (let i = 0; i < scene.steps && spent < scene.limit; ++i) {
    const start = cpuSeconds();
    engine.step();
    const seconds = cpuSeconds() - start;
    spent += seconds;
    lines.push(`step ${seconds}`);
}
for (const body of engine.poses()) {
    lines.push(`body ${body.join(" ")}`);
}
lines.push("end");
process.stdout.write(lines.join("\n") + "\n");
