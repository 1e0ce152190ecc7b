// Keyboard shortcuts: one table for the keys, and for the help that lists them.

/// [keys, as shown, what it does, action of the page]
export function makeShortcuts(page) {
    return [
        [[" ", "k"], "Space", "play or pause", () => page.togglePlay()],
        [
            ["ArrowLeft"],
            "←",
            "a frame back (with Shift: ten)",
            (event) => page.step(event.shiftKey ? -10 : -1),
        ],
        [["ArrowRight"], "→", "a frame on (with Shift: ten)", (event) => page.step(event.shiftKey ? 10 : 1)],
        [["ArrowUp"], "↑", "faster", () => page.faster(1)],
        [["ArrowDown"], "↓", "slower", () => page.faster(-1)],
        [["Home"], "Home", "to the start", () => page.seek(0)],
        [["End"], "End", "to the end", () => page.seek(page.recording.frames - 1)],
        [["c"], "C", "contact points", () => page.toggle("contacts")],
        [["n"], "N", "contact normals", () => page.toggle("normals")],
        [["p"], "P", "colours by depth of overlap", () => page.toggle("penetration")],
        [["x"], "X", "see through what stands still", () => page.toggle("glass")],
        [["f"], "F", "look at the picked body, or at everything", () => page.fit()],
        [["e"], "E", "next plot", () => page.nextPlot()],
        [["Escape"], "Esc", "close this, let go of the body", () => page.escape()],
        [["?", "h"], "?", "this help", () => page.toggleHelp()],
    ];
}

const GESTURES = [
    ["Drag", "turn"],
    ["Right drag, two fingers", "move"],
    ["Wheel, pinch", "closer, further"],
    ["Click, tap", "pick a body"],
];

export function listShortcuts(shortcuts, list) {
    for (const [key, what] of [...shortcuts.map(([, shown, what]) => [shown, what]), ...GESTURES]) {
        const title = document.createElement("dt");
        const shown = document.createElement("kbd");
        const text = document.createElement("dd");
        shown.textContent = key;
        text.textContent = what;
        title.append(shown);
        list.append(title, text);
    }
}

export function listenToKeys(shortcuts) {
    window.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const target = event.target;
        // A focused button takes its own Space, the list of speeds its own arrows.
        const own =
            (target instanceof HTMLButtonElement && event.key === " ") || target instanceof HTMLSelectElement;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        const found = shortcuts.find(([keys]) => keys.includes(key));
        if (found !== undefined && !own) {
            event.preventDefault();
            found[3](event);
        }
    });
}
