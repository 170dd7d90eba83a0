import { roundTo } from '../core/rounding.js';

const [POINT, ZERO] = [0x2e, 0x30];
/** This close to the middle between two hundredths, the number's decimal form decides how it is rounded. */
const DOUBTFUL = 1e-6;

/** Converts a number, at least 0, to whole hundredths. Rounds like {@link roundTo}, at a fraction of its cost. */
export function toHundredths(value: number): number {
  const scaled = value * 100;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  if (Math.abs(rest - 0.5) < DOUBTFUL) return Math.round(roundTo(value, 2) * 100);
  return rest < 0.5 ? below : below + 1;
}

/** The length of a number of hundredths as JSON, as written by {@link writeHundredths}. */
export function hundredthsLength(hundredths: number): number {
  let length = hundredths % 100 === 0 ? 1 : hundredths % 10 === 0 ? 3 : 4;
  for (let rest = hundredths; rest >= 1000; rest /= 10) length++;
  return length;
}

/** Writes a number of hundredths as JSON in its shortest form: `3`, `0.5`, `12.07`. Returns the end position. */
export function writeHundredths(bytes: Uint8Array, start: number, hundredths: number): number {
  const end = start + hundredthsLength(hundredths);
  const whole = Math.floor(hundredths / 100);
  const fraction = hundredths - whole * 100;
  let at = end;
  if (fraction > 0) {
    const last = fraction % 10;
    if (last > 0) bytes[--at] = ZERO + last;
    bytes[--at] = ZERO + Math.floor(fraction / 10);
    bytes[--at] = POINT;
  }
  let rest = whole;
  do {
    const next = Math.floor(rest / 10);
    bytes[--at] = ZERO + rest - next * 10;
    rest = next;
  } while (rest > 0);
  return end;
}
