import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { parseWeights } from '../input/weights.js';

export type Encoding = 'br' | 'gzip';

/** Compressed forms of one body, kept where it is sent again. */
export interface CompressedBodies {
  get(encoding: Encoding): Uint8Array | undefined;
  set(encoding: Encoding, body: Uint8Array): void;
}

/** A smaller body fits in one packet as it is. */
const COMPRESS_MIN_BYTES = 1400;
/** About gzip's time, for fewer bytes. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;

/**
 * How a body of that size is sent to a client that accepts this; undefined for as it is. Every body of this service is
 * text, so all compress. Of what the client likes equally, the smaller is taken.
 */
export function chooseEncoding(accepted: string | undefined, sizeBytes: number): Encoding | undefined {
  if (accepted === undefined || sizeBytes === 0) return undefined;
  const { br, gzip, identity } = preferences(accepted);
  const best = br >= gzip ? 'br' : 'gzip';
  const weight = Math.max(br, gzip);
  if (weight === 0) return undefined;
  // A client may forbid the plain form whatever its size.
  if (identity === 0) return best;
  return sizeBytes >= COMPRESS_MIN_BYTES && weight >= identity ? best : undefined;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const underWay = new WeakMap<CompressedBodies, Map<Encoding, Promise<Uint8Array>>>();

/**
 * Compresses a body that may be sent again, once however many ask for it meanwhile: pipelined requests for one page would
 * else have a compression each, of 300 KB.
 */
export function compressShared(
  body: () => Uint8Array,
  encoding: Encoding,
  forms: CompressedBodies | undefined,
): Promise<Uint8Array> {
  if (!forms) return compress(body(), encoding);
  const ofBody = underWay.get(forms) ?? new Map<Encoding, Promise<Uint8Array>>();
  underWay.set(forms, ofBody);
  const others = ofBody.get(encoding);
  if (others) return others;
  const compressing = compress(body(), encoding).then((compressed) => {
    forms.set(encoding, compressed);
    return compressed;
  });
  ofBody.set(encoding, compressing);
  const end = (): void => {
    ofBody.delete(encoding);
  };
  compressing.then(end, end);
  return compressing;
}

/** Compresses on a thread of the runtime's. */
async function compress(body: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return await compressGzip(body, { level: GZIP_LEVEL });
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
  };
  return await compressBrotli(body, { params });
}

/** Weights, 0 to 1. */
interface Preferences {
  readonly br: number;
  readonly gzip: number;
  readonly identity: number;
}

let seenHeader = '';
let seenPreferences: Preferences = { br: 0, gzip: 0, identity: 0 };

/** Clients send the same header over and over: the last one's reading is kept. */
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
    // Unless it is named it is welcome, but less so than anything that is.
    identity: weights.get('identity') ?? (others === 0 ? 0 : Number.MIN_VALUE),
  };
}
