// usage: node picture.js PAGE.html OUT.png [FRAME [BODY]]
// The page at a frame, with a body picked, as a picture: for the documents (make figures).
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { drawn, ready, startChromium } from "./test/support.js";

const [path, out, frame = "0", body] = process.argv.slice(2);
if (out === undefined) {
    console.error("usage: node picture.js PAGE.html OUT.png [FRAME [BODY]]");
    process.exit(2);
}
const browser = await startChromium();
const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, colorScheme: "light" });
await page.goto(`${pathToFileURL(resolve(path)).href}#high`);
await ready(page);
await page.evaluate(
    ([at, picked]) => {
        window.abut.seek(at);
        window.abut.select(picked);
    },
    [Number(frame), body === undefined ? null : Number(body)]
);
await drawn(page);
await page.screenshot({ path: out });
await browser.close();
