// The card of the picked body.
import { contactsOfBody } from "./contacts.js";
import { poseOffset, speeds } from "./motion.js";
import { count, fixed, short } from "./numbers.js";

/// Everything that the page says about a body at a frame; positions in the world.
export function describe(recording, index, frame) {
    const body = recording.bodies[index];
    const at = poseOffset(recording, index, frame);
    const { linear, angular } = speeds(recording, index, frame);
    const touching = contactsOfBody(recording, index, frame);
    return {
        body: index,
        name: body.name,
        kind: body.kind,
        mass: body.mass,
        color: body.color,
        position: recording.origin.map((start, k) => start + recording.poses[at + k]),
        rotation: [...recording.poses.subarray(at + 3, at + 7)],
        speed: linear,
        spin: angular,
        asleep: recording.asleep[frame * recording.bodies.length + index] !== 0,
        contacts: touching.count,
        touching: touching.others,
        depth: touching.depth,
    };
}

function rowsOf(facts, nameOf) {
    const names = facts.touching.slice(0, 3).map(nameOf).join(", ");
    const more = facts.touching.length > 3 ? ` and ${facts.touching.length - 3} more` : "";
    return [
        ["number", String(facts.body)],
        ["kind", facts.kind],
        ["mass", facts.mass === null ? "–" : short(facts.mass)],
        ["position", facts.position.map((value) => fixed(value, 4)).join("  ")],
        ["rotation", facts.rotation.map((value) => fixed(value, 2)).join("  ")],
        ["speed", short(facts.speed)],
        ["turning", `${short(facts.spin)} rad/s`],
        ["contacts", facts.contacts === 0 ? "none" : `${facts.contacts} with ${names}${more}`],
        ["deepest", facts.contacts === 0 ? "–" : short(facts.depth)],
        ["asleep", facts.kind === "static" ? "never moves" : facts.asleep ? "yes" : "no"],
    ];
}

export class Card {
    constructor(recording) {
        this.recording = recording;
        this.root = document.getElementById("body-card");
        this.name = document.getElementById("body-name");
        this.color = document.getElementById("body-color");
        this.list = document.getElementById("body-facts");
    }

    show(body, frame) {
        this.root.hidden = body === null;
        if (body === null) {
            return;
        }
        const facts = describe(this.recording, body, frame);
        this.name.textContent = facts.name;
        this.color.style.background = `rgb(${facts.color.map((c) => Math.round(c * 255)).join(" ")})`;
        const rows = rowsOf(facts, (other) => this.recording.bodies[other].name);
        rows.forEach(([name, value], i) => this.setRow(i, name, value));
    }

    /// Rows are kept: making them anew in every picture costs more than the picture.
    setRow(index, name, value) {
        if (this.list.children.length <= 2 * index) {
            this.list.append(document.createElement("dt"), document.createElement("dd"));
        }
        const [title, text] = [this.list.children[2 * index], this.list.children[2 * index + 1]];
        if (text.textContent !== value) {
            title.textContent = name;
            text.textContent = value;
        }
    }
}

/// One line about the whole frame.
export function frameFacts(recording, frame) {
    const { counts, all } = recording.contacts;
    const asleep = recording.asleep
        .subarray(frame * recording.bodies.length, (frame + 1) * recording.bodies.length)
        .reduce(
            (sum, one, body) => sum + (one !== 0 && recording.bodies[body].kind === "dynamic" ? 1 : 0),
            0
        );
    const contacts =
        count(all[frame], "contact") +
        (counts[frame] < all[frame] ? ` (${counts[frame].toLocaleString("en")} kept)` : "");
    return [
        count(recording.bodies.length, "body", "bodies"),
        `${asleep.toLocaleString("en")} asleep`,
        contacts,
        recording.response,
        recording.hash,
    ]
        .filter((part) => part !== "")
        .join(" · ");
}
