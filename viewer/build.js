// usage: node build.js PAGE.html [SOURCE.c]
// Bundles src/ and three.js into one page without a recording, and, where a second name is given, the same
// bytes as a C array, which the program carries. The page keeps the marker where the program puts the
// recording (cli/write_html.c).
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = join(dirname(fileURLToPath(import.meta.url)), "src");
const RECORDING_MARKER = "<!-- recording -->";

async function bundle(entry) {
    const result = await build({
        entryPoints: [join(source, entry)],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: ["es2020"],
        charset: "utf8",
        legalComments: "inline",
        logLevel: "warning",
    });
    return result.outputFiles[0].text.trim();
}

function insert(page, marker, text) {
    const parts = page.split(marker);
    if (parts.length !== 2) {
        throw new Error(`page.html must have "${marker}" once, not ${parts.length - 1} times`);
    }
    return parts.join(text);
}

async function makePage() {
    const [page, script, style] = await Promise.all([
        readFile(join(source, "page.html"), "utf8"),
        bundle("main.js"),
        bundle("style.css"),
    ]);
    if (/<\/script/i.test(script) || /<\/style/i.test(style) || script.includes(RECORDING_MARKER)) {
        throw new Error("the bundle would end its own element");
    }
    const whole = insert(insert(page, "/* style */", style), "/* script */", script);
    if (whole.split(RECORDING_MARKER).length !== 2) {
        throw new Error(`the page must have "${RECORDING_MARKER}" once`);
    }
    return Buffer.from(whole, "utf8");
}

function makeSource(bytes) {
    const rows = [];
    for (let i = 0; i < bytes.length; i += 32) {
        rows.push(`    ${bytes.subarray(i, i + 32).join(",")},`);
    }
    return [
        "// Made by viewer/build.js.",
        '#include "viewer_page.h"',
        "",
        "const unsigned char viewer_page[] = {",
        ...rows,
        "};",
        "const size_t viewer_page_size = sizeof(viewer_page);",
        "",
    ].join("\n");
}

async function writeTo(path, data) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, data);
}

const [pagePath, sourcePath] = process.argv.slice(2);
if (pagePath === undefined) {
    console.error("usage: node build.js PAGE.html [SOURCE.c]");
    process.exit(2);
}
const page = await makePage();
await writeTo(pagePath, page);
if (sourcePath !== undefined) {
    await writeTo(sourcePath, makeSource(page));
}
