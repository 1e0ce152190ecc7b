// Arrays of a recording: base64 of little-endian numbers, either as they are (a text) or packed:
//
//     { "words": W, "back": B, "data": base64 }
//
// The array is rows of W 32-bit words. Each row is stored as its difference, word by word modulo 2^32, from
// the row B rows before it (bodies at rest become zeros); then, in blocks of up to 4096 rows, the bytes are
// put in the order word, byte, row (equal exponents come to stand side by side); then everything is deflated
// (zlib). W = 0 stands for bytes that are only deflated. cli/write_html.c is the other side.

const BLOCK_ROWS = 4096;

export class RecordingError extends Error {}

function bytesOfBase64(text, what) {
    try {
        if (typeof Uint8Array.fromBase64 === "function") {
            return Uint8Array.fromBase64(text);
        }
        const binary = atob(text);
        const bytes = new Uint8Array(binary.length);
        for (let i = 0; i < binary.length; ++i) {
            bytes[i] = binary.charCodeAt(i);
        }
        return bytes;
    } catch {
        throw new RecordingError(`${what} is not base64`);
    }
}

/// Inflates to exactly `size` bytes; a stream that gives more is stopped there, however much it would give.
async function inflate(bytes, size, what) {
    if (typeof DecompressionStream === "undefined") {
        throw new RecordingError("This browser cannot unpack the recording; please use a newer one");
    }
    const out = new Uint8Array(size);
    let filled = 0;
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) {
                break;
            }
            if (filled + value.length > size) {
                throw new RecordingError(`${what} is longer than the ${size} bytes that it should have`);
            }
            out.set(value, filled);
            filled += value.length;
        }
    } catch (error) {
        reader.cancel().catch(() => {});
        throw error instanceof RecordingError
            ? error
            : new RecordingError(`${what} is damaged: it cannot be inflated`);
    }
    if (filled !== size) {
        throw new RecordingError(`${what} ends after ${filled} of ${size} bytes`);
    }
    return out;
}

function unshuffle(bytes, words, back) {
    const out = new Uint32Array(bytes.length / 4);
    const rows = out.length / words;
    for (let first = 0; first < rows; first += BLOCK_ROWS) {
        const count = Math.min(BLOCK_ROWS, rows - first);
        const block = first * words * 4;
        for (let word = 0; word < words; ++word) {
            let at = block + word * 4 * count;
            for (let row = first; row < first + count; ++row, ++at) {
                const low = bytes[at] | (bytes[at + count] << 8);
                const high = bytes[at + 2 * count] | (bytes[at + 3 * count] << 8);
                const before = row >= back ? out[(row - back) * words + word] : 0;
                out[row * words + word] = (low | (high << 16)) + before;
            }
        }
    }
    return out.buffer;
}

function isCount(value, most) {
    return Number.isInteger(value) && value >= 0 && value <= most;
}

/// The bytes of an array of `length` items of `Type`; throws a RecordingError that names `what`.
export async function decodeArray(packed, Type, length, what) {
    const size = length * Type.BYTES_PER_ELEMENT;
    if (typeof packed === "string") {
        const bytes = bytesOfBase64(packed, what);
        if (bytes.length !== size) {
            throw new RecordingError(`${what} has ${bytes.length} bytes and should have ${size}`);
        }
        return new Type(bytes.buffer, bytes.byteOffset, length);
    }
    if (packed === null || typeof packed !== "object" || typeof packed.data !== "string") {
        throw new RecordingError(`${what} is missing`);
    }
    const { words, back } = packed;
    if (
        !isCount(words, 64) ||
        !isCount(back, 0x7fffffff) ||
        (words > 0 && (back === 0 || size % (words * 4) !== 0))
    ) {
        throw new RecordingError(`${what} is packed in a way that this page does not know`);
    }
    const bytes = await inflate(bytesOfBase64(packed.data, what), size, what);
    return new Type(words === 0 ? bytes.buffer : unshuffle(bytes, words, back));
}

/// How many bytes a packed array may have is not in it; this one is for arrays whose length is only known
/// from themselves.
export function lengthOfPlain(packed, what) {
    if (typeof packed !== "string") {
        throw new RecordingError(`${what} needs its length beside it`);
    }
    const padding = packed.endsWith("==") ? 2 : packed.endsWith("=") ? 1 : 0;
    return (packed.length / 4) * 3 - padding;
}
