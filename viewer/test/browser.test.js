// The page in a real browser, opened from disk: does what it shows agree with the CSV of the same simulation,
// and does everything that can be pressed do what it says? Pictures are kept for people to look at.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makePage, makeRecording, withContacts } from "./made_recording.js";
import {
    assertQuiet,
    drawn,
    findChromium,
    keepPicture,
    makeFolder,
    open,
    ready,
    rowBrightness,
    simulate,
    startChromium,
    template,
} from "./support.js";

if (findChromium() === undefined) {
    console.log("There is no Chromium here (Debian: chromium)");
    process.exit(77);
}

let browser;
before(async () => (browser = await startChromium()));
after(() => browser.close());

const ask = (page, question, argument) => page.evaluate(question, argument);
const frameOf = (page) => ask(page, () => window.abut.frame);
const text = (page, id) => page.locator(`#${id}`).textContent();

/// A body whose centre is free to click at: nothing is in front of it there.
async function findFreeBody(page) {
    await drawn(page);
    return ask(page, () => {
        // The middle of a ring is none of it: places around the middles do as well.
        for (const [dx, dy] of [
            [0, 0],
            [7, 0],
            [-7, 0],
            [0, 7],
            [0, -7],
            [14, 0],
            [-14, 0],
            [0, 14],
            [0, -14],
        ]) {
            for (let body = window.abut.bodies - 1; body > 0; --body) {
                const place = window.abut.place(body);
                const [x, y] = [place.x + dx, place.y + dy];
                const onTop = document.elementFromPoint(x, y);
                if (onTop?.id === "view" && window.abut.pick(x, y) === body) {
                    return { body, x, y };
                }
            }
        }
        return null;
    });
}

function assertClose(value, expected, what) {
    // Poses are floats relative to the recording's origin; a CSV has twelve digits.
    assert.ok(
        Math.abs(value - expected) <= 2e-7 * (1 + Math.abs(expected)),
        `${what}: the page says ${value}, the CSV ${expected}`
    );
}

async function comparePose(page, rows, body, frame) {
    const row = rows.get(`${frame},${body}`);
    const said = await ask(page, ([b, f]) => window.abut.describe(b, f), [body, frame]);
    ["x", "y", "z"].forEach((name, i) =>
        assertClose(said.position[i], row[name], `body ${body}, frame ${frame}, ${name}`)
    );
    ["qx", "qy", "qz", "qw"].forEach((name, i) =>
        assertClose(said.rotation[i], row[name], `body ${body}, frame ${frame}, ${name}`)
    );
    assert.equal(said.asleep, row.asleep !== 0);
    assert.equal(said.name, row.name);
}

/// All poses and contact counts of the recording, asked for at once.
async function compareAll(page, rows, frameRows) {
    const said = await ask(page, () =>
        Array.from({ length: window.abut.frames }, (_, frame) => ({
            contacts: window.abut.contacts(frame),
            poses: Array.from({ length: window.abut.bodies }, (_, body) => window.abut.pose(body, frame)),
        }))
    );
    assert.equal(said.length, frameRows.length);
    said.forEach(({ contacts, poses }, frame) => {
        assert.equal(contacts, frameRows[frame].contacts, `contacts of frame ${frame}`);
        poses.forEach(({ position, rotation }, body) => {
            const row = rows.get(`${frame},${body}`);
            const expected = [row.x, row.y, row.z, row.qx, row.qy, row.qz, row.qw];
            [...position, ...rotation].forEach((value, i) =>
                assertClose(value, expected[i], `body ${body}, frame ${frame}, number ${i}`)
            );
        });
    });
}

async function checkPlayback(page) {
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.abut.frame >= 5);
    assert.equal(await ask(page, () => window.abut.playing), true);
    await page.keyboard.press("Space");
    const stopped = await frameOf(page);
    await page.waitForTimeout(120);
    assert.equal(await frameOf(page), stopped, "a paused page stands still");
    await page.keyboard.press("ArrowRight");
    assert.equal(await frameOf(page), stopped + 1);
    await page.keyboard.press("Shift+ArrowLeft");
    assert.equal(await frameOf(page), Math.max(stopped - 9, 0));
    await page.keyboard.press("End");
    assert.equal(await frameOf(page), await ask(page, () => window.abut.frames - 1));
    await page.keyboard.press("Home");
    assert.equal(await frameOf(page), 0);
    await page.locator("#speed").selectOption("4");
    await page.locator("#play").click();
    await page.waitForFunction(
        () => window.abut.frame === window.abut.frames - 1 && !window.abut.playing,
        null,
        { timeout: 30000 }
    );
}

async function checkScrubbing(page) {
    const last = await ask(page, () => window.abut.frames - 1);
    await page.locator("#scrub").fill("100");
    assert.equal(await frameOf(page), 100);
    await drawn(page);
    assert.match(await text(page, "clock"), /^1\.67 \/ .*100 \/ /);
    const box = await page.locator("#plot").boundingBox();
    await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2);
    assert.ok(Math.abs((await frameOf(page)) - last / 4) <= 1, "a click into the plot goes there");
    await page.mouse.move(box.x + box.width / 4, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 10, { steps: 4 });
    await page.mouse.up();
    assert.ok(Math.abs((await frameOf(page)) - last * 0.75) <= 1, "so does a drag");
}

async function checkPicking(page, rows) {
    const free = await findFreeBody(page);
    assert.notEqual(free, null, "some body can be clicked at");
    await page.mouse.click(free.x, free.y);
    assert.equal(await ask(page, () => window.abut.selected), free.body);
    await drawn(page);
    assert.equal(await text(page, "body-name"), rows.get(`0,${free.body}`).name);
    const facts = await text(page, "body-facts");
    for (const word of ["kind", "dynamic", "mass", "position", "speed", "contacts", "asleep"]) {
        assert.ok(facts.includes(word), `the card says ${word}: ${facts}`);
    }
    const before = await ask(page, () => window.abut.camera());
    await page.keyboard.press("f");
    assert.notDeepEqual(await ask(page, () => window.abut.camera()), before, "F looks at the body");
    await keepPicture(page, "picked");
    await page.keyboard.press("Escape");
    assert.equal(await ask(page, () => window.abut.selected), null);
    await page.keyboard.press("f");
}

async function checkToggles(page) {
    let last = await keepPicture(page, "start");
    for (const [key, name] of [
        ["c", "contacts"],
        ["n", "normals"],
        ["p", "penetration"],
    ]) {
        await page.keyboard.press(key);
        assert.equal(await page.locator(`#${name}`).getAttribute("aria-pressed"), "true");
        const picture = await keepPicture(page, name);
        assert.ok(!picture.equals(last), `${name} can be seen`);
        last = picture;
        await page.locator(`#${name}`).click();
        assert.deepEqual(await ask(page, (what) => window.abut.shown[what], name), false);
    }
    const plot = page.locator("#plot");
    const energy = await plot.screenshot();
    await page.keyboard.press("e");
    await drawn(page);
    assert.ok(!(await plot.screenshot()).equals(energy), "E shows another plot");
    const legend = /pairs.*ms.*search.*ms.*manifolds.*ms.*solver.*ms.*clamp.*ms.*rest.*ms/;
    assert.match(await text(page, "plot-legend"), legend);
    await page.locator("[data-plot=energy]").click();
}

async function checkHelp(page) {
    await page.keyboard.press("?");
    assert.ok(await page.locator("#help").isVisible());
    assert.match(await text(page, "help-keys"), /Space.*play or pause.*contact points.*pick a body/s);
    await keepPicture(page, "help");
    await page.keyboard.press("Escape");
    assert.ok(!(await page.locator("#help").isVisible()));
}

async function checkCamera(page) {
    const before = await ask(page, () => window.abut.camera());
    await page.mouse.move(400, 200);
    await page.mouse.down();
    await page.mouse.move(470, 230, { steps: 4 });
    await page.mouse.up();
    const turned = await ask(page, () => window.abut.camera());
    assert.notDeepEqual(turned.position, before.position);
    assert.equal(await ask(page, () => window.abut.selected), null, "turning picks nothing");
}

/// Everything stays in the window, and what is to be pressed is large enough for a finger.
async function checkLayout(page) {
    const faults = await ask(page, () => {
        const found = [];
        if (document.documentElement.scrollWidth > window.innerWidth) {
            found.push("the page is wider than the window");
        }
        for (const element of document.querySelectorAll(
            "button, select, input, canvas, #title, #clock, #body-card"
        )) {
            const box = element.getBoundingClientRect();
            if (box.width === 0) {
                continue;
            }
            if (
                box.left < -0.5 ||
                box.right > window.innerWidth + 0.5 ||
                box.top < -0.5 ||
                box.bottom > window.innerHeight + 0.5
            ) {
                found.push(`${element.id || element.textContent} is outside`);
            }
            if (element instanceof HTMLButtonElement && Math.min(box.width, box.height) < 30) {
                found.push(`${element.id || element.textContent} is too small: ${box.width} x ${box.height}`);
            }
        }
        return found;
    });
    assert.deepEqual(faults, []);
}

async function checkPhone(path, rows) {
    const page = await open(browser, path, { phone: true, dark: true });
    await ready(page);
    await ask(page, () => window.abut.seek(100));
    await comparePose(page, rows, 7, 100);
    await checkLayout(page);
    const free = await findFreeBody(page);
    await page.touchscreen.tap(free.x, free.y);
    await drawn(page);
    assert.equal(await ask(page, () => window.abut.selected), free.body);
    await checkLayout(page);
    await page.locator("#contacts").tap();
    assert.equal(await ask(page, () => window.abut.shown.contacts), true);
    await keepPicture(page, "phone");
    await page.setViewportSize({ width: 740, height: 360 });
    await drawn(page);
    await checkLayout(page);
    await keepPicture(page, "phone-on-its-side");
    assertQuiet(page, path);
    await page.context().close();
}

test("a simulation plays from disk and says what its CSV says", async (context) => {
    const {
        page: path,
        rows,
        frameRows,
    } = simulate("pile", ["--bodies", "24", "--seconds", "2.5"], makeFolder(context), "pile");
    const page = await open(browser, path);
    await ready(page);
    await comparePose(page, rows, 7, 100);
    await compareAll(page, rows, frameRows);
    assert.equal(await page.title(), "pile · abut");
    await checkPlayback(page);
    await checkScrubbing(page);
    await checkPicking(page, rows);
    await checkToggles(page);
    await checkHelp(page);
    await checkCamera(page);
    await checkLayout(page);
    assertQuiet(page, path);
    await page.context().close();
    await checkPhone(path, rows);
});

// --------------------------------------------------------------------------------------------------- framing

// A page takes seconds to open without a graphics processor: the others are reached by resizing.
const WINDOWS = [
    [390, 844],
    [800, 400],
].concat(
    process.env.ABUT_TEST_HEAVY === undefined
        ? []
        : [
              [1280, 720],
              [1920, 1080],
          ]
);

/// The area between the bars, as the browser lays it out.
function freeArea(page) {
    return ask(page, () => ({
        left: 0,
        right: window.innerWidth,
        top: document.getElementById("top").getBoundingClientRect().bottom,
        bottom: document.getElementById("dock").getBoundingClientRect().top,
    }));
}

/// Rectangles of all bodies but the ground over the whole recording, and the one around all of them.
async function outlines(page) {
    const found = await ask(page, () => {
        const list = [];
        for (let frame = 0; frame < window.abut.frames; frame += 10) {
            window.abut.seek(frame);
            for (let body = 1; body < window.abut.bodies; ++body) {
                list.push({ frame, body, ...window.abut.outline(body) });
            }
        }
        window.abut.seek(0);
        return list;
    });
    const most = (side, compare) => compare(...found.map((one) => one[side]));
    return {
        found,
        all: {
            left: most("left", Math.min),
            right: most("right", Math.max),
            top: most("top", Math.min),
            bottom: most("bottom", Math.max),
        },
    };
}

/// What is drawn under the bars: bodies that a ray through a point there meets, but for the ground.
function hiddenBodies(page, free) {
    return ask(
        page,
        ({ top, bottom }) => {
            const found = [];
            for (const y of [top * 0.3, top * 0.7, bottom + 10, window.innerHeight - 10]) {
                for (let x = 5; x < window.innerWidth; x += 47) {
                    const body = window.abut.pick(x, y);
                    found.push(...(body === null || body === 0 ? [] : [{ x, y, body }]));
                }
            }
            return found;
        },
        free
    );
}

async function checkFraming(page, what) {
    await drawn(page);
    const free = await freeArea(page);
    const { found, all } = await outlines(page);
    for (const one of found) {
        const inside =
            one.left >= free.left &&
            one.right <= free.right &&
            one.top >= free.top &&
            one.bottom <= free.bottom;
        assert.ok(
            inside,
            `${what}: the box of a body ${JSON.stringify(one)} leaves the free area ${JSON.stringify(free)}`
        );
    }
    const filled = Math.max(
        (all.right - all.left) / (free.right - free.left),
        (all.bottom - all.top) / (free.bottom - free.top)
    );
    assert.ok(filled >= 0.8, `${what}: the bodies fill ${filled} of the free area`);
    assert.deepEqual(await hiddenBodies(page, free), [], what);
}

async function checkResizing(page) {
    for (const [width, height] of [
        [1920, 1080],
        [390, 844],
        [500, 700],
        [1280, 720],
    ]) {
        await page.setViewportSize({ width, height });
        await checkFraming(page, `resized to ${width} x ${height}`);
    }
}

/// The camera glides on after a gesture; this waits until it does not.
async function settled(page) {
    await ask(page, async () => {
        const next = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        for (let before = null; before !== JSON.stringify(window.abut.camera()); await next()) {
            before = JSON.stringify(window.abut.camera());
            await next();
        }
    });
}

/// A camera moved by hand keeps its direction, whatever becomes of the window; F frames everything again.
async function checkMovedCamera(page) {
    const direction = async () => {
        const { position, target } = await ask(page, () => window.abut.camera());
        const offset = position.map((value, i) => value - target[i]);
        return offset.map((value) => value / Math.hypot(...offset));
    };
    await page.mouse.move(300, 200);
    await page.mouse.down();
    await page.mouse.move(420, 160, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const turned = await direction();
    await page.setViewportSize({ width: 700, height: 800 });
    await drawn(page);
    (await direction()).forEach((value, i) =>
        assert.ok(Math.abs(value - turned[i]) < 1e-3, `turned ${turned}, now ${value} on axis ${i}`)
    );
    await page.keyboard.press("f");
    await checkFraming(page, "turned, then framed by F");
}

test("all bodies are framed between the bars, whatever the window", async (context) => {
    const { page: path } = simulate(
        "pile",
        ["--bodies", "12", "--seconds", "0.8"],
        makeFolder(context),
        "framed"
    );
    for (const [width, height] of WINDOWS) {
        const page = await open(browser, path, { window: { width, height }, dark: width < 900 });
        await ready(page);
        await checkFraming(page, `opened at ${width} x ${height}`);
        await keepPicture(page, `framed-${width}x${height}`);
        if (width === 800) {
            await checkResizing(page);
            await checkMovedCamera(page);
        }
        assertQuiet(page, path);
        await page.context().close();
    }
});

test("a close-up of a scene stays one", async (context) => {
    const path = join(makeFolder(context), "close.html");
    const recording = makeRecording();
    recording.camera = { target: [1.2, 0.3, 0], distance: 1.5, turn: 0, rise: 20 };
    writeFileSync(path, makePage(readFileSync(template, "utf8"), JSON.stringify(recording)));
    const page = await open(browser, path);
    await ready(page);
    const { target } = await ask(page, () => window.abut.camera());
    assert.ok(
        Math.hypot(...target.map((value, i) => value - recording.camera.target[i])) < 0.1,
        `the camera looks at ${target}`
    );
    await page.context().close();
});

// --------------------------------------------------------------------------------- normals and depth colours

async function openMade(context, recording, options) {
    const path = join(makeFolder(context), "made.html");
    writeFileSync(path, makePage(readFileSync(template, "utf8"), JSON.stringify(recording)));
    const page = await open(browser, path, options);
    await ready(page);
    return page;
}

test("normals point out of the supporting body and grow with the impulse", async (context) => {
    const [up, down, aside] = [
        [0, 1, 0],
        [0, -1, 0],
        [1, 0, 0],
    ];
    const contacts = [
        // Normals are from B to A. Body 0 is static.
        { a: 1, b: 0, normal: up, impulse: 0, expected: up },
        { a: 0, b: 1, normal: down, impulse: 0.01, expected: up },
        { a: 0, b: 2, normal: up, impulse: 0.04, expected: down }, // it hangs above the body
        { a: 2, b: 0, normal: aside, impulse: 0.09, expected: aside },
        { a: 3, b: 4, normal: [0.6, 0.8, 0], impulse: 0.16, expected: [0.6, 0.8, 0] },
        { a: 3, b: 4, normal: [0.6, -0.8, 0], impulse: 0.25, expected: [-0.6, 0.8, 0] },
    ];
    const page = await openMade(
        context,
        withContacts(
            makeRecording(),
            contacts.map((one) => ({ ...one, depth: 0 }))
        )
    );
    await page.keyboard.press("n");
    await drawn(page);
    const arrows = await ask(page, () => window.abut.arrows());
    assert.equal(arrows.length, contacts.length);
    arrows.forEach(({ direction }, i) =>
        direction.forEach((value, k) =>
            assert.ok(
                Math.abs(value - contacts[i].expected[k]) < 1e-5,
                `arrow ${i} points along ${direction}`
            )
        )
    );
    arrows
        .slice(1)
        .forEach(({ length }, i) =>
            assert.ok(
                length > 1.1 * arrows[i].length,
                `arrow ${i + 1}: ${length}, before it ${arrows[i].length}`
            )
        );
    assert.match(await text(page, "legend"), /out of the supporting body/);
    await page.context().close();
});

test("gravity says which body supports the other", async (context) => {
    const recording = withContacts(makeRecording(), [
        { a: 3, b: 4, normal: [1, 0, 0], depth: 0, impulse: 1 },
    ]);
    recording.gravity = [9.81, 0, 0];
    const page = await openMade(context, recording);
    await page.keyboard.press("n");
    await drawn(page);
    assert.ok((await ask(page, () => window.abut.arrows()))[0].direction[0] < -0.99);
    await page.context().close();
});

const isCalm = ([r, g, b]) => r < b && b - r < 0.4 && g > r;

test("depth colours are calm up to 0.5 % of a body and red from 5 % on", async (context) => {
    const size = 0.3; // of a cube
    const depths = [0, 0.001, 0.004, 0.02, 0.05, 0.2];
    const contacts = depths.map((part, i) => ({
        a: i + 1,
        b: 0,
        normal: [0, 1, 0],
        depth: part * size,
        impulse: 1,
    }));
    const page = await openMade(context, withContacts(makeRecording(), contacts), { dark: true });
    await page.keyboard.press("p");
    await drawn(page);
    const colors = await ask(page, () =>
        Array.from({ length: window.abut.bodies }, (_, body) => window.abut.color(body))
    );
    depths.forEach((part, i) =>
        assert.equal(isCalm(colors[i + 1]), part <= 0.005, `${part} of a body is ${colors[i + 1]}`)
    );
    for (const [r, g, b] of colors.slice(5, 7)) {
        assert.ok(r > 0.7 && g < 0.2 && b < 0.2, `red: ${[r, g, b]}`);
    }
    assert.match(await text(page, "legend"), /body.s size.*0.5 %.*≥ 5 %.*healthy.*too deep.*no contact/s);
    await keepPicture(page, "depths");
    await page.context().close();
});

test("a heap at rest is calm", async (context) => {
    const { page: path } = simulate(
        "pile",
        ["--bodies", "12", "--seconds", "4"],
        makeFolder(context),
        "calm"
    );
    const page = await open(browser, path);
    await ready(page);
    await page.keyboard.press("End");
    await page.keyboard.press("p");
    await page.keyboard.press("n");
    await keepPicture(page, "calm");
    const colors = await ask(page, () =>
        Array.from({ length: window.abut.bodies - 1 }, (_, body) => window.abut.color(body + 1))
    );
    colors.forEach((color, i) => assert.ok(isCalm(color), `body ${i + 1} is ${color}`));
    const arrows = await ask(page, () => window.abut.arrows());
    assert.ok(arrows.length > 0);
    for (const { bodies, direction } of arrows) {
        assert.ok(direction[1] > (bodies.includes(0) ? 0.99 : -1e-6), `between ${bodies}: ${direction}`);
    }
    await page.context().close();
});

// ------------------------------------------------------------------------------------------------- the floor

test("the floor is dark where the page is, and fades into the sky", async (context) => {
    const { page: path } = simulate("pipe", ["--seconds", "0.1"], makeFolder(context), "floor");
    const page = await open(browser, path, { window: { width: 900, height: 700 } });
    await ready(page);
    await ask(page, () => window.abut.setCamera({ rise: 8 })); // the horizon is in the picture
    const { top, bottom } = await freeArea(page);
    for (const dark of [false, true]) {
        await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
        const rows = await rowBrightness(page, await keepPicture(page, dark ? "floor-dark" : "floor-light"), {
            left: 5,
            right: 250,
            top: Math.ceil(top),
            bottom: Math.floor(bottom),
        });
        const floor = rows[rows.length - 5];
        assert.ok(dark ? floor < 80 : floor > 160, `the floor's brightness is ${floor}`);
        // A hard edge would be a step that stays; lines of the grid are thin.
        const steps = rows.slice(6).map((row, i) => Math.abs(row - rows[i]));
        assert.ok(
            Math.max(...steps) < 9,
            `from row to sixth row the brightness changes by up to ${Math.max(...steps)}`
        );
    }
    await page.context().close();
});

test("a thousand bodies are a few draws", async (context) => {
    const path = join(makeFolder(context), "many.html");
    writeFileSync(
        path,
        makePage(readFileSync(template, "utf8"), JSON.stringify(makeRecording({ bodies: 1001, frames: 60 })))
    );
    const page = await open(browser, path);
    await ready(page);
    assert.equal(await ask(page, () => window.abut.bodies), 1001);
    const draws = await ask(page, () => window.abut.draws);
    assert.ok(draws <= 12, `${draws} draws`);
    await keepPicture(page, "many");
    assertQuiet(page, path);
    await page.context().close();
});

test("recordings of one frame and of nothing are shown", async (context) => {
    const path = join(makeFolder(context), "small.html");
    for (const options of [{ frames: 1 }, { bodies: 0 }]) {
        writeFileSync(path, makePage(readFileSync(template, "utf8"), JSON.stringify(makeRecording(options))));
        const page = await open(browser, path);
        await ready(page);
        await page.keyboard.press("Space");
        await page.keyboard.press("End");
        await page.keyboard.press("c");
        await page.keyboard.press("p");
        await drawn(page);
        assert.equal(await frameOf(page), (options.frames ?? 120) - 1);
        assertQuiet(page, path);
        await page.context().close();
    }
});

/// A scene far away from the origin, with names that would like to be more than names.
function makeHostileScene(name) {
    return {
        title: name,
        world: { seconds: 0.5 },
        shapes: { floor: "box:2,0.1,2", ball: "sphere:0.2" },
        bodies: [
            { name: "floor", shape: "floor", kind: "static", position: [1e4, 0, -1e4] },
            { name, shape: "ball", position: [10000.123456, 1, -1e4] },
        ],
    };
}

test("names are text, whatever is in them, and places are right far away", async (context) => {
    const folder = makeFolder(context);
    const scene = join(folder, "hostile.json");
    const image = `<img src=x onerror="window.hit = 1">`;
    const name = `</script><script>window.hit = 1</script><!-- ${image} \\ é 𝄞 &amp;`;
    writeFileSync(scene, JSON.stringify(makeHostileScene(name)));
    const { page: path, rows } = simulate(scene, [], folder, "hostile");
    const page = await open(browser, path);
    await ready(page);
    await ask(page, () => window.abut.select(1));
    await drawn(page);
    assert.equal(await text(page, "body-name"), name);
    assert.equal(await text(page, "title"), name);
    assert.equal(await ask(page, () => window.hit), undefined);
    await comparePose(page, rows, 1, 30);
    assertQuiet(page, path);
    await page.context().close();
});

async function expectNotice(path, expected, before = null) {
    const page = await open(browser, path, { before });
    await page.waitForFunction(() => document.getElementById("notice-title").textContent !== "Loading");
    assert.ok(await page.locator("#notice").isVisible());
    assert.match(await text(page, "notice"), expected);
    assertQuiet(page, path);
    await page.context().close();
}

test("a page that cannot play says why", async (context) => {
    const path = join(makeFolder(context), "broken.html");
    const whole = readFileSync(template, "utf8");
    const recording = JSON.stringify(makeRecording());
    writeFileSync(path, makePage(whole, recording.slice(0, recording.length / 2)));
    await expectNotice(path, /cannot be played.*not JSON.*cut off/s);
    writeFileSync(path, makePage(whole, recording.replace(`"poses":"`, `"poses":"AAAA`)));
    await expectNotice(path, /cannot be played.*poses has \d+ bytes/s);
    writeFileSync(path, whole);
    await expectNotice(path, /no recording in this page/);
    writeFileSync(path, makePage(whole, recording));
    await expectNotice(
        path,
        /No 3D graphics.*WebGL/s,
        () => (HTMLCanvasElement.prototype.getContext = () => null)
    );
});
