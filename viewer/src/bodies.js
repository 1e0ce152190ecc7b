// The bodies in the scene: one instanced mesh for all bodies of the same mesh, so that a thousand bodies are
// a few draws.
import {
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    Color,
    DoubleSide,
    DynamicDrawUsage,
    EdgesGeometry,
    FrontSide,
    Group,
    InstancedMesh,
} from "three";
import {
    LineBasicMaterial,
    LineSegments,
    Matrix4,
    Mesh,
    MeshBasicMaterial,
    MeshLambertMaterial,
    MeshStandardMaterial,
    Quaternion,
    Vector3,
} from "three";
import { depthOfBodies } from "./contacts.js";
import { withNormals } from "./creases.js";
import { isGround } from "./framing.js";
import { FLOOR_COLORS, fadeOf, makeGround } from "./ground.js";
import { heat } from "./heat.js";
import { sample } from "./motion.js";
import { simplifyAll } from "./simplify.js";

const NO_CONTACT = new Color().setRGB(0.55, 0.58, 0.62, "srgb");
/// A ground whose colour is nearly grey has that of the page; others are only dimmed where the page is dark.
const GREY = 0.12;
const DIMMED = 0.45;
/// Moving bodies are looked for at so many times, and hidden when found for this part of them.
const HIDING_TIMES = 16;
const HIDING_PART = 0.15;

function makeGeometry(mesh) {
    const { positions, normals, indices } = withNormals(mesh);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new BufferAttribute(normals, 3));
    geometry.setIndex(new BufferAttribute(indices, 1));
    geometry.computeBoundingBox();
    geometry.computeBoundingSphere();
    return geometry;
}

export class Bodies {
    /// size: what view.js measures of the scene.
    constructor(recording, size, gridStep, quality) {
        this.recording = recording;
        this.size = size;
        this.dark = false;
        this.grounds = []; // their uniforms
        this.quality = quality;
        this.group = new Group();
        this.geometries = simplifyAll(recording, quality).map(makeGeometry);
        this.depths = new Float32Array(recording.bodies.length);
        this.byDepth = false;
        this.places = new Array(recording.bodies.length); // of each body: its instanced mesh and number in it
        this.position = new Vector3();
        this.rotation = new Quaternion();
        this.scale = new Vector3();
        this.matrix = new Matrix4();
        this.color = new Color();
        this.makeMeshes(gridStep);
        this.makeHighlight();
    }

    makeMeshes(gridStep) {
        const groups = new Map();
        this.recording.bodies.forEach((body, index) => {
            const ground = isGround(body, this.size.boxes[body.mesh], this.size.groundRadius);
            const look = body.kind !== "static" ? "moving" : ground ? "ground" : "still";
            const key = `${body.mesh} ${look}`;
            groups.set(key, groups.get(key) ?? { mesh: body.mesh, look, members: [] });
            groups.get(key).members.push(index);
        });
        this.meshes = [...groups.values()].map(({ mesh, look, members }) =>
            this.makeMesh(mesh, look, members, gridStep)
        );
    }

    makeMesh(meshIndex, look, members, gridStep) {
        const material = this.makeMaterial(
            look === "moving" ? FrontSide : DoubleSide,
            look === "moving" ? 0.48 : 0.85
        );
        if (look === "ground") {
            const fade = fadeOf(this.boxOf(members[0]), this.size.center, this.size.radius);
            this.grounds.push(makeGround(material, gridStep, this.size.center, fade));
        }
        const mesh = new InstancedMesh(this.geometries[meshIndex], material, members.length);
        mesh.castShadow = true;
        mesh.receiveShadow = true;
        mesh.frustumCulled = false; // its bounds would have to be found anew in every frame
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.userData = { members, look, still: look !== "moving" };
        members.forEach((body, instance) => {
            this.places[body] = { mesh, instance };
            mesh.setColorAt(instance, this.ownColor(body));
        });
        this.group.add(mesh);
        return mesh;
    }

    makeMaterial(side, roughness) {
        return this.quality === "high"
            ? new MeshStandardMaterial({ side, roughness, metalness: 0.05 })
            : new MeshLambertMaterial({ side });
    }

    /// Bodies that stand still and are not the ground: pipes, bowls, pegs, ...
    get stands() {
        return this.meshes.filter((mesh) => mesh.userData.look === "still");
    }

    /// Whether moving bodies spend their time inside of the bounds of one that stands: then it had better be
    /// see-through.
    hidesBodies() {
        const moving = this.recording.bodies.flatMap((body, i) => (body.kind === "static" ? [] : [i]));
        const times = Array.from({ length: HIDING_TIMES }, (_, i) =>
            Math.round(((i + 0.5) / HIDING_TIMES) * (this.recording.frames - 1))
        );
        const boxes = this.stands.flatMap((mesh) => mesh.userData.members.map((body) => this.boxOf(body)));
        const inside = (body, time) => {
            sample(this.recording, body, time, this.position, this.rotation);
            return boxes.some((box) => box.containsPoint(this.position));
        };
        const found = times.reduce(
            (sum, time) => sum + moving.filter((body) => inside(body, time)).length,
            0
        );
        return found > HIDING_PART * moving.length * times.length;
    }

    boxOf(body) {
        return this.geometries[this.recording.bodies[body].mesh].boundingBox
            .clone()
            .applyMatrix4(this.place(body, 0));
    }

    seeThrough(on) {
        for (const mesh of this.stands) {
            Object.assign(mesh.material, {
                transparent: on,
                opacity: on ? 0.22 : 1,
                depthWrite: !on,
                needsUpdate: true,
            });
            mesh.castShadow = !on;
            mesh.renderOrder = on ? 5 : 0; // after everything that is seen through it
        }
    }

    ownColor(body) {
        const { color } = this.recording.bodies[body];
        this.color.setRGB(...color, "srgb");
        if (this.places[body].mesh.userData.look !== "ground") {
            return this.color;
        }
        const grey = Math.max(...color) - Math.min(...color) <= GREY;
        return grey
            ? this.color.set(FLOOR_COLORS[this.dark ? "dark" : "light"])
            : this.color.multiplyScalar(this.dark ? DIMMED : 1);
    }

    /// Whether a ground reaches so far that it fades: then it needs no grid below it.
    get hasFloor() {
        return this.grounds.some(({ fades }) => fades);
    }

    setTheme(dark) {
        this.dark = dark;
        this.grounds.forEach((ground) => ground.setTheme(dark));
        this.paint(0);
    }

    /// The picked body: a copy over it, a faint one that shines through whatever hides it, and its box.
    makeHighlight() {
        const material = (opacity, depthTest) =>
            new MeshBasicMaterial({
                color: 0x33aaff,
                transparent: true,
                opacity,
                depthTest,
                depthWrite: false,
                polygonOffset: true,
                polygonOffsetFactor: -2,
                polygonOffsetUnits: -2,
            });
        this.highlight = new Group();
        this.highlight.add(
            new Mesh(undefined, material(0.3, true)),
            new Mesh(undefined, material(0.14, false))
        );
        this.frame = new LineSegments(
            new EdgesGeometry(new BoxGeometry()),
            new LineBasicMaterial({ color: 0x33aaff, depthTest: false, transparent: true })
        );
        this.frame.renderOrder = 9;
        this.highlight.add(this.frame);
        this.highlight.visible = false;
        this.group.add(this.highlight);
    }

    /// Picks a body out, or none (null).
    select(body) {
        this.selected = body;
        this.highlight.visible = body !== null;
        if (body === null) {
            return;
        }
        const geometry = this.geometries[this.recording.bodies[body].mesh];
        this.highlight.children.filter((part) => part.isMesh).forEach((mesh) => (mesh.geometry = geometry));
        geometry.boundingBox.getCenter(this.frame.position);
        geometry.boundingBox.getSize(this.frame.scale);
    }

    place(body, time) {
        sample(this.recording, body, time, this.position, this.rotation);
        const scale = this.recording.bodies[body].scale;
        return this.matrix.compose(this.position, this.rotation, this.scale.set(scale, scale, scale));
    }

    /// Moves everything to a time in frames. Bodies that stay where they are forever are placed once.
    update(time) {
        for (const mesh of this.meshes) {
            if (mesh.userData.still && mesh.userData.placed) {
                continue;
            }
            mesh.userData.members.forEach((body, instance) =>
                mesh.setMatrixAt(instance, this.place(body, time))
            );
            mesh.userData.placed = true;
            mesh.instanceMatrix.needsUpdate = true;
            mesh.boundingSphere = null; // picking finds it again
        }
        if (this.highlight.visible) {
            this.place(this.selected, time).decompose(
                this.highlight.position,
                this.highlight.quaternion,
                this.highlight.scale
            );
        }
        if (this.byDepth) {
            this.paint(Math.min(Math.floor(time), this.recording.frames - 1));
        }
    }

    colorByDepth(on, frame) {
        this.byDepth = on;
        this.paint(frame);
    }

    paint(frame) {
        if (this.byDepth) {
            depthOfBodies(this.recording, frame, this.depths);
        }
        this.places.forEach(({ mesh, instance }, body) =>
            mesh.setColorAt(instance, this.byDepth ? this.depthColor(body) : this.ownColor(body))
        );
        this.meshes.forEach((mesh) => (mesh.instanceColor.needsUpdate = true));
    }

    /// Ground stays as it is: it is as deep as the deepest body on it.
    depthColor(body) {
        const depth = this.depths[body];
        if (this.recording.bodies[body].kind === "static") {
            return this.ownColor(body);
        }
        if (Number.isNaN(depth)) {
            return this.color.copy(NO_CONTACT);
        }
        return this.color.setRGB(...heat(depth / this.size.sizes[body]), "srgb");
    }

    /// [r, g, b] from 0 to 1, sRGB: the colour that a body has now.
    shownColor(body) {
        const { mesh, instance } = this.places[body];
        mesh.getColorAt(instance, this.color);
        return this.color.convertLinearToSRGB().toArray();
    }

    /// The body that a ray meets first, or null.
    pick(raycaster) {
        const hits = raycaster.intersectObjects(this.meshes, false);
        return hits.length > 0 ? hits[0].object.userData.members[hits[0].instanceId] : null;
    }

    radiusOf(body) {
        const { mesh, scale } = this.recording.bodies[body];
        return this.geometries[mesh].boundingSphere.radius * Math.abs(scale);
    }

    /// Centre of the body's bounds at a time.
    centerOf(body, time, out) {
        const { mesh } = this.recording.bodies[body];
        return out.copy(this.geometries[mesh].boundingSphere.center).applyMatrix4(this.place(body, time));
    }
}
