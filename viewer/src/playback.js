// The clock of the page: a time in frames that goes on while playing.

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Playback {
    constructor(frames, dt) {
        this.last = frames - 1;
        this.dt = dt;
        this.time = 0; // in frames, between them while playing
        this.speed = 1;
        this.playing = false;
    }

    get frame() {
        return Math.min(Math.floor(this.time), this.last);
    }

    seek(frame) {
        this.time = Number.isFinite(frame) ? Math.min(Math.max(frame, 0), this.last) : this.time;
    }

    play() {
        if (this.time >= this.last) {
            this.time = 0;
        }
        this.playing = this.last > 0;
    }

    pause() {
        this.playing = false;
        this.time = this.frame;
    }

    step(frames) {
        this.pause();
        this.seek(this.frame + frames);
    }

    faster(steps) {
        const at = SPEEDS.indexOf(this.speed);
        this.speed = SPEEDS[Math.min(Math.max(at + steps, 0), SPEEDS.length - 1)];
    }

    /// `seconds` have passed; stops at the end.
    advance(seconds) {
        if (!this.playing) {
            return;
        }
        this.seek(this.time + (seconds * this.speed) / this.dt);
        if (this.time >= this.last) {
            this.pause();
        }
    }
}
