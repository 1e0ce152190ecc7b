// Contact points and normals of a frame: two instanced meshes, drawn over the bodies so that nothing hides
// them.
import {
    Color,
    ConeGeometry,
    CylinderGeometry,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
} from "three";
import { MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { POINT_SIZE, impulseScale, supportSign } from "./contacts.js";
import { HEALTHY, heat } from "./heat.js";

const UP = new Vector3(0, 1, 0);
/// Of arrows of healthy contacts, unlike the bodies, which may have the colours of depth themselves.
const ARROW_COLORS = { light: 0x17324d, dark: 0xe9f2fb };
/// Length of the arrow of a contact that carries nothing, and of the longest, in parts of the usual size.
const SHORTEST = 0.15;
const LONGEST = 1.6;

function makeArrow() {
    const shaft = new CylinderGeometry(0.035, 0.035, 0.75, 6).translate(0, 0.375, 0);
    const head = new ConeGeometry(0.11, 0.28, 10).translate(0, 0.86, 0);
    return mergeGeometries([shaft, head]);
}

class Stamps {
    constructor(geometry, order) {
        this.geometry = geometry;
        this.material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 });
        this.group = new Group();
        this.order = order;
        this.reserve(256);
    }

    reserve(capacity) {
        if (this.mesh !== undefined && this.mesh.instanceMatrix.count >= capacity) {
            return;
        }
        this.mesh?.dispose();
        this.group.clear();
        this.mesh = new InstancedMesh(this.geometry, this.material, capacity * 2);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.setColorAt(0, new Color());
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = this.order;
        this.group.add(this.mesh);
    }

    finish(count) {
        this.mesh.count = count;
        this.mesh.instanceMatrix.needsUpdate = true;
        this.mesh.instanceColor.needsUpdate = true;
    }
}

export class Marks {
    /// sizes: of the bodies; size: of a usual mark.
    constructor(recording, sizes, size) {
        this.recording = recording;
        this.sizes = sizes;
        this.size = size;
        this.impulseScale = impulseScale(recording);
        this.points = new Stamps(new SphereGeometry(0.075, 12, 8), 11);
        this.normals = new Stamps(makeArrow(), 10);
        this.group = new Group();
        this.group.add(this.points.group, this.normals.group);
        this.points.group.visible = false;
        this.normals.group.visible = false;
        this.frame = -1;
        this.color = new Color();
        this.arrowColor = new Color(ARROW_COLORS.light);
        this.position = new Vector3();
        this.normal = new Vector3();
        this.scale = new Vector3();
        this.rotation = new Quaternion();
        this.matrix = new Matrix4();
    }

    show(what, on) {
        this[what].group.visible = on;
        this.frame = -1;
    }

    setTheme(dark) {
        this.arrowColor.set(ARROW_COLORS[dark ? "dark" : "light"]);
        this.frame = -1;
    }

    /// Overlap of a contact as a fraction of the smaller body that moves.
    depthFraction(index) {
        const { points, bodies } = this.recording.contacts;
        const pair = [bodies[2 * index], bodies[2 * index + 1]];
        const moving = pair.filter((body) => this.recording.bodies[body].kind !== "static");
        const size = Math.min(...(moving.length > 0 ? moving : pair).map((body) => this.sizes[body]));
        return -points[index * POINT_SIZE + 6] / size;
    }

    /// An arrow's length goes with the root of the impulse: loads differ a hundredfold from top to bottom of
    /// a heap.
    arrowLength(impulse) {
        const fraction = Math.sqrt(Math.min(Math.max(impulse / this.impulseScale, 0), 1));
        return this.size * (SHORTEST + (LONGEST - SHORTEST) * fraction);
    }

    /// Marks the contacts of a frame where they are shown.
    update(frame) {
        if (frame === this.frame) {
            return;
        }
        this.frame = frame;
        const { offsets } = this.recording.contacts;
        const count = offsets[frame + 1] - offsets[frame];
        const shown = [this.points, this.normals].filter((stamps) => stamps.group.visible);
        shown.forEach((stamps) => stamps.reserve(count));
        for (let i = 0; i < count; ++i) {
            const index = offsets[frame] + i;
            const fraction = this.depthFraction(index);
            this.color.setRGB(...heat(fraction), "srgb");
            for (const stamps of shown) {
                const arrow = stamps === this.normals;
                stamps.mesh.setMatrixAt(i, arrow ? this.arrowMatrix(index) : this.pointMatrix(index));
                stamps.mesh.setColorAt(i, arrow && fraction <= HEALTHY ? this.arrowColor : this.color);
            }
        }
        shown.forEach((stamps) => stamps.finish(count));
    }

    pointMatrix(index) {
        return this.matrix
            .makeScale(this.size, this.size, this.size)
            .setPosition(this.position.fromArray(this.recording.contacts.points, index * POINT_SIZE));
    }

    arrowMatrix(index) {
        const { points, bodies } = this.recording.contacts;
        const at = index * POINT_SIZE;
        this.position.fromArray(points, at);
        this.normal.fromArray(points, at + 3).normalize();
        this.normal.multiplyScalar(
            supportSign(this.recording, bodies[2 * index], bodies[2 * index + 1], this.normal)
        );
        const length = this.arrowLength(points[at + 7]);
        const width = Math.sqrt(length * this.size);
        this.rotation.setFromUnitVectors(UP, this.normal);
        return this.matrix.compose(this.position, this.rotation, this.scale.set(width, length, width));
    }

    /// The arrows that are drawn: where they begin, where they point to, and how long they are.
    arrows() {
        const { offsets, bodies } = this.recording.contacts;
        return Array.from({ length: this.normals.group.visible ? this.normals.mesh.count : 0 }, (_, i) => {
            this.normals.mesh.getMatrixAt(i, this.matrix);
            const along = new Vector3().setFromMatrixColumn(this.matrix, 1);
            const index = offsets[this.frame] + i;
            return {
                bodies: [bodies[2 * index], bodies[2 * index + 1]],
                position: new Vector3().setFromMatrixPosition(this.matrix).toArray(),
                direction: along.clone().normalize().toArray(),
                length: along.length(),
                impulse: this.recording.contacts.points[index * POINT_SIZE + 7],
            };
        });
    }
}
