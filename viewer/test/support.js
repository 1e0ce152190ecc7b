// What the browser tests share: Chromium, pages that report everything they do, and the CSV of a simulation.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const CHROMIUM_PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const program = process.env.ABUT_PROGRAM ?? "build/bin/abut";
export const screenshots = process.env.ABUT_SCREENSHOTS ?? "build/screenshots";
export const template = process.env.ABUT_VIEWER_TEMPLATE ?? "build/viewer/viewer.html";

export function findChromium() {
    return process.env.ABUT_CHROMIUM ?? CHROMIUM_PLACES.find((path) => existsSync(path));
}

export function makeFolder(context) {
    const folder = mkdtempSync(join(tmpdir(), "abut-viewer-"));
    context.after(() => rmSync(folder, { recursive: true }));
    return folder;
}

export async function startChromium() {
    return chromium.launch({
        executablePath: findChromium(),
        // Graphics in software, since test machines have no other; the sandbox does not start for root.
        args: [
            "--no-sandbox",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--ignore-gpu-blocklist",
        ],
    });
}

/// Opens a page from disk; what it asks of a network and what it complains about is kept in page.log.
export async function open(
    browser,
    path,
    { phone = false, dark = false, before = null, window = null } = {}
) {
    const viewport = window ?? (phone ? { width: 390, height: 844 } : { width: 800, height: 540 });
    const context = await browser.newContext({
        viewport,
        colorScheme: dark ? "dark" : "light",
        hasTouch: phone,
        isMobile: phone,
    });
    const page = await context.newPage();
    page.log = { requests: [], complaints: [] };
    page.on("request", (request) => page.log.requests.push(request.url()));
    page.on(
        "console",
        (message) => ["error", "warning"].includes(message.type()) && page.log.complaints.push(message.text())
    );
    page.on("pageerror", (error) => page.log.complaints.push(error.message));
    if (before !== null) {
        await page.addInitScript(before);
    }
    await page.goto(pathToFileURL(path).href);
    return page;
}

/// Waits until the page plays, or until it says why it doesn't.
export async function ready(page) {
    await page.waitForFunction(() => window.abut !== undefined && window.abut.pictures > 0, null, {
        timeout: 40000,
    });
}

/// The page has drawn what was last asked of it.
export async function drawn(page) {
    await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    );
}

export async function keepPicture(page, name) {
    await drawn(page);
    mkdirSync(screenshots, { recursive: true });
    return page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/// Average brightness (0 to 255) of each row of a rectangle of a screenshot; `page` is where it is unpacked.
export async function rowBrightness(page, png, { left, right, top, bottom }) {
    return page.evaluate(
        async ([data, x, y, width, height]) => {
            const image = new Image();
            image.src = `data:image/png;base64,${data}`;
            await image.decode();
            const context = new OffscreenCanvas(width, height).getContext("2d");
            context.drawImage(image, -x, -y);
            const { data: pixels } = context.getImageData(0, 0, width, height);
            return Array.from({ length: height }, (_, row) => {
                const values = pixels
                    .subarray(row * width * 4, (row + 1) * width * 4)
                    .filter((_, i) => i % 4 < 3);
                return values.reduce((sum, value) => sum + value, 0) / values.length;
            });
        },
        [png.toString("base64"), left, top, right - left, bottom - top]
    );
}

/// Nothing but the file itself was asked for, and nothing went wrong.
export function assertQuiet(page, path) {
    assert.deepEqual(page.log.requests, [pathToFileURL(path).href]);
    assert.deepEqual(page.log.complaints, []);
}

/// Runs a scene; gives the page, its poses by "frame,body" and its frames as the CSV has them.
export function simulate(scene, options, folder, name) {
    const page = join(folder, `${name}.html`);
    const csv = join(folder, `${name}.csv`);
    execFileSync(program, ["simulate", scene, ...options, "-o", page, "-o", csv], {
        stdio: ["ignore", "ignore", "inherit"],
    });
    const rows = new Map(readTable(csv).map((row) => [`${row.frame},${row.body}`, row]));
    return { page, rows, frameRows: readTable(join(folder, `${name}.frames.csv`)) };
}

function readCell(cell) {
    return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : Number(cell);
}

function readTable(path) {
    const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
    const names = head.split(",");
    return lines.map((line) =>
        Object.fromEntries(line.match(/"(?:[^"]|"")*"|[^,]+/g).map((cell, i) => [names[i], readCell(cell)]))
    );
}
