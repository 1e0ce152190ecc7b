// usage: node film.js PAGE.html OUT.webp
// The page as a film for the documents (make figures): without its bars, from the scene's camera, which goes
// slowly around. Chromium draws and packs the pictures; animated_webp.js puts them one after the other.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { joinWebp } from "./animated_webp.js";
import { drawn, ready, startChromium } from "./test/support.js";

const SIZE = { width: 800, height: 460 };
const SHARPNESS = 1.5; // drawn so much larger, then made smaller: smooth edges, which also pack better
const QUALITY = 0.68;
const FRAME_STEP = 2; // frames of the recording from one picture to the next
const PICTURE_TIME = 40; // milliseconds; a little slower than true, since frames are a 60th of a second apart
const REST_TIME = 1600; // milliseconds that the heap at rest stays
const SECONDS = 2.4; // of the simulation
const TURN = 24; // degrees that the camera goes around

/// A screenshot as WebP of the film's size; `page` is where that is done.
async function pack(page, png) {
    const text = await page.evaluate(
        async ([data, { width, height }, quality]) => {
            const blob = await (await fetch(`data:image/png;base64,${data}`)).blob();
            const canvas = new OffscreenCanvas(width, height);
            const context = canvas.getContext("2d", { alpha: false });
            context.imageSmoothingQuality = "high";
            context.drawImage(await createImageBitmap(blob), 0, 0, width, height);
            const packed = await canvas.convertToBlob({ type: "image/webp", quality });
            const bytes = new Uint8Array(await packed.arrayBuffer());
            return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
        },
        [png.toString("base64"), SIZE, QUALITY]
    );
    return Buffer.from(text, "base64");
}

const [path, out] = process.argv.slice(2);
if (out === undefined) {
    console.error("usage: node film.js PAGE.html OUT.webp");
    process.exit(2);
}
const browser = await startChromium();
const studio = await browser.newPage();
const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: SHARPNESS, colorScheme: "dark" });
await page.goto(`${pathToFileURL(resolve(path)).href}#high,bare`);
await ready(page);
const { camera, last } = await page.evaluate(
    (seconds) => ({
        camera: window.abut.sceneCamera,
        last: Math.min(window.abut.frames - 1, Math.round(seconds / window.abut.dt)),
    }),
    SECONDS
);
const pictures = [];
for (let frame = 0; frame <= last; frame += FRAME_STEP) {
    const turn = camera.turn + TURN * (frame / last - 0.5);
    await page.evaluate(
        ([at, camera]) => {
            window.abut.seek(at);
            window.abut.setCamera(camera);
        },
        [frame, { ...camera, turn }]
    );
    await drawn(page);
    const data = await pack(studio, await page.screenshot());
    pictures.push({ data, milliseconds: frame + FRAME_STEP > last ? REST_TIME : PICTURE_TIME });
}
await browser.close();
pictures.unshift(pictures.pop()); // the heap at rest comes first: it is what is seen where films do not play
await writeFile(out, joinWebp(pictures, SIZE.width, SIZE.height));
