import { UNITS_PER_DEGREE } from '../core/coordinates.js';
import { copyText, targetOf } from '../format/copy-text.js';
import { type Allocate, allocateAlone } from './body-writer.js';

const DECIMALS = Math.log10(UNITS_PER_DEGREE);
/** `-180.1234567` */
const MAX_DEGREES_BYTES = 12;
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];
const INITIAL_BYTES = 64 * 1024;

/**
 * A growing buffer of UTF-8 text, for bodies whose size is known only at the end. Writes coordinates digit by digit from
 * integers: formatting doubles takes five times as long. A class for the reason given in geocode/match/candidates.ts: here V8
 * would retain the whole buffer.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #target = targetOf(this.#bytes);
  #end = 0;

  /** Begins another text; nothing is left of one that could not be finished. */
  clear(): void {
    this.#end = 0;
  }

  text(text: string): void {
    // UTF-8 takes at most three bytes per UTF-16 code unit.
    this.#reserve(text.length * 3);
    this.#end += this.#bytes.write(text, this.#end, 'utf8');
  }

  /** Copies the UTF-8 text from `from` up to, not including, `to`. */
  copy(source: DataView, from: number, to: number): void {
    const length = to - from;
    this.#reserve(length);
    copyText(source, from, this.#target, this.#target.start + this.#end, length);
    this.#end += length;
  }

  /** Writes an ASCII character, given by its code: ten times as fast as a call of `text`. */
  character(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#end++] = code;
  }

  /** Writes a coordinate, given in 1e-7 degrees, in degrees with as many decimals as it needs. */
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

  /** Returns the text in newly allocated memory of its exact size. */
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
    this.#target = targetOf(larger);
  }

  /** Writes a whole number with `width` digits. */
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
