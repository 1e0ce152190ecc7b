// Colours for how deep things overlap: calm for none, through yellow to red.

const STOPS = [
    [0.0, 0.27, 0.52, 0.95],
    [0.15, 0.13, 0.72, 0.72],
    [0.45, 0.98, 0.82, 0.25],
    [0.75, 0.96, 0.45, 0.14],
    [1.0, 0.82, 0.05, 0.12],
];

/// [r, g, b] from 0 to 1 for a part of the whole range.
export function heat(part) {
    const at = Math.min(Math.max(part, 0), 1);
    let i = 1;
    while (i < STOPS.length - 1 && at > STOPS[i][0]) {
        i += 1;
    }
    const [low, high] = [STOPS[i - 1], STOPS[i]];
    const t = (at - low[0]) / (high[0] - low[0]);
    return [1, 2, 3].map((k) => low[k] + (high[k] - low[k]) * t);
}

export function heatGradient() {
    const stops = STOPS.map(([at, ...rgb]) => `rgb(${rgb.map((c) => Math.round(c * 255)).join(" ")}) ${at * 100}%`);
    return `linear-gradient(90deg, ${stops.join(", ")})`;
}
