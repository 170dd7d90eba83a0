import { UNITS_PER_DEGREE } from '../../core/coordinates.js';
import { type Allocate, allocateAlone } from '../body-writer.js';

const DECIMALS = Math.log10(UNITS_PER_DEGREE);
/** `-180.1234567` */
const MAX_DEGREES_BYTES = 12;
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];
const INITIAL_BYTES = 64 * 1024;

/**
 * UTF-8 text that grows as it is written. Spells coordinates out of integers, digit by digit: formatting doubles takes five
 * times as long. A class for the reason that geocode/match/candidates.ts gives: here it is the whole buffer that is kept.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #end = 0;

  /** How many bytes there are. */
  get sizeBytes(): number {
    return this.#end;
  }

  text(text: string): void {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    this.#reserve(text.length * 3);
    this.#end += this.#bytes.write(text, this.#end, 'utf8');
  }

  /** An ASCII character, by its code: a call of `text` takes as long as ten of these. */
  character(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#end++] = code;
  }

  /** A coordinate given in 1e-7 degrees, in degrees with as many decimals as it needs. */
  degrees(units: number): void {
    this.#reserve(MAX_DEGREES_BYTES);
    if (units < 0) this.#bytes[this.#end++] = MINUS;
    const magnitude = Math.abs(units);
    const whole = Math.floor(magnitude / UNITS_PER_DEGREE);
    let fraction = magnitude - whole * UNITS_PER_DEGREE;
    this.#digits(whole, whole < 10 ? 1 : whole < 100 ? 2 : 3);
    if (fraction === 0) return;
    let width = DECIMALS;
    while (fraction % 10 === 0) {
      fraction /= 10;
      width--;
    }
    this.#bytes[this.#end++] = POINT;
    this.#digits(fraction, width);
  }

  /** What was written, in memory of its size. */
  finish(allocate: Allocate = allocateAlone): Uint8Array {
    const body = allocate(this.#end);
    this.#bytes.copy(body, 0, 0, this.#end);
    return body;
  }

  #reserve(size: number): void {
    const end = this.#end + size;
    if (end <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, end));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  /** A whole number in so many digits. */
  #digits(value: number, width: number): void {
    const bytes = this.#bytes;
    let rest = value;
    for (let at = this.#end + width - 1; at >= this.#end; at--) {
      const next = Math.floor(rest / 10);
      bytes[at] = ZERO + rest - next * 10;
      rest = next;
    }
    this.#end += width;
  }
}
