import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { parseWeights } from '../input/weights.js';

export type Encoding = 'br' | 'gzip';

/** The cached compressed forms of a body that is sent repeatedly. */
export interface CompressedBodies {
  get(encoding: Encoding): Buffer | undefined;
  set(encoding: Encoding, body: Buffer): void;
}

/** A smaller body fits in one packet uncompressed. */
const COMPRESS_MIN_BYTES = 1400;
/** Takes about as long as gzip and gives fewer bytes. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;

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

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const underWay = new WeakMap<CompressedBodies, Map<Encoding, Promise<Buffer>>>();

/**
 * Compresses a body that may be sent again. Requests that arrive while the compression is running share it; otherwise each
 * of several pipelined requests for a page would start a compression of its own, of 300 KB.
 */
export function compressShared(
  body: () => Buffer,
  encoding: Encoding,
  forms: CompressedBodies | undefined,
): Promise<Buffer> {
  if (!forms) return compress(body(), encoding);
  const ofBody = underWay.get(forms) ?? new Map<Encoding, Promise<Buffer>>();
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

/** Compresses in libuv's thread pool. */
async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
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
