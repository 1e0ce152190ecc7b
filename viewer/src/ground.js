// The ground: material of ground bodies, with lines and an edge that fades, and a grid where there is no such
// body.
import {
    Color,
    DoubleSide,
    FrontSide,
    Group,
    Mesh,
    PlaneGeometry,
    ShaderMaterial,
    ShadowMaterial,
    Vector2,
} from "three";

// Lines one pixel wide at any distance, every tenth of them stronger; they fade where they would come too
// close.
const GRID_FUNCTION = /* glsl */ `
float gridLine(vec2 at, float step) {
    vec2 cell = at / step;
    vec2 width = fwidth(cell);
    vec2 line = abs(fract(cell - 0.5) - 0.5) / max(width, vec2(1e-6));
    float fade = 1.0 - smoothstep(0.15, 0.5, max(width.x, width.y));
    return (1.0 - min(min(line.x, line.y), 1.0)) * fade;
}
float gridLines(vec2 at, float step) {
    return max(0.45 * gridLine(at, step), gridLine(at, 10.0 * step));
}
`;

/// A round distance between lines for a scene of this radius: 1, 2 or 5 times a power of ten.
export function gridStep(radius) {
    const rough = radius / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1);
}

/// Of grounds without a colour of their own.
export const FLOOR_COLORS = { light: 0xd2d8df, dark: 0x47535f };
const LINE_COLORS = { light: 0x5c6a78, dark: 0x93a7bb };
/// A ground that reaches further than this many radii of the scene fades between the next two.
const FLOOR_EXTENT = 3;
const FADE = [1.5, 6];

/// The distances from the scene between which a ground with this box fades; null where it is too small for
/// that.
export function fadeOf(box, center, radius) {
    const extent = Math.min(
        center.x - box.min.x,
        box.max.x - center.x,
        center.z - box.min.z,
        box.max.z - center.z
    );
    return extent >= FLOOR_EXTENT * radius
        ? FADE.map((factor) => factor * radius * Math.min(extent / (FADE[1] * radius), 1))
        : null;
}

const GROUND_VERTEX = /* glsl */ `#include <fog_vertex>
mat4 toWorld = modelMatrix * instanceMatrix;
vGridPlace = (toWorld * vec4(transformed, 1.0)).xz;
vGridUp = normalize(mat3(toWorld) * objectNormal).y;`;

const GROUND_FRAGMENT = /* glsl */ `#include <color_fragment>
float gridStrength = 0.3 * gridLines(vGridPlace, gridStep) * smoothstep(0.5, 0.8, vGridUp);
diffuseColor.rgb = mix(diffuseColor.rgb, gridInk, gridStrength);
diffuseColor.a *= 1.0 - smoothstep(gridFade.x, gridFade.y, distance(vGridPlace, gridCenter));
if (diffuseColor.a < 0.004) discard;`;

/// Makes a material of three.js that of the ground: lines on what faces up, and an edge that fades into the
/// sky.
export function makeGround(material, step, center, fade) {
    const uniforms = {
        gridStep: { value: step },
        gridInk: { value: new Color() },
        gridCenter: { value: new Vector2(center.x, center.z) },
        gridFade: { value: fade === null ? new Vector2(1e30, 2e30) : new Vector2(...fade) },
    };
    Object.assign(material, fade === null ? {} : { transparent: true, side: FrontSide });
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, uniforms);
        const both = "#include <common>\nvarying vec2 vGridPlace;\nvarying float vGridUp;\n";
        const own = "uniform float gridStep;\nuniform vec3 gridInk;\nuniform vec2 gridCenter, gridFade;\n";
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", both)
            .replace("#include <fog_vertex>", GROUND_VERTEX);
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", both + own + GRID_FUNCTION)
            .replace("#include <color_fragment>", GROUND_FRAGMENT);
    };
    return {
        fades: fade !== null,
        setTheme: (dark) => uniforms.gridInk.value.set(LINE_COLORS[dark ? "dark" : "light"]),
    };
}

function makeGridMaterial(step, radius) {
    return new ShaderMaterial({
        uniforms: { step: { value: step }, reach: { value: radius }, ink: { value: new Color() } },
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        vertexShader: /* glsl */ `
            varying vec2 place;
            varying vec2 around;
            void main() {
                vec4 world = modelMatrix * vec4(position, 1.0);
                place = world.xz;
                around = position.xy;
                gl_Position = projectionMatrix * viewMatrix * world;
            }`,
        fragmentShader: /* glsl */ `
            uniform float step;
            uniform float reach;
            uniform vec3 ink;
            varying vec2 place;
            varying vec2 around;
            ${GRID_FUNCTION}
            void main() {
                float fade = 1.0 - smoothstep(0.35 * reach, reach, length(around));
                gl_FragColor = vec4(ink, 0.38 * fade * gridLines(place, step));
            }`,
    });
}

/// A plane of lines that ends in nothing, and one that takes the shadows.
export class Ground {
    constructor(height, center, radius) {
        const reach = 6 * radius;
        const plane = new PlaneGeometry(2 * reach, 2 * reach);
        this.grid = new Mesh(plane, makeGridMaterial(gridStep(radius), reach));
        this.shadow = new Mesh(plane, new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
        this.shadow.receiveShadow = true;
        this.group = new Group();
        this.group.add(this.grid, this.shadow);
        this.group.rotation.x = -Math.PI / 2;
        // A little below, or it would flicker through bodies that lie on it.
        this.group.position.set(center.x, height - 1e-3 * radius, center.z);
    }

    setInk(color) {
        this.grid.material.uniforms.ink.value.set(color);
    }
}
