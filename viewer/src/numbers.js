// Numbers for people.

/// Up to four digits, without the noise of long fractions.
export function short(value) {
    if (!Number.isFinite(value)) {
        return "–";
    }
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e5 || size < 1e-3)) {
        return value.toExponential(2).replace("-", "−").replace("e+", "e").replace("e-", "e−");
    }
    const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    const text = value.toFixed(digits);
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/// With a fixed number of digits after the point, fewer for large ones; columns of them stay calm while
/// playing.
export function fixed(value, digits) {
    const size = Math.abs(value);
    const text = value.toFixed(
        Math.max(digits - (size >= 1000 ? 3 : size >= 100 ? 2 : size >= 10 ? 1 : 0), 0)
    );
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

export function count(number, one, many = `${one}s`) {
    return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
