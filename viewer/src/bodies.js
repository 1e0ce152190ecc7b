// The bodies in the scene: one instanced mesh for all bodies of the same mesh, so that a thousand bodies are a few draws.
import { BoxGeometry, BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, EdgesGeometry, FrontSide, Group, InstancedMesh } from "three";
import { LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { depthOfBodies, depthScale } from "./contacts.js";
import { withNormals } from "./creases.js";
import { addGridLines } from "./ground.js";
import { heat } from "./heat.js";
import { sample } from "./motion.js";
import { simplifyAll } from "./simplify.js";

const NO_CONTACT = new Color(0.55, 0.58, 0.62);
/// A body that does not move and is at least this part of the scene wide is ground, and shows the grid.
const GROUND_PART = 0.6;
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
    constructor(recording, sceneRadius, gridStep, quality) {
        this.recording = recording;
        this.quality = quality;
        this.group = new Group();
        this.geometries = simplifyAll(recording, quality).map(makeGeometry);
        this.depths = new Float32Array(recording.bodies.length);
        this.depthScale = depthScale(recording);
        this.byDepth = false;
        this.places = new Array(recording.bodies.length); // of each body: its instanced mesh and number in it
        this.position = new Vector3();
        this.rotation = new Quaternion();
        this.scale = new Vector3();
        this.matrix = new Matrix4();
        this.color = new Color();
        this.makeMeshes(sceneRadius, gridStep);
        this.makeHighlight();
    }

    isGround(body, sceneRadius) {
        const box = this.geometries[body.mesh].boundingBox;
        const width = Math.max(box.max.x - box.min.x, box.max.z - box.min.z) * Math.abs(body.scale);
        return body.kind === "static" && width >= 2 * GROUND_PART * sceneRadius;
    }

    makeMeshes(sceneRadius, gridStep) {
        const groups = new Map();
        this.recording.bodies.forEach((body, index) => {
            const look = body.kind !== "static" ? "moving" : this.isGround(body, sceneRadius) ? "ground" : "still";
            const key = `${body.mesh} ${look}`;
            groups.set(key, groups.get(key) ?? { mesh: body.mesh, look, members: [] });
            groups.get(key).members.push(index);
        });
        this.meshes = [...groups.values()].map(({ mesh, look, members }) => this.makeMesh(mesh, look, members, gridStep));
    }

    makeMesh(meshIndex, look, members, gridStep) {
        const material = this.makeMaterial(look === "moving" ? FrontSide : DoubleSide, look === "moving" ? 0.48 : 0.85);
        if (look === "ground") {
            addGridLines(material, gridStep);
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
        return this.quality === "high" ? new MeshStandardMaterial({ side, roughness, metalness: 0.05 }) : new MeshLambertMaterial({ side });
    }

    /// Bodies that stand still and are not the ground: pipes, bowls, pegs, ...
    get stands() {
        return this.meshes.filter((mesh) => mesh.userData.look === "still");
    }

    /// Whether moving bodies spend their time inside of the bounds of one that stands: then it had better be see-through.
    hidesBodies() {
        const moving = this.recording.bodies.flatMap((body, i) => (body.kind === "static" ? [] : [i]));
        const times = Array.from({ length: HIDING_TIMES }, (_, i) => Math.round(((i + 0.5) / HIDING_TIMES) * (this.recording.frames - 1)));
        const boxes = this.stands.flatMap((mesh) => mesh.userData.members.map((body) => this.boxOf(body)));
        const inside = (body, time) => {
            sample(this.recording, body, time, this.position, this.rotation);
            return boxes.some((box) => box.containsPoint(this.position));
        };
        const found = times.reduce((sum, time) => sum + moving.filter((body) => inside(body, time)).length, 0);
        return found > HIDING_PART * moving.length * times.length;
    }

    boxOf(body) {
        return this.geometries[this.recording.bodies[body].mesh].boundingBox.clone().applyMatrix4(this.place(body, 0));
    }

    seeThrough(on) {
        for (const mesh of this.stands) {
            Object.assign(mesh.material, { transparent: on, opacity: on ? 0.22 : 1, depthWrite: !on, needsUpdate: true });
            mesh.castShadow = !on;
            mesh.renderOrder = on ? 5 : 0; // after everything that is seen through it
        }
    }

    ownColor(body) {
        return this.color.setRGB(...this.recording.bodies[body].color, "srgb");
    }

    /// The picked body: a copy over it, a faint one that shines through whatever hides it, and its box.
    makeHighlight() {
        const material = (opacity, depthTest) =>
            new MeshBasicMaterial({ color: 0x33aaff, transparent: true, opacity, depthTest, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 });
        this.highlight = new Group();
        this.highlight.add(new Mesh(undefined, material(0.3, true)), new Mesh(undefined, material(0.14, false)));
        this.frame = new LineSegments(new EdgesGeometry(new BoxGeometry()), new LineBasicMaterial({ color: 0x33aaff, depthTest: false, transparent: true }));
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
            mesh.userData.members.forEach((body, instance) => mesh.setMatrixAt(instance, this.place(body, time)));
            mesh.userData.placed = true;
            mesh.instanceMatrix.needsUpdate = true;
            mesh.boundingSphere = null; // picking finds it again
        }
        if (this.highlight.visible) {
            this.place(this.selected, time).decompose(this.highlight.position, this.highlight.quaternion, this.highlight.scale);
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
        depthOfBodies(this.recording, frame, this.depths);
        this.places.forEach(({ mesh, instance }, body) => mesh.setColorAt(instance, this.byDepth ? this.depthColor(body) : this.ownColor(body)));
        this.meshes.forEach((mesh) => (mesh.instanceColor.needsUpdate = true));
    }

    /// Ground stays as it is: it is as deep as the deepest body on it and would be red all over.
    depthColor(body) {
        const depth = this.depths[body];
        if (this.recording.bodies[body].kind === "static") {
            return this.ownColor(body);
        }
        if (Number.isNaN(depth)) {
            return this.color.copy(NO_CONTACT);
        }
        return this.color.setRGB(...heat(depth / this.depthScale), "srgb");
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
