// Contact points and normals of a frame: two instanced meshes, drawn over the bodies so that nothing hides them.
import { Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4 } from "three";
import { MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { POINT_SIZE } from "./contacts.js";
import { heat } from "./heat.js";

const UP = new Vector3(0, 1, 0);

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
    constructor(recording, size, depthScale) {
        this.recording = recording;
        this.size = size; // length of a normal
        this.depthScale = depthScale;
        this.points = new Stamps(new SphereGeometry(0.13, 10, 8), 11);
        this.normals = new Stamps(makeArrow(), 10);
        this.group = new Group();
        this.group.add(this.points.group, this.normals.group);
        this.points.group.visible = false;
        this.normals.group.visible = false;
        this.frame = -1;
    }

    show(what, on) {
        this[what].group.visible = on;
        this.frame = -1;
    }

    /// Stamps the contacts of a frame where they are shown.
    update(frame) {
        if (frame === this.frame) {
            return;
        }
        this.frame = frame;
        const { offsets, points } = this.recording.contacts;
        const count = offsets[frame + 1] - offsets[frame];
        const position = new Vector3();
        const normal = new Vector3();
        const turn = new Quaternion();
        const matrix = new Matrix4();
        const color = new Color();
        const scale = new Vector3().setScalar(this.size);
        const shown = [this.points, this.normals].filter((stamps) => stamps.group.visible);
        shown.forEach((stamps) => stamps.reserve(count));
        for (let i = 0; i < count; ++i) {
            const at = (offsets[frame] + i) * POINT_SIZE;
            position.fromArray(points, at);
            normal.fromArray(points, at + 3).normalize();
            matrix.compose(position, turn.setFromUnitVectors(UP, normal), scale);
            color.setRGB(...heat(-points[at + 6] / this.depthScale), "srgb");
            for (const stamps of shown) {
                stamps.mesh.setMatrixAt(i, matrix);
                stamps.mesh.setColorAt(i, color);
            }
        }
        shown.forEach((stamps) => stamps.finish(count));
    }
}
