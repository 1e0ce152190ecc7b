// PhysX 5 as WebAssembly (npm: physx-js-webidl): triangle meshes with cooked distance fields.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The module is built for browsers and refuses to load where there is a version of Node.js. */
async function load() {
    const versions = Object.getOwnPropertyDescriptor(process, "versions");
    const path = createRequire(import.meta.url).resolve("physx-js-webidl");
    const wasmBinary = readFileSync(path.replace(/\.mjs$/, ".wasm"));
    const { default: create } = await import("physx-js-webidl");
    const hidden = { ...process.versions, node: undefined };
    Object.defineProperty(process, "versions", { ...versions, value: hidden });
    globalThis.window = globalThis;
    try {
        return await create({ wasmBinary });
    } finally {
        delete globalThis.window;
        Object.defineProperty(process, "versions", versions);
    }
}

function cook(px, params, scene) {
    const points = new px.PxArray_PxVec3(), indices = new px.PxArray_PxU32();
    const point = new px.PxVec3(0, 0, 0);
    for (let i = 0; i < scene.vertices.length; i += 3) {
        point.set_x(scene.vertices[i]);
        point.set_y(scene.vertices[i + 1]);
        point.set_z(scene.vertices[i + 2]);
        points.pushBack(point);
    }
    for (const index of scene.triangles) {
        indices.pushBack(index);
    }
    const desc = new px.PxTriangleMeshDesc();
    desc.points.count = scene.vertices.length / 3;
    desc.points.stride = 12;
    desc.points.data = points.begin();
    desc.triangles.count = scene.triangles.length / 3;
    desc.triangles.stride = 12;
    desc.triangles.data = indices.begin();
    const sdf = new px.PxSDFDesc();
    sdf.spacing = scene.cell;
    sdf.subgridSize = 6; // sparse, 16 bits: what its snippets take
    sdf.bitsPerSubgridPixel = px.PxSdfBitsPerSubgridPixelEnum.e16_BIT_PER_PIXEL;
    sdf.numThreadsForSdfConstruction = 1;
    desc.sdfDesc = sdf;
    return px.PxTopLevelFunctions.prototype.CreateTriangleMesh(params, desc);
}

/** Adds a body of the scene at a pose, with the mass that abut has computed. */
function addBody(px, physics, scene, shape, pose) {
    const at = new px.PxTransform(new px.PxVec3(pose[0], pose[1], pose[2]),
                                  new px.PxQuat(pose[3], pose[4], pose[5], pose[6]));
    const body = physics.createRigidDynamic(at);
    body.attachShape(shape);
    body.setMass(scene.mass);
    body.setMassSpaceInertiaTensor(new px.PxVec3(...scene.inertia));
    return body;
}

/** A body's line: what a getter answers is overwritten by the next one. */
function readBody(body) {
    const { p, q } = body.getGlobalPose();
    const pose = [p.x, p.y, p.z, q.x, q.y, q.z, q.w];
    const v = body.getLinearVelocity();
    const linear = [v.x, v.y, v.z];
    const w = body.getAngularVelocity();
    return [...pose, ...linear, w.x, w.y, w.z, body.isSleeping() ? 1 : 0];
}

/**
 * Defaults but for gravity, friction, the solver and the cells of the field: 4 iterations for positions, one
 * for velocities, contact offset 0.02, sleep.
 * @param solver "TGS" or "PGS"
 * @returns { bakeSeconds, step(), poses() }
 */
export async function createPhysx(scene, solver, cpuSeconds) {
    const px = await load();
    const top = px.PxTopLevelFunctions.prototype;
    const version = px.PHYSICS_VERSION;
    const foundation = top.CreateFoundation(version, new px.PxDefaultAllocator(),
                                            new px.PxDefaultErrorCallback());
    const tolerances = new px.PxTolerancesScale();
    const physics = top.CreatePhysics(version, foundation, tolerances);
    const desc = new px.PxSceneDesc(tolerances);
    desc.gravity = new px.PxVec3(0, -9.81, 0);
    desc.cpuDispatcher = top.DefaultCpuDispatcherCreate(0);
    desc.filterShader = top.DefaultFilterShader();
    desc.solverType = px.PxSolverTypeEnum["e" + solver];
    const world = physics.createScene(desc);
    const params = new px.PxCookingParams(tolerances);
    const start = cpuSeconds();
    const mesh = cook(px, params, scene);
    const bakeSeconds = cpuSeconds() - start;

    const material = physics.createMaterial(scene.friction, scene.friction, 0.0);
    const flags = new px.PxShapeFlags(px.PxShapeFlagEnum.eSIMULATION_SHAPE);
    const filter = new px.PxFilterData(1, 1, 0, 0);
    const shapeOf = geometry => {
        const shape = physics.createShape(geometry, material, false, flags);
        shape.setSimulationFilterData(filter);
        return shape;
    };
    const up = new px.PxTransform(new px.PxVec3(0, 0, 0), new px.PxQuat(0, 0, Math.SQRT1_2, Math.SQRT1_2));
    const ground = physics.createRigidStatic(up); // the plane's normal is x
    ground.attachShape(shapeOf(new px.PxPlaneGeometry()));
    world.addActor(ground);
    const shape = shapeOf(new px.PxTriangleMeshGeometry(mesh));
    const bodies = scene.poses.map(pose => addBody(px, physics, scene, shape, pose));
    bodies.forEach(body => world.addActor(body));

    return {
        bakeSeconds,
        step() {
            world.simulate(scene.step);
            world.fetchResults(true);
        },
        poses: () => bodies.map(readBody),
    };
}
