// Starts the page: reads the recording, says so when it cannot be shown, and opens window.abut for scripts
// and tests.
import { Page } from "./page.js";
import { RecordingError, readRecording } from "./recording.js";

const element = (id) => document.getElementById(id);

function say(title, text) {
    element("notice-title").textContent = title;
    element("notice-text").textContent = text;
    element("notice").hidden = false;
}

/// Words after the address: page.html#high,bare
function wishes() {
    return location.hash.slice(1).split(",");
}

/// "high", or "low" where graphics are computed in software; null where there are none. The address may ask
/// for one.
function findQuality() {
    const context = document.createElement("canvas").getContext("webgl2");
    if (context === null) {
        return null;
    }
    const asked = wishes().find((wish) => ["high", "low"].includes(wish));
    const names = context.getExtension("WEBGL_debug_renderer_info");
    const renderer = context.getParameter(names === null ? context.RENDERER : names.UNMASKED_RENDERER_WEBGL);
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return asked ?? (/swiftshader|llvmpipe|software/i.test(renderer) ? "low" : "high");
}

/// What scripts may ask and do; docs/viewer.md is its manual.
function makeInterface(page) {
    const { recording, playback } = page;
    const checkBody = (body) => {
        if (!Number.isInteger(body) || body < 0 || body >= recording.bodies.length) {
            throw new RangeError(`there is no body ${body}`);
        }
        return body;
    };
    const checkFrame = (frame) => {
        if (!Number.isInteger(frame) || frame < 0 || frame >= recording.frames) {
            throw new RangeError(`there is no frame ${frame}`);
        }
        return frame;
    };
    return {
        get frame() {
            return playback.frame;
        },
        get playing() {
            return playback.playing;
        },
        get selected() {
            return page.selected;
        },
        get shown() {
            return { ...page.shown };
        },
        get pictures() {
            return page.pictures;
        },
        get draws() {
            return page.view.renderer.info.render.calls;
        },
        frames: recording.frames,
        dt: recording.dt,
        sceneCamera: recording.camera,
        bodies: recording.bodies.length,
        seek: (frame) => page.seek(frame),
        play: () => page.play(),
        pause: () => page.pause(),
        setSpeed: (speed) => page.setSpeed(speed),
        toggle: (what, on) => page.toggle(what, on),
        select: (body) => page.select(body === null ? null : checkBody(body)),
        pick: (x, y) => page.view.pick(x, y),
        place: (body) => page.view.place(checkBody(body), playback.time),
        setCamera: (camera) => {
            page.view.setCamera(camera);
            page.touch();
        },
        outline: (body) => page.view.outline(checkBody(body), playback.time),
        color: (body) => page.view.bodies.shownColor(checkBody(body)),
        arrows: () => page.view.marks.arrows(),
        describe: (body, frame = playback.frame) => page.describe(checkBody(body), checkFrame(frame)),
        pose: (body, frame = playback.frame) => {
            const { position, rotation } = page.describe(checkBody(body), checkFrame(frame));
            return { position, rotation };
        },
        contacts: (frame = playback.frame) => recording.contacts.all[checkFrame(frame)],
        camera: () => ({
            position: page.view.camera.position.toArray(),
            target: page.view.controls.target.toArray(),
        }),
    };
}

async function start() {
    const holder = element("abut-recording");
    if (holder === null) {
        throw new RecordingError(
            "There is no recording in this page; abut simulate SCENE -o page.html makes one that has"
        );
    }
    const quality = findQuality();
    if (quality === null) {
        say(
            "No 3D graphics",
            "This browser has no WebGL 2, which the page draws with. It may be switched off in " +
                "the settings, or the graphics driver may be missing."
        );
        return;
    }
    const recording = await readRecording(holder.textContent);
    holder.remove(); // the text is as large again as the arrays
    document.body.classList.toggle("bare", wishes().includes("bare"));
    const page = new Page(recording, quality);
    element("notice").hidden = true;
    window.abut = makeInterface(page);
}

start().catch((error) => {
    if (error instanceof RecordingError) {
        say("This recording cannot be played", error.message);
    } else {
        say(
            "The page has failed",
            `${error.message}. This is a fault of the page itself; the file may be fine.`
        );
        console.error(error);
    }
});
