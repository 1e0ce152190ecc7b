// The schema of scene files (scenes/scene.schema.json), judged by a validator of JSON Schema: it takes what
// abut takes and refuses what abut refuses, for every key and many values.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import Ajv from "ajv/dist/2020.js";

const program = process.env.ABUT_PROGRAM ?? "build/bin/abut";
const verdicts = process.env.ABUT_VERDICTS ?? "build/tests/scene_verdicts";
const scenes = process.env.ABUT_SCENES ?? "scenes";
const schema = JSON.parse(readFileSync(join(scenes, "scene.schema.json"), "utf8"));
// The other sides of "else" are not types of their own.
const fits = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);

const folder = mkdtempSync(join(tmpdir(), "abut-schema-"));
after(() => rmSync(folder, { recursive: true }));

/// What abut has to say against each of the scenes; "" where it takes one.
function complaints(list) {
    const input = list.map((scene) => JSON.stringify(scene) + "\n").join("");
    const run = spawnSync(verdicts, { input, encoding: "utf8" });
    assert.equal(run.status, 0);
    return run.stdout.split("\n").slice(0, list.length);
}

test("scene files of the repository fit the schema", () => {
    const files = readdirSync(scenes).filter(
        (name) => name.endsWith(".json") && !name.endsWith(".schema.json")
    );
    assert.ok(files.length >= 4);
    for (const name of files) {
        assert.ok(
            fits(JSON.parse(readFileSync(join(scenes, name), "utf8"))),
            `${name}: ${JSON.stringify(fits.errors)}`
        );
    }
});

test("scenes that abut writes fit the schema", () => {
    const list = JSON.parse(
        spawnSync(program, ["simulate", "--list", "--json"], { encoding: "utf8" }).stdout
    );
    for (const { name } of list.scenes ?? list) {
        const path = join(folder, `${name}.json`);
        assert.equal(spawnSync(program, ["simulate", name, "--save", path]).status, 0, name);
        assert.ok(fits(JSON.parse(readFileSync(path, "utf8"))), `${name}: ${JSON.stringify(fits.errors)}`);
    }
});

/// A scene with one value for one key of one kind of object.
const around = {
    "": (key, value) => ({ shapes: { s: "sphere:1" }, [key]: value }),
    world: (key, value) => ({ world: { [key]: value } }),
    camera: (key, value) => ({ camera: { [key]: value } }),
    shape: (key, value) => ({ shapes: { s: { shape: "sphere:1", [key]: value } } }),
    body: (key, value) => ({ shapes: { s: "sphere:1" }, bodies: [{ shape: "s", [key]: value }] }),
    repeat: (key, value) => ({
        shapes: { s: "sphere:1" },
        bodies: [{ shape: "s", repeat: { count: 2, spacing: [1, 1, 1], [key]: value } }],
    }),
};

const everyKind = [
    undefined,
    null,
    true,
    0,
    1,
    2,
    0.5,
    -1,
    1e13,
    "",
    "s",
    "#12aB9f",
    "#+12345",
    "a\u001b[2J",
    "\u0000",
    "\u2028",
    "a\u00a0\u00fc",
    {},
    [],
    [1, 1],
    [0, 1, 0.5],
    [0.5, 0.5],
];
const lists = [[1, 0, 0, 0], [3, 0, 0, 1], ["s"], ["s", "s"], ["turn y"], ["0123456789abcdef"], [1, 2, "3"]];

/// The ends of a range, and what is just past them.
function endsOf({ minimum, maximum }) {
    const past = Math.max(1, 1e-9 * maximum);
    return minimum === undefined ? [] : [minimum, maximum, minimum - past, maximum + past];
}

/// Values of any kind, and those at the ends of the range of a number or of the numbers in a list.
function valuesFor(property) {
    const value =
        property.$ref !== undefined ? schema.$defs[property.$ref.replace("#/$defs/", "")] : property;
    const others = Array(Math.max(0, (value.minItems ?? 1) - 1)).fill(1);
    const endLists = endsOf(value.items ?? {}).map((end) => [...others, end]);
    return [...everyKind, ...lists, ...(value.enum ?? []), ...endsOf(value), ...endLists];
}

/// Where the schema cannot know: names of shapes, sums of squares, and how many bodies fit into the memory.
const beyondSchemas = /no shape has the name|a quaternion|has no length|more than \d+ bodies/;

test("the schema and abut agree about every key", () => {
    const cases = Object.entries(around).flatMap(([name, build]) => {
        const { properties } = name === "" ? schema : schema.$defs[name];
        return Object.entries({ ...properties, unheard_of: {} }).flatMap(([key, property]) =>
            valuesFor(property).map((value) => JSON.parse(JSON.stringify(build(key, value))))
        ); // without what is undefined
    });
    const said = complaints(cases);
    cases.forEach((scene, i) => {
        const same = fits(scene) === (said[i] === "") || beyondSchemas.test(said[i]);
        assert.ok(
            same,
            `${JSON.stringify(scene)}: abut says '${said[i]}', the schema ${JSON.stringify(fits.errors)}`
        );
    });
    const taken = said.filter((text) => text === "").length;
    assert.ok(taken > 100 && cases.length - taken > 500, `${taken} of ${cases.length} taken`);
});
