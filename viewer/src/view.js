// The picture: renderer, camera, lights, and what stands in the scene.
import {
    BasicShadowMap,
    Box3,
    DirectionalLight,
    HemisphereLight,
    MathUtils,
    NeutralToneMapping,
    PCFShadowMap,
    PerspectiveCamera,
    Raycaster,
} from "three";
import { Scene, Spherical, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Bodies } from "./bodies.js";
import { boxOfMesh, cornersOf, findFrame, frameCorners, sizeOfBody } from "./framing.js";
import { Ground, gridStep } from "./ground.js";
import { Marks } from "./marks.js";

const FIELD_OF_VIEW = 40; // degrees, vertical
const HALF_ANGLE = MathUtils.degToRad(FIELD_OF_VIEW / 2);
/// Kept free around what is framed: a part of the shorter side of the free area.
const FRAME_MARGIN = 0.04;
/// A picked body is framed with this many times its size.
const BODY_SURROUNDINGS = 3;
const LIGHT_DIRECTION = new Vector3(0.45, 1, 0.3).normalize();
/// A picture that takes longer than this many milliseconds, again and again, is made simpler.
const SLOW_PICTURE = 45;

function median(values) {
    return values.sort()[Math.floor(values.length / 2)];
}

/// Towards the camera: from z towards x, and up; never along the vertical, where there is no right and left.
function directionOf(turn, rise) {
    const fromUp = MathUtils.degToRad(MathUtils.clamp(90 - rise, 0.1, 179.9));
    return new Vector3().setFromSphericalCoords(1, fromUp, MathUtils.degToRad(turn));
}

/// What is framed from where, the size of the scene, and that of a usual body.
function measure(recording) {
    const boxes = recording.meshes.map(boxOfMesh);
    const { corners, sphere, radius } = findFrame(recording, boxes, Math.sin(HALF_ANGLE));
    const sizes = recording.bodies.map((_, i) => sizeOfBody(recording, boxes, i));
    const moving = sizes.filter((_, i) => recording.bodies[i].kind !== "static");
    const bodyRadius = median(Float32Array.from(moving.length > 0 ? moving : sizes)) / 2 || 1;
    const { turn, rise } = recording.camera ?? { turn: 37, rise: 25 };
    return {
        boxes,
        corners,
        direction: directionOf(turn, rise),
        center: sphere.center,
        radius: Math.max(radius, sphere.radius, 1e-6),
        groundRadius: radius,
        sizes,
        bodyRadius,
    };
}

export class View {
    /// quality: "high", or "low" for machines without a graphics processor.
    constructor(canvas, recording, quality) {
        this.recording = recording;
        this.canvas = canvas;
        this.quality = quality;
        this.renderer = new WebGLRenderer({
            canvas,
            antialias: quality === "high",
            alpha: true,
            powerPreference: "high-performance",
        });
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
        this.controls.maxDistance = this.size.radius * 60;
        this.controls.addEventListener("start", () => (this.before = this.camera.position.clone()));
        this.controls.addEventListener(
            "end",
            () => this.before.equals(this.camera.position) || (this.framed = null)
        );
        this.insets = { top: 0, bottom: 0 };
        this.framed = { corners: this.size.corners, direction: this.size.direction };
        this.resize();
    }

    fillScene() {
        const { center, radius, bodyRadius } = this.size;
        this.bodies = new Bodies(this.recording, this.size, gridStep(radius), this.quality);
        this.bodies.select(null);
        this.bodies.update(0);
        this.ground = new Ground(this.lowest(), center, radius);
        this.ground.group.visible = !this.bodies.hasFloor;
        this.marks = new Marks(this.recording, this.size.sizes, Math.min(bodyRadius, radius * 0.1));
        this.hemisphere = new HemisphereLight(0xffffff, 0x8a8478, 1.35);
        this.scene.add(this.bodies.group, this.ground.group, this.marks.group, this.hemisphere);
        this.addSun(center, radius);
    }

    addSun(target, radius) {
        const sun = new DirectionalLight(0xfff4e5, 2.3);
        const reach = 1.1 * radius; // of what casts shadows; where they fall follows from the light
        sun.target.position.copy(target);
        sun.position.copy(target).addScaledVector(LIGHT_DIRECTION, 4 * radius);
        sun.castShadow = true;
        sun.shadow.mapSize.set(this.shadowSize, this.shadowSize);
        Object.assign(sun.shadow.camera, {
            left: -reach,
            right: reach,
            top: reach,
            bottom: -reach,
            near: 0.1 * radius,
            far: 9 * radius,
        });
        // Half a texel of the shadow's picture: more, and shadows would come off the bodies.
        sun.shadow.normalBias = reach / this.shadowSize;
        sun.shadow.bias = -0.0002;
        sun.shadow.radius = 2;
        this.sun = sun;
        this.scene.add(sun, sun.target);
    }

    /// Height of the lowest point that does not move; without any, of what is framed.
    lowest() {
        const box = new Box3();
        this.recording.bodies.forEach((body, i) => body.kind === "static" && box.union(this.bodies.boxOf(i)));
        const { center, radius, corners } = this.size;
        return Math.max(
            box.isEmpty() ? new Box3().setFromPoints(corners).min.y : box.min.y,
            center.y - 2 * radius
        );
    }

    setTheme(dark) {
        this.bodies.setTheme(dark);
        this.marks.setTheme(dark);
        this.ground.setInk(dark ? 0xaab8c6 : 0x4a5a6a);
        this.hemisphere.intensity = dark ? 1.05 : 1.35;
        this.hemisphere.groundColor.set(dark ? 0x5a5650 : 0x8a8478);
        this.ground.shadow.material.opacity = dark ? 0.4 : 0.2;
    }

    /// Heights of the canvas that bars cover: what is framed is in between.
    setInsets(top, bottom) {
        this.insets = { top, bottom };
        this.resize();
    }

    /// Tangents of the angles from the camera's axis, which is in the middle of the free area, to its sides.
    freeTangents() {
        const width = this.canvas.clientWidth || 1;
        const height = this.canvas.clientHeight || 1;
        const free = Math.max(height - this.insets.top - this.insets.bottom, 0.2 * height);
        const tangent = (length) =>
            ((length - 2 * FRAME_MARGIN * Math.min(width, free)) / height) * Math.tan(HALF_ANGLE);
        return { x: tangent(width), y: tangent(free) };
    }

    resize() {
        const width = this.canvas.clientWidth || 1;
        const height = this.canvas.clientHeight || 1;
        this.renderer.setPixelRatio(this.pixelRatio);
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.setViewOffset(
            width,
            height,
            0,
            (this.insets.bottom - this.insets.top) / 2,
            width,
            height
        );
        this.camera.updateProjectionMatrix();
        this.reframe();
    }

    /// What was framed is framed anew; a camera moved by hand sees as much to the nearer side as before.
    reframe() {
        const tangents = this.freeTangents();
        const nearer = Math.min(tangents.x, tangents.y);
        if (this.framed !== null) {
            const { position, target } = frameCorners(this.framed.corners, this.framed.direction, tangents);
            this.camera.position.copy(position);
            this.controls.target.copy(target);
        } else {
            const { target } = this.controls;
            this.camera.position
                .sub(target)
                .multiplyScalar(this.nearer / nearer)
                .add(target);
        }
        this.nearer = nearer;
        this.controls.update();
    }

    /// Ends the glide after a gesture.
    stopGliding() {
        this.controls.enableDamping = false;
        this.controls.update();
        this.controls.enableDamping = true;
    }

    /// Frames a body, or everything (null), from where the camera is.
    fit(body, time = 0) {
        this.stopGliding();
        const direction = this.camera.position.clone().sub(this.controls.target).normalize();
        this.framed = {
            direction,
            corners: body === null ? this.size.corners : this.cornersAround(body, time),
        };
        this.reframe();
    }

    /// Looks at a point relative to the origin, from a distance and a direction in degrees; all else stays.
    setCamera({ target = this.controls.target.toArray(), distance, turn, rise }) {
        this.stopGliding();
        const now = new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
        const given = directionOf(
            turn ?? MathUtils.radToDeg(now.theta),
            rise ?? 90 - MathUtils.radToDeg(now.phi)
        );
        this.framed = null;
        this.controls.target.set(...target);
        this.camera.position.copy(this.controls.target).addScaledVector(given, distance ?? now.radius);
        this.controls.update();
    }

    cornersAround(body, time) {
        const center = this.bodies.centerOf(body, time, new Vector3());
        const corners = cornersOf(
            this.size.boxes[this.recording.bodies[body].mesh],
            this.bodies.place(body, time)
        );
        return corners.map((corner) => corner.sub(center).multiplyScalar(BODY_SURROUNDINGS).add(center));
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

    /// Keeps weak machines fluent: fewer pixels first, then no shadows. `milliseconds` passed since the last
    /// picture. Returns whether something was taken away.
    relieve(milliseconds) {
        this.slowPictures =
            milliseconds > SLOW_PICTURE && milliseconds < 1000
                ? this.slowPictures + 1
                : Math.max(this.slowPictures - 2, 0);
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
        const place = new Vector2(
            ((x - rectangle.left) / rectangle.width) * 2 - 1,
            1 - ((y - rectangle.top) / rectangle.height) * 2
        );
        this.scene.updateMatrixWorld();
        this.camera.updateMatrixWorld();
        this.raycaster.setFromCamera(place, this.camera);
        return this.bodies.pick(this.raycaster);
    }

    toWindow(point) {
        const rectangle = this.canvas.getBoundingClientRect();
        const at = point.project(this.camera);
        return {
            x: rectangle.left + ((at.x + 1) / 2) * rectangle.width,
            y: rectangle.top + ((1 - at.y) / 2) * rectangle.height,
        };
    }

    /// Where the centre of a body is in the window, in CSS pixels.
    place(body, time) {
        this.camera.updateMatrixWorld();
        return this.toWindow(this.bodies.centerOf(body, time, new Vector3()));
    }

    /// The rectangle around a body's box in the window, in CSS pixels.
    outline(body, time) {
        this.camera.updateMatrixWorld();
        const box = this.size.boxes[this.recording.bodies[body].mesh];
        const places = cornersOf(box, this.bodies.place(body, time)).map((corner) => this.toWindow(corner));
        const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
        return {
            left: Math.min(...xs),
            right: Math.max(...xs),
            top: Math.min(...ys),
            bottom: Math.max(...ys),
        };
    }
}
