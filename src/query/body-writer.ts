import { writeHundredths } from './hundredths.js';

/** ASCII characters that bodies are put together with. */
export const [COMMA, OPENING_BRACE, CLOSING_BRACE] = [0x2c, 0x7b, 0x7d];

/** Puts a body together whose size is known. */
export interface BodyWriter {
  ascii(text: string): void;
  character(code: number): void;
  bytes(piece: Uint8Array): void;
  /** A number of hundredths as JSON. */
  hundredths(hundredths: number): void;
  /** The body, in a buffer to itself, so that a thread can hand it to another without a copy. */
  finish(): Uint8Array;
}

/** A writer of exactly so many bytes. `finish` throws where it was other than that: a bug in the caller. */
export function createBodyWriter(sizeBytes: number): BodyWriter {
  const body = Buffer.allocUnsafeSlow(sizeBytes);
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
    hundredths: (hundredths) => {
      end = writeHundredths(body, end, hundredths);
    },
    finish: () => {
      if (end !== sizeBytes) throw new Error(`a body of ${end} bytes was to have ${sizeBytes}`);
      return body;
    },
  };
}
