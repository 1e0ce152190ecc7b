// The page in a real browser, opened from disk: does what it shows agree with the CSV of the same simulation, and does everything
// that can be pressed do what it says? Pictures are kept for people to look at.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makePage, makeRecording } from "./made_recording.js";
import { assertQuiet, drawn, findChromium, keepPicture, makeFolder, open, ready, simulate, startChromium, template } from "./support.js";

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
        for (const [dx, dy] of [[0, 0], [7, 0], [-7, 0], [0, 7], [0, -7], [14, 0], [-14, 0], [0, 14], [0, -14]]) {
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
    assert.ok(Math.abs(value - expected) <= 2e-7 * (1 + Math.abs(expected)), `${what}: the page says ${value}, the CSV ${expected}`);
}

async function comparePose(page, rows, body, frame) {
    const row = rows.get(`${frame},${body}`);
    const said = await ask(page, ([b, f]) => window.abut.describe(b, f), [body, frame]);
    ["x", "y", "z"].forEach((name, i) => assertClose(said.position[i], row[name], `body ${body}, frame ${frame}, ${name}`));
    ["qx", "qy", "qz", "qw"].forEach((name, i) => assertClose(said.rotation[i], row[name], `body ${body}, frame ${frame}, ${name}`));
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
            [...position, ...rotation].forEach((value, i) => assertClose(value, expected[i], `body ${body}, frame ${frame}, number ${i}`));
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
    await page.waitForFunction(() => window.abut.frame === window.abut.frames - 1 && !window.abut.playing, null, { timeout: 30000 });
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
    for (const [key, name] of [["c", "contacts"], ["n", "normals"], ["p", "penetration"]]) {
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
    assert.match(await text(page, "plot-legend"), /broad.*ms.*narrow.*ms.*solver.*ms.*rest.*ms/);
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
        for (const element of document.querySelectorAll("button, select, input, canvas, #title, #clock, #body-card")) {
            const box = element.getBoundingClientRect();
            if (box.width === 0) {
                continue;
            }
            if (box.left < -0.5 || box.right > window.innerWidth + 0.5 || box.top < -0.5 || box.bottom > window.innerHeight + 0.5) {
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
    const { page: path, rows, frameRows } = simulate("pile", ["--bodies", "24", "--seconds", "2.5"], makeFolder(context), "pile");
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

test("a thousand bodies are a few draws", async (context) => {
    const path = join(makeFolder(context), "many.html");
    writeFileSync(path, makePage(readFileSync(template, "utf8"), JSON.stringify(makeRecording({ bodies: 1001, frames: 60 }))));
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
    const name = `</script><script>window.hit = 1</script><!-- <img src=x onerror="window.hit = 1"> \\ é 𝄞 &amp;`;
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
    await expectNotice(path, /No 3D graphics.*WebGL/s, () => (HTMLCanvasElement.prototype.getContext = () => null));
});
