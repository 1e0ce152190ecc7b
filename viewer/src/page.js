// The page as a whole: joins the clock, the picture, the plots and the buttons.
import { Card, describe, frameFacts } from "./card.js";
import { heatGradient, heatTicks } from "./heat.js";
import { listShortcuts, listenToKeys, makeShortcuts } from "./keys.js";
import { short } from "./numbers.js";
import { Playback, SPEEDS } from "./playback.js";
import { Plot } from "./plot.js";
import { View } from "./view.js";

const PLAY_ICON = "M7 4.5v15l12.5-7.5z";
const PAUSE_ICON = "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z";
/// A press that moves further than this, in CSS pixels, turns the camera and picks nothing.
const CLICK_REACH = 6;
const TOGGLES = ["contacts", "normals", "penetration", "glass"];

const element = (id) => document.getElementById(id);

export class Page {
    constructor(recording, quality) {
        this.recording = recording;
        this.playback = new Playback(recording.frames, recording.dt);
        this.view = new View(element("view"), recording, quality);
        this.plot = new Plot(element("plot"), element("plot-legend"), recording, (frame) => this.seek(frame));
        this.card = new Card(recording);
        this.selected = null;
        this.shown = { contacts: false, normals: false, penetration: false, glass: false };
        this.stale = true;
        this.pictures = 0;
        this.describeRecording();
        this.connectButtons();
        this.connectPointer();
        this.connectWindow();
        element("glass").hidden = this.view.bodies.stands.length === 0;
        this.toggle("glass", this.view.bodies.hidesBodies());
        this.draw = this.draw.bind(this);
        this.request();
    }

    describeRecording() {
        const { title, frames, stride } = this.recording;
        document.title = title === "" ? "abut" : `${title} · abut`;
        element("title").textContent = title === "" ? "Simulation" : title;
        element("title").title = stride > 1 ? `Every ${stride}. frame of the simulation is kept` : "";
        element("scrub").max = frames - 1;
        this.fillLegend();
    }

    fillLegend() {
        element("legend-colors").style.background = heatGradient();
        for (const { at, text } of heatTicks()) {
            const tick = document.createElement("span");
            tick.textContent = text;
            tick.style.left = `${at * 100}%`;
            element("legend-ticks").append(tick);
        }
        element("legend-impulse").textContent = short(this.view.marks.impulseScale);
    }

    // ------------------------------------------------------------------------------ what buttons and keys do

    togglePlay() {
        this.playback.playing ? this.pause() : this.play();
    }

    play() {
        this.playback.play();
        this.showPlaying();
    }

    pause() {
        this.playback.pause();
        this.showPlaying();
    }

    step(frames) {
        this.playback.step(frames);
        this.showPlaying();
    }

    seek(frame) {
        this.playback.seek(Math.round(frame));
        this.touch();
    }

    faster(steps) {
        this.playback.faster(steps);
        element("speed").value = String(this.playback.speed);
    }

    setSpeed(speed) {
        this.playback.speed = speed;
        element("speed").value = String(speed);
    }

    toggle(what, on = !this.shown[what]) {
        this.shown[what] = on;
        element(what).setAttribute("aria-pressed", String(on));
        if (what === "penetration") {
            this.view.bodies.colorByDepth(on, this.playback.frame);
        } else if (what === "glass") {
            this.view.bodies.seeThrough(on);
        } else {
            this.view.marks.show(what === "contacts" ? "points" : "normals", on);
        }
        element("legend").hidden = !["contacts", "normals", "penetration"].some((name) => this.shown[name]);
        element("legend-none").hidden = !this.shown.penetration;
        element("legend-arrow").hidden = !this.shown.normals;
        this.touch();
    }

    select(body) {
        this.selected = body;
        this.view.bodies.select(body);
        this.touch();
    }

    fit() {
        this.view.fit(this.selected, this.playback.time);
        this.touch();
    }

    nextPlot() {
        const names = Object.keys(this.plot.plots);
        this.showPlot(names[(names.indexOf(this.plot.name) + 1) % names.length]);
    }

    showPlot(name) {
        this.plot.select(name);
        document
            .querySelectorAll("[data-plot]")
            .forEach((tab) => tab.setAttribute("aria-selected", String(tab.dataset.plot === name)));
        this.resize(); // a longer legend may need a second line
    }

    toggleHelp(on = element("help").hidden) {
        element("help").hidden = !on;
        (on ? element("help-close") : element("view")).focus({ preventScroll: true });
    }

    escape() {
        element("help").hidden ? this.select(null) : this.toggleHelp(false);
    }

    // ------------------------------------------------------------------------------------------- connections

    connectButtons() {
        const on = (id, event, action) => element(id).addEventListener(event, action);
        on("play", "click", () => this.togglePlay());
        on("scrub", "input", (event) => this.seek(Number(event.target.value)));
        on("speed", "change", (event) => this.setSpeed(Number(event.target.value)));
        on("fit", "click", () => this.fit());
        on("body-close", "click", () => this.select(null));
        on("help-open", "click", () => this.toggleHelp(true));
        on("help-close", "click", () => this.toggleHelp(false));
        on("help", "click", (event) => event.target === element("help") && this.toggleHelp(false));
        TOGGLES.forEach((id) => on(id, "click", () => this.toggle(id)));
        document
            .querySelectorAll("[data-plot]")
            .forEach((tab) => tab.addEventListener("click", () => this.showPlot(tab.dataset.plot)));
        element("speed").append(...SPEEDS.map((speed) => new Option(`${speed}×`, String(speed))));
        this.setSpeed(1);
        const shortcuts = makeShortcuts(this);
        listShortcuts(shortcuts, element("help-keys"));
        listenToKeys(shortcuts);
    }

    connectPointer() {
        const canvas = this.view.canvas;
        let down = null;
        canvas.addEventListener("pointerdown", (event) => {
            // A second finger makes it a gesture.
            down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
        });
        canvas.addEventListener("pointerup", (event) => {
            if (down !== null && Math.hypot(event.clientX - down.x, event.clientY - down.y) <= CLICK_REACH) {
                this.select(this.view.pick(event.clientX, event.clientY));
            }
            down = null;
        });
        canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
        canvas.addEventListener("webglcontextrestored", () => this.touch());
        this.view.controls.addEventListener("change", () => this.request());
    }

    connectWindow() {
        const dark = window.matchMedia("(prefers-color-scheme: dark)");
        const setTheme = () => {
            this.view.setTheme(dark.matches);
            this.resize();
        };
        dark.addEventListener("change", setTheme);
        window.addEventListener("resize", () => this.resize());
        document.addEventListener("visibilitychange", () => this.request());
        this.showPlot("energy");
        setTheme();
    }

    resize() {
        const bare = document.body.classList.contains("bare"); // without bars
        const dockTop = bare ? 0 : window.innerHeight - element("dock").getBoundingClientRect().top;
        document.documentElement.style.setProperty("--dock-top", `${dockTop}px`);
        this.view.setInsets(bare ? 0 : element("top").getBoundingClientRect().bottom, dockTop);
        this.plot.resize();
        this.touch();
    }

    // ---------------------------------------------------------------------------------------------- pictures

    /// Something has changed that the next picture must show.
    touch() {
        this.stale = true;
        this.request();
    }

    request() {
        if (!this.requested) {
            this.requested = true;
            requestAnimationFrame((now) => this.draw(now));
        }
    }

    showPlaying() {
        const playing = this.playback.playing;
        element("play-icon").setAttribute("d", playing ? PAUSE_ICON : PLAY_ICON);
        element("play").setAttribute("aria-label", playing ? "Pause" : "Play");
        this.touch();
    }

    draw(now) {
        this.requested = false;
        // A tab that slept must not leap.
        const passed = this.before === undefined ? 0 : Math.min((now - this.before) / 1000, 0.25);
        const playing = this.playback.playing;
        if (playing) {
            this.playback.advance(passed);
            this.view.relieve(passed * 1000);
            this.stale = true;
            if (!this.playback.playing) {
                this.showPlaying();
            }
        }
        this.view.controls.update(); // asks for the next picture itself while the camera still glides
        if (this.stale) {
            this.stale = false;
            this.view.update(this.playback.time);
            this.showFrame();
        }
        this.view.render();
        this.pictures += 1;
        this.before = this.playback.playing ? now : undefined;
        if (this.playback.playing) {
            this.request();
        }
    }

    showFrame() {
        const { time, frame, last, dt } = this.playback;
        element("scrub").value = String(frame);
        this.plot.update(time);
        this.card.show(this.selected, frame);
        this.showText("facts", frameFacts(this.recording, frame));
        const clock = element("clock");
        if (clock.dataset.frame !== String(frame)) {
            clock.dataset.frame = String(frame);
            const frames = document.createElement("small");
            frames.textContent = `${frame} / ${last}`;
            clock.replaceChildren(`${(frame * dt).toFixed(2)} / ${(last * dt).toFixed(2)} s`, frames);
        }
    }

    showText(id, text) {
        if (element(id).textContent !== text) {
            element(id).textContent = text;
        }
    }

    describe(body, frame = this.playback.frame) {
        return describe(this.recording, body, frame);
    }
}
