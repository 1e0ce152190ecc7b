// The picture: renderer, camera, lights, and what stands in the scene.
import { BasicShadowMap, Box3, DirectionalLight, HemisphereLight, MathUtils, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Raycaster } from "three";
import { Scene, Sphere, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Bodies } from "./bodies.js";
import { Ground, gridStep } from "./ground.js";
import { Marks } from "./marks.js";
import { POSE_SIZE, poseOffset } from "./motion.js";

const FIELD_OF_VIEW = 40; // degrees, vertical
const LIGHT_DIRECTION = new Vector3(0.45, 1, 0.3).normalize();
/// Frames looked at to find how far a simulation reaches.
const REACH_FRAMES = 64;
/// A picture that takes longer than this many milliseconds, again and again, is made simpler.
const SLOW_PICTURE = 45;

function median(values) {
    return values.sort()[Math.floor(values.length / 2)];
}

/// Where the moving bodies are, over time: a sphere around their middle that leaves out the few that fall off the edge.
function findReach(recording) {
    const moving = recording.bodies.flatMap((body, i) => (body.kind === "static" ? [] : [i]));
    const chosen = moving.length > 0 ? moving : recording.bodies.map((_, i) => i);
    const axes = [[], [], []];
    const stride = Math.max(1, Math.floor(recording.frames / REACH_FRAMES));
    for (let frame = 0; frame < recording.frames; frame += stride) {
        for (const body of chosen) {
            const at = poseOffset(recording, body, frame);
            axes.forEach((axis, k) => axis.push(recording.poses[at + k]));
        }
    }
    const box = new Box3();
    axes.forEach((axis, k) => {
        const sorted = Float32Array.from(axis).sort();
        const end = sorted.length - 1;
        box.min.setComponent(k, sorted[Math.floor(end * 0.02)] ?? 0);
        box.max.setComponent(k, sorted[Math.ceil(end * 0.98)] ?? 0);
    });
    return { sphere: box.getBoundingSphere(new Sphere()), chosen };
}

function meshRadius({ positions }) {
    let most = 0;
    for (let i = 0; i < positions.length; i += 3) {
        most = Math.max(most, Math.hypot(positions[i], positions[i + 1], positions[i + 2]));
    }
    return most;
}

/// Target and radius of the view, and the size of a usual body.
function measure(recording) {
    const radii = recording.meshes.map(meshRadius);
    const { sphere, chosen } = findReach(recording);
    const sizes = chosen.map((body) => radii[recording.bodies[body].mesh] * Math.abs(recording.bodies[body].scale));
    const bodyRadius = (sizes.length > 0 && median(Float32Array.from(sizes))) || 1;
    const radius = Math.max(sphere.radius + bodyRadius, 1e-6);
    const fromReach = radius / Math.sin((FIELD_OF_VIEW * Math.PI) / 360);
    const target = recording.camera ? new Vector3(...recording.camera.target) : sphere.center;
    const distance = recording.camera ? recording.camera.distance : fromReach;
    const { turn, rise } = recording.camera ?? { turn: 37, rise: 25 };
    // From z towards x, and up.
    const direction = new Vector3().setFromSphericalCoords(1, MathUtils.degToRad(90 - rise), MathUtils.degToRad(turn));
    return { direction, target, distance, radius: distance * Math.sin((FIELD_OF_VIEW * Math.PI) / 360), bodyRadius };
}

export class View {
    /// quality: "high", or "low" for machines without a graphics processor.
    constructor(canvas, recording, quality) {
        this.recording = recording;
        this.canvas = canvas;
        this.quality = quality;
        this.renderer = new WebGLRenderer({ canvas, antialias: quality === "high", alpha: true, powerPreference: "high-performance" });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = quality === "high" ? PCFShadowMap : BasicShadowMap;
        this.renderer.shadowMap.autoUpdate = false; // they move with the bodies, not with the camera
        this.renderer.toneMapping = NeutralToneMapping;
        this.scene = new Scene();
        this.camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 1000);
        this.raycaster = new Raycaster();
        this.size = measure(recording);
        this.pixelRatio = quality === "high" ? Math.min(window.devicePixelRatio || 1, 2) : 1;
        this.shadowSize = quality === "high" ? 2048 : 1024;
        this.slowPictures = 0;
        this.fillScene();
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.zoomToCursor = true;
        this.controls.minDistance = this.size.bodyRadius * 0.05;
        this.controls.maxDistance = this.size.distance * 20;
        this.resize();
        this.fit(null);
    }

    fillScene() {
        const { target, radius, bodyRadius } = this.size;
        this.bodies = new Bodies(this.recording, radius, gridStep(radius), this.quality);
        this.bodies.select(null);
        this.bodies.update(0);
        this.ground = new Ground(this.lowest(), target, radius);
        this.marks = new Marks(this.recording, Math.min(bodyRadius * 0.5, radius * 0.1), this.bodies.depthScale);
        this.hemisphere = new HemisphereLight(0xffffff, 0x8a8478, 1.35);
        this.scene.add(this.bodies.group, this.ground.group, this.marks.group, this.hemisphere);
        this.addSun(target, radius);
    }

    addSun(target, radius) {
        const sun = new DirectionalLight(0xfff4e5, 2.3);
        const reach = 1.6 * radius;
        sun.target.position.copy(target);
        sun.position.copy(target).addScaledVector(LIGHT_DIRECTION, 4 * radius);
        sun.castShadow = true;
        sun.shadow.mapSize.set(this.shadowSize, this.shadowSize);
        Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 9 * radius });
        // Half a texel of the shadow's picture: more, and shadows would come off the bodies.
        sun.shadow.normalBias = reach / this.shadowSize;
        sun.shadow.bias = -0.0002;
        sun.shadow.radius = 2;
        this.sun = sun;
        this.scene.add(sun, sun.target);
    }

    /// Height of the lowest point that does not move; without any, of the lowest place that a body's bounds come to.
    lowest() {
        const still = this.recording.bodies.flatMap((body, i) => (body.kind === "static" ? [i] : []));
        const box = new Box3();
        for (const body of still) {
            box.union(this.bodies.boxOf(body));
        }
        if (!box.isEmpty()) {
            return Math.max(box.min.y, this.size.target.y - 2 * this.size.radius);
        }
        let low = Infinity;
        const step = Math.max(1, Math.floor(this.recording.frames / REACH_FRAMES)) * this.recording.bodies.length * POSE_SIZE;
        this.recording.bodies.forEach((_, body) => {
            for (let at = body * POSE_SIZE; at < this.recording.poses.length; at += step) {
                low = Math.min(low, this.recording.poses[at + 1] - this.bodies.radiusOf(body));
            }
        });
        return Number.isFinite(low) ? Math.max(low, this.size.target.y - 2 * this.size.radius) : 0;
    }

    setTheme(dark) {
        this.ground.setInk(dark ? 0xaab8c6 : 0x4a5a6a);
        this.hemisphere.intensity = dark ? 1.05 : 1.35;
        this.hemisphere.groundColor.set(dark ? 0x5a5650 : 0x8a8478);
        this.ground.shadow.material.opacity = dark ? 0.4 : 0.2;
    }

    /// Part of the canvas that no panel covers: what is looked at goes to its middle.
    setInsets(top, bottom) {
        this.insets = { top, bottom };
        this.resize();
    }

    resize() {
        const width = this.canvas.clientWidth || 1;
        const height = this.canvas.clientHeight || 1;
        this.renderer.setPixelRatio(this.pixelRatio);
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        const { top, bottom } = this.insets ?? { top: 0, bottom: 0 };
        this.camera.setViewOffset(width, height, 0, (bottom - top) / 2, width, height);
        this.camera.updateProjectionMatrix();
    }

    /// Looks at a body, or at everything (null), keeping the direction once there is one.
    fit(body, time = 0) {
        const direction = this.fitted ? this.camera.position.clone().sub(this.controls.target).normalize() : this.size.direction;
        this.fitted = true;
        const target = body === null ? this.size.target : this.bodies.centerOf(body, time, new Vector3());
        const distance = body === null ? this.size.distance : 7 * this.bodies.radiusOf(body);
        // The distance is for windows that are wider than high and free; on a phone one has to stand back.
        const { top, bottom } = this.insets ?? { top: 0, bottom: 0 };
        const free = Math.max(1 - (top + bottom) / (this.canvas.clientHeight || 1), 0.4);
        const narrow = Math.min(1.35 * this.camera.aspect, free);
        this.controls.target.copy(target);
        this.camera.position.copy(target).addScaledVector(direction, distance / narrow);
        this.controls.update();
    }

    update(time) {
        this.bodies.update(time);
        this.renderer.shadowMap.needsUpdate = true;
        if (this.marks.points.group.visible || this.marks.normals.group.visible) {
            this.marks.update(Math.min(Math.floor(time), this.recording.frames - 1));
        }
    }

    render() {
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = Math.max(distance * 0.01, this.size.bodyRadius * 1e-3);
        this.camera.far = distance + 30 * this.size.radius;
        this.camera.updateProjectionMatrix();
        this.renderer.render(this.scene, this.camera);
    }

    /// Keeps weak machines fluent: fewer pixels first, then no shadows. `milliseconds` passed since the last picture.
    /// Returns whether something was taken away.
    relieve(milliseconds) {
        this.slowPictures = milliseconds > SLOW_PICTURE && milliseconds < 1000 ? this.slowPictures + 1 : Math.max(this.slowPictures - 2, 0);
        if (this.slowPictures < 20) {
            return false;
        }
        this.slowPictures = 0;
        if (this.pixelRatio > 0.75) {
            this.pixelRatio = Math.max(this.pixelRatio * 0.75, 0.75);
            this.resize();
            return true;
        }
        const had = this.sun.castShadow;
        this.sun.castShadow = false;
        return had;
    }

    /// The body at a place of the window (CSS pixels), or null.
    pick(x, y) {
        const rectangle = this.canvas.getBoundingClientRect();
        const place = new Vector2(((x - rectangle.left) / rectangle.width) * 2 - 1, 1 - ((y - rectangle.top) / rectangle.height) * 2);
        this.scene.updateMatrixWorld();
        this.camera.updateMatrixWorld();
        this.raycaster.setFromCamera(place, this.camera);
        return this.bodies.pick(this.raycaster);
    }

    /// Where the centre of a body is in the window, in CSS pixels.
    place(body, time) {
        const rectangle = this.canvas.getBoundingClientRect();
        this.camera.updateMatrixWorld();
        const at = this.bodies.centerOf(body, time, new Vector3()).project(this.camera);
        return { x: rectangle.left + ((at.x + 1) / 2) * rectangle.width, y: rectangle.top + ((1 - at.y) / 2) * rectangle.height };
    }
}
