import { copyText, targetOf } from '../format/copy-text.js';
import { writeHundredths } from './hundredths.js';

/** Allocates uninitialized memory for a body. A thread that answers several searches places their bodies side by side. */
export type Allocate = (sizeBytes: number) => Buffer;

/** Allocates each body by itself. */
export const allocateAlone: Allocate = (sizeBytes) => Buffer.allocUnsafeSlow(sizeBytes);

/** A value as UTF-8 JSON. */
export function jsonBody(value: unknown, allocate: Allocate): Uint8Array {
  const text = JSON.stringify(value);
  const body = allocate(Buffer.byteLength(text));
  body.write(text, 'utf8');
  return body;
}

/** Assembles a body of known size. */
export interface BodyWriter {
  ascii(text: string): void;
  character(code: number): void;
  bytes(piece: Uint8Array): void;
  /** Copies the UTF-8 text from `from` up to, not including, `to`. */
  copy(source: DataView, from: number, to: number): void;
  /** Appends a number of hundredths as JSON. */
  hundredths(hundredths: number): void;
  /** The body, in the memory that was allocated for it. */
  finish(): Uint8Array;
}

/** A writer for a body of exactly `sizeBytes`. `finish` throws if another size was written, which is a bug in the caller. */
export function createBodyWriter(sizeBytes: number, allocate: Allocate): BodyWriter {
  const body = allocate(sizeBytes);
  const target = targetOf(body);
  let end = 0;
  return {
    ascii: (text) => {
      end += body.write(text, end, 'latin1');
    },
    character: (code) => {
      body[end++] = code;
    },
    bytes: (piece) => {
      body.set(piece, end);
      end += piece.length;
    },
    copy: (source, from, to) => {
      copyText(source, from, target, target.start + end, to - from);
      end += to - from;
    },
    hundredths: (hundredths) => {
      end = writeHundredths(body, end, hundredths);
    },
    finish: () => {
      if (end !== sizeBytes) throw new Error(`a body of ${end} bytes was to have ${sizeBytes}`);
      return body;
    },
  };
}
