// The grid under everything, and the same lines on bodies that are the ground.
import { Color, DoubleSide, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial } from "three";

// Lines one pixel wide at any distance, every tenth of them stronger; they fade where they would come too close.
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

/// Lets a material of three.js show the lines on what faces up.
export function addGridLines(material, step) {
    material.onBeforeCompile = (shader) => {
        shader.uniforms.gridStep = { value: step };
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", "#include <common>\nvarying vec2 vGridPlace;\nvarying float vGridUp;")
            .replace(
                "#include <fog_vertex>",
                `#include <fog_vertex>
                mat4 toWorld = modelMatrix * instanceMatrix;
                vGridPlace = (toWorld * vec4(transformed, 1.0)).xz;
                vGridUp = normalize(mat3(toWorld) * objectNormal).y;`
            );
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", `#include <common>\nuniform float gridStep;\nvarying vec2 vGridPlace;\nvarying float vGridUp;\n${GRID_FUNCTION}`)
            .replace(
                "#include <color_fragment>",
                `#include <color_fragment>
                diffuseColor.rgb *= 1.0 - 0.28 * gridLines(vGridPlace, gridStep) * smoothstep(0.5, 0.8, vGridUp);`
            );
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
