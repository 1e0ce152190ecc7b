// Plots over the whole recording: energy, time per step, depth. A click or a drag goes to the frame under the
// pointer.
import { short } from "./numbers.js";

function withoutOffset(values) {
    const low = values.reduce((least, value) => Math.min(least, value), Infinity);
    return values.map((value) => value - low);
}

function column(values, width, index) {
    return Float32Array.from({ length: values.length / width }, (_, i) => values[i * width + index]);
}

function add(a, b) {
    return a.map((value, i) => value + b[i]);
}

/// Each plot: lines with a name, a colour of style.css and values; stacked ones lie on top of each other.
function makePlots({ kinetic, potential, deepest, milliseconds }) {
    const height = withoutOffset(potential);
    const times = ["pairs", "search", "manifolds", "solver", "clamp", "rest"];
    return {
        energy: {
            unit: "",
            lines: [
                { name: "kinetic", color: "--plot-0", values: kinetic },
                {
                    name: "potential",
                    color: "--plot-1",
                    values: height,
                    hint: "above the lowest of the recording",
                },
                { name: "total", color: "--plot-2", values: add(kinetic, height) },
            ],
        },
        time: {
            unit: " ms",
            stacked: true,
            lines: times.map((name, i) => ({
                name,
                color: `--plot-${i}`,
                values: column(milliseconds, 6, i),
            })),
        },
        depth: { unit: "", lines: [{ name: "deepest overlap", color: "--plot-0", values: deepest }] },
    };
}

/// Stacked lines become the sums up to each.
function levelsOf(plot) {
    let sum = null;
    return plot.lines.map(({ values }) => {
        sum = plot.stacked && sum !== null ? add(sum, values) : values;
        return sum;
    });
}

function largest(levels) {
    let most = 0;
    for (const level of levels) {
        for (const value of level) {
            most = value > most ? value : most;
        }
    }
    return most;
}

export class Plot {
    constructor(canvas, legend, recording, onSeek) {
        this.canvas = canvas;
        this.legend = legend;
        this.last = recording.frames - 1;
        this.plots = makePlots(recording.series);
        for (const plot of Object.values(this.plots)) {
            plot.levels = levelsOf(plot);
            plot.most = largest(plot.levels);
        }
        this.base = document.createElement("canvas"); // the lines, drawn once; the cursor goes over them
        this.select("energy");
        this.listen(onSeek);
    }

    listen(onSeek) {
        const seek = (event) => {
            const { left, width } = this.canvas.getBoundingClientRect();
            onSeek(Math.round(Math.min(Math.max((event.clientX - left) / width, 0), 1) * this.last));
        };
        this.canvas.addEventListener("pointerdown", (event) => {
            this.canvas.setPointerCapture(event.pointerId);
            seek(event);
        });
        this.canvas.addEventListener("pointermove", (event) => event.buttons !== 0 && seek(event));
    }

    select(name) {
        this.name = name;
        this.shown = this.plots[name];
        this.legend.replaceChildren(...this.shown.lines.map((line) => this.makeEntry(line)));
        this.resize();
    }

    makeEntry(line) {
        const entry = document.createElement("span");
        const mark = document.createElement("i");
        mark.style.background = `var(${line.color})`;
        line.output = document.createElement("b");
        entry.title = line.hint ?? "";
        entry.append(mark, `${line.name} `, line.output);
        return entry;
    }

    /// Draws the lines anew, for a new size, plot or theme.
    resize() {
        const ratio = window.devicePixelRatio || 1;
        this.width = Math.max(Math.round(this.canvas.clientWidth * ratio), 1);
        this.height = Math.max(Math.round(this.canvas.clientHeight * ratio), 1);
        this.ratio = ratio;
        for (const canvas of [this.canvas, this.base]) {
            canvas.width = this.width;
            canvas.height = this.height;
        }
        this.style = getComputedStyle(document.documentElement);
        this.drawLines(this.base.getContext("2d"));
        this.drawn = -1;
    }

    x(frame) {
        return this.last > 0 ? (frame / this.last) * this.width : 0;
    }

    y(value) {
        const room = this.height - 4 * this.ratio;
        return (
            this.height -
            2 * this.ratio -
            (this.shown.most > 0 ? (Math.max(value, 0) / this.shown.most) * room : 0)
        );
    }

    drawLines(context) {
        const { lines, levels, stacked } = this.shown;
        context.lineWidth = 1.4 * this.ratio;
        context.lineJoin = "round";
        for (let i = lines.length - 1; i >= 0; --i) {
            const color = this.style.getPropertyValue(lines[i].color);
            const line = this.trace(levels[i]);
            context.strokeStyle = color;
            context.fillStyle = color;
            if (stacked) {
                this.fillBetween(context, line, i > 0 ? this.trace(levels[i - 1]) : null);
            } else {
                context.stroke(this.path(line));
            }
        }
        this.drawScale(context);
    }

    /// Points of a line: where there are more frames than pixels, the highest and the lowest of each pixel.
    trace(values) {
        const perPixel = Math.ceil(values.length / this.width);
        const points = [];
        for (let i = 0; i < values.length; i += perPixel) {
            let [low, high] = [values[i], values[i]];
            for (let k = i; k < Math.min(i + perPixel, values.length); ++k) {
                low = Math.min(low, values[k]);
                high = Math.max(high, values[k]);
            }
            points.push([this.x(i), this.y(high)]);
            if (low !== high) {
                points.push([this.x(i), this.y(low)]);
            }
        }
        return points;
    }

    path(points) {
        const path = new Path2D();
        points.forEach(([x, y], i) => (i === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
        return path;
    }

    fillBetween(context, upper, lower) {
        const path = this.path(upper);
        const bottom = lower ?? [
            [0, this.height],
            [this.width, this.height],
        ];
        [...bottom].reverse().forEach(([x, y]) => path.lineTo(x, y));
        context.globalAlpha = 0.75;
        context.fill(path);
        context.globalAlpha = 1;
    }

    drawScale(context) {
        context.fillStyle = this.style.getPropertyValue("--soft-ink");
        context.font = `${11 * this.ratio}px system-ui, sans-serif`;
        context.textBaseline = "top";
        context.textAlign = "right";
        context.fillText(
            `${short(this.shown.most)}${this.shown.unit}`,
            this.width - 3 * this.ratio,
            2 * this.ratio
        );
    }

    /// Puts the cursor at a time in frames and the values of its frame beside the names.
    update(time) {
        if (time === this.drawn) {
            return;
        }
        this.drawn = time;
        const context = this.canvas.getContext("2d");
        const x = Math.min(Math.max(this.x(time), this.ratio), this.width - this.ratio);
        context.clearRect(0, 0, this.width, this.height);
        context.drawImage(this.base, 0, 0);
        context.fillStyle = this.style.getPropertyValue("--cursor");
        context.fillRect(x - 0.75 * this.ratio, 0, 1.5 * this.ratio, this.height);
        const frame = Math.min(Math.floor(time), this.last);
        for (const { output, values } of this.shown.lines) {
            output.textContent = `${short(values[frame])}${this.shown.unit}`;
        }
    }
}
