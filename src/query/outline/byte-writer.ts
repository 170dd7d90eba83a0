import { UNITS_PER_DEGREE } from '../../core/coordinates.js';
import { type Allocate, allocateAlone } from '../body-writer.js';

/** UTF-8 text that grows as it is written. */
export interface ByteWriter {
  /** How many bytes there are. */
  readonly sizeBytes: number;
  text(text: string): void;
  /** A coordinate given in 1e-7 degrees, in degrees with as many decimals as it needs. */
  degrees(units: number): void;
  /** What was written, in memory of its size. */
  finish(allocate?: Allocate): Uint8Array;
}

const DECIMALS = Math.log10(UNITS_PER_DEGREE);
/** `-180.1234567` */
const MAX_DEGREES_BYTES = 12;
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];
const INITIAL_BYTES = 64 * 1024;

/** A writer that spells coordinates out of integers, digit by digit: formatting doubles takes five times as long. */
export function createByteWriter(): ByteWriter {
  let bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  let end = 0;

  const reserve = (size: number): void => {
    if (end + size <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, end + size));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  };
  /** A whole number in at least so many digits. */
  const digits = (value: number, width: number): void => {
    let rest = value;
    let size = width;
    while (10 ** size <= value) size++;
    for (let at = end + size - 1; at >= end; at--) {
      const next = Math.floor(rest / 10);
      bytes[at] = ZERO + rest - next * 10;
      rest = next;
    }
    end += size;
  };
  return {
    get sizeBytes() {
      return end;
    },
    text: (text) => {
      // UTF-8 takes at most three bytes for a UTF-16 unit.
      reserve(text.length * 3);
      end += bytes.write(text, end, 'utf8');
    },
    degrees: (units) => {
      reserve(MAX_DEGREES_BYTES);
      if (units < 0) bytes[end++] = MINUS;
      const magnitude = Math.abs(units);
      const whole = Math.floor(magnitude / UNITS_PER_DEGREE);
      let fraction = magnitude - whole * UNITS_PER_DEGREE;
      digits(whole, 1);
      if (fraction === 0) return;
      let width = DECIMALS;
      while (fraction % 10 === 0) {
        fraction /= 10;
        width--;
      }
      bytes[end++] = POINT;
      digits(fraction, width);
    },
    finish: (allocate = allocateAlone) => {
      const body = allocate(end);
      bytes.copy(body, 0, 0, end);
      return body;
    },
  };
}
