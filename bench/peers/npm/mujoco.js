// MuJoCo 3 as WebAssembly (npm: @mujoco/mujoco): meshes as geoms of type "sdf", with octrees of distances.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Defaults but for gravity along y, friction, one step for one of the scene, and room for many contacts.
 * Quaternions are w x y z.
 */
function describe(scene) {
    const inertial = `<inertial pos="0 0 0" mass="${scene.mass}" diaginertia="${scene.inertia.join(" ")}"/>`;
    const body = ([x, y, z, qx, qy, qz, qw]) =>
        `<body pos="${x} ${y} ${z}" quat="${qw} ${qx} ${qy} ${qz}"><freejoint/>${inertial}` +
        `<geom type="sdf" mesh="body"/></body>`;
    return `<mujoco>
<option timestep="${scene.step}" gravity="0 -9.81 0" integrator="implicitfast"/>
<size memory="1G"/>
<default><geom friction="${scene.friction} 0.005 0.0001"/></default>
<asset><mesh name="body" inertia="exact" vertex="${scene.vertices.join(" ")}"
face="${scene.triangles.join(" ")}"/></asset>
<worldbody><geom type="plane" size="0 0 1" zaxis="0 1 0"/>
${scene.poses.map(body).join("\n")}
</worldbody></mujoco>`;
}

/**
 * Poses are those of bodies: the compiler moves a mesh to its centre and its principal axes, but its geom
 * with it. No body sleeps.
 * @returns { bakeSeconds, step(), poses() }
 */
export async function createMujoco(scene, cpuSeconds) {
    const { default: create } = await import("@mujoco/mujoco");
    const path = createRequire(import.meta.url).resolve("@mujoco/mujoco/mujoco.wasm");
    const mj = await create({ wasmBinary: readFileSync(path) });
    const xml = describe(scene);
    const start = cpuSeconds();
    const model = mj.MjModel.from_xml_string(xml);
    const bakeSeconds = cpuSeconds() - start;
    const data = new mj.MjData(model);
    return {
        bakeSeconds,
        step() {
            mj.mj_step(model, data);
        },
        poses() {
            const { qpos, qvel } = data;
            return scene.poses.map((_, i) => {
                const q = qpos.subarray(7 * i, 7 * i + 7), v = qvel.subarray(6 * i, 6 * i + 6);
                return [q[0], q[1], q[2], q[4], q[5], q[6], q[3], ...v, 0];
            });
        },
    };
}
