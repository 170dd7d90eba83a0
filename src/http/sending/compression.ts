import { parseWeights } from '../input/weights.js';

export type Encoding = 'br' | 'gzip';

/** The cached compressed forms of a body that is sent repeatedly. */
export interface CompressedBodies {
  get(encoding: Encoding): Buffer | undefined;
  set(encoding: Encoding, body: Buffer): void;
}

/** A smaller body fits in one packet uncompressed. */
const COMPRESS_MIN_BYTES = 1400;

/**
 * Chooses the encoding for a body of this size, given the client's `Accept-Encoding`; undefined to send the body as it is.
 * Every body of this service is text, so all compress well. If the client weights encodings equally, the smaller form wins.
 */
export function chooseEncoding(accepted: string | undefined, sizeBytes: number): Encoding | undefined {
  if (accepted === undefined || sizeBytes === 0) return undefined;
  const { br, gzip, identity } = preferences(accepted);
  const best = br >= gzip ? 'br' : 'gzip';
  const weight = Math.max(br, gzip);
  if (weight === 0) return undefined;
  // A client that forbids the plain form gets even a small body compressed.
  if (identity === 0) return best;
  return sizeBytes >= COMPRESS_MIN_BYTES && weight >= identity ? best : undefined;
}

/** Whether a client that sends this `Accept-Encoding` takes a body as it is. Almost all do. */
export function acceptsPlain(accepted: string | undefined): boolean {
  return accepted === undefined || preferences(accepted).identity > 0;
}

/** Weights, 0 to 1. */
interface Preferences {
  readonly br: number;
  readonly gzip: number;
  readonly identity: number;
}

let seenHeader = '';
let seenPreferences: Preferences = { br: 0, gzip: 0, identity: 0 };

/** Caches the last header's result, since clients send the same header over and over. */
function preferences(header: string): Preferences {
  if (header !== seenHeader) {
    seenPreferences = parse(header);
    seenHeader = header;
  }
  return seenPreferences;
}

/** Reads `Accept-Encoding` (RFC 9110, 12.5.3). */
function parse(header: string): Preferences {
  const weights = parseWeights(header);
  const others = weights.get('*');
  return {
    br: weights.get('br') ?? others ?? 0,
    gzip: weights.get('gzip') ?? weights.get('x-gzip') ?? others ?? 0,
    // If `identity` is not listed, it is acceptable, but less so than anything that is listed.
    identity: weights.get('identity') ?? (others === 0 ? 0 : Number.MIN_VALUE),
  };
}
