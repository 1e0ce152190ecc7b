// Colours of the depth of overlap as a fraction of a body's size: calm up to what a solver leaves in a
// healthy heap.

/// [fraction of the body's size, position on the legend from 0 to 1, r, g, b]
const STOPS = [
    [0.0, 0.0, 0.56, 0.69, 0.84],
    [0.005, 0.3, 0.46, 0.77, 0.77],
    [0.01, 0.5, 0.68, 0.82, 0.55],
    [0.02, 0.7, 0.96, 0.74, 0.27],
    [0.05, 1.0, 0.83, 0.1, 0.14],
];
/// Overlaps up to this fraction of a body's size are no cause for concern.
export const HEALTHY = 0.005;

/// [r, g, b] from 0 to 1, sRGB.
export function heat(fraction) {
    const at = Math.min(Math.max(fraction, 0), STOPS[STOPS.length - 1][0]);
    let i = 1;
    while (i < STOPS.length - 1 && at > STOPS[i][0]) {
        i += 1;
    }
    const [low, high] = [STOPS[i - 1], STOPS[i]];
    const t = (at - low[0]) / (high[0] - low[0]);
    return [2, 3, 4].map((k) => low[k] + (high[k] - low[k]) * t);
}

export function heatGradient() {
    const stops = STOPS.map(
        ([, at, ...rgb]) => `rgb(${rgb.map((c) => Math.round(c * 255)).join(" ")}) ${at * 100}%`
    );
    return `linear-gradient(90deg, ${stops.join(", ")})`;
}

/// Texts of the legend and their places, from 0 to 1.
export function heatTicks() {
    return STOPS.map(([fraction, at], i) => ({
        at,
        text: `${i === STOPS.length - 1 ? "≥ " : ""}${fraction * 100}${fraction === 0 ? "" : " %"}`,
    }));
}
