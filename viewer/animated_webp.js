// Pictures in WebP, one after the other in one file that browsers play, again and again. The form:
// https://developers.google.com/speed/webp/docs/riff_container

const HEADER_SIZE = 12; // "RIFF", size, "WEBP"
const ANIMATION_FLAG = 0x02;
const REPLACES_PICTURE = 0x02; // instead of being blended with the one before

/// The chunk with the pixels of a picture without transparency.
function pixelsOf(webp) {
    let at = HEADER_SIZE;
    while (at + 8 <= webp.length) {
        const size = webp.readUInt32LE(at + 4);
        const end = at + 8 + size + (size % 2);
        if (["VP8 ", "VP8L"].includes(webp.toString("latin1", at, at + 4))) {
            return webp.subarray(at, end);
        }
        at = end;
    }
    throw new Error("there are no pixels in this WebP");
}

function chunk(name, data) {
    const head = Buffer.alloc(8);
    head.write(name, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/// [number, bytes] for each, little-endian.
function numbers(...list) {
    return Buffer.concat(
        list.map(([value, size]) => {
            const bytes = Buffer.alloc(size);
            bytes.writeUIntLE(value, 0, size);
            return bytes;
        })
    );
}

/// pictures: { data: a WebP file without transparency, milliseconds: how long it stays }, of the same size.
export function joinWebp(pictures, width, height) {
    const size = [
        [width - 1, 3],
        [height - 1, 3],
    ];
    const frames = pictures.map(({ data, milliseconds }) =>
        chunk(
            "ANMF",
            Buffer.concat([
                numbers([0, 3], [0, 3], ...size, [milliseconds, 3], [REPLACES_PICTURE, 1]),
                pixelsOf(data),
            ])
        )
    );
    const head = [
        chunk("VP8X", numbers([ANIMATION_FLAG, 1], [0, 3], ...size)),
        chunk("ANIM", numbers([0, 4], [0, 2])),
    ];
    return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...head, ...frames]));
}
