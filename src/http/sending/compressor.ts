import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CompressedBodies, Encoding } from './compression.js';

/** Takes about as long as gzip and gives fewer bytes. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;

/** A body of this many bytes, which is made for the compression only if it is needed. */
export interface Uncompressed {
  readonly length: number;
  readonly bytes: () => Buffer;
}

/**
 * Compresses a body, and keeps the result in `forms` if given. Undefined if so many bytes wait already that the body should
 * be sent as it is. Rejects for lack of memory.
 */
export type Compress = (
  body: Uncompressed,
  encoding: Encoding,
  forms: CompressedBodies | undefined,
) => Promise<Buffer> | undefined;

/**
 * Requests for a body that is being compressed share the result, if it is kept; otherwise each of several pipelined requests
 * for a page would start a compression of its own, of 300 KB.
 *
 * No more than `maxBytes` of other bodies wait at a time, one alone of any size. The compression of a large map takes longer
 * than to make it: without a bound, the maps that clients have asked for meanwhile would fill the memory.
 */
export function createCompressor(maxBytes: number): Compress {
  const underWay = new WeakMap<CompressedBodies, Map<Encoding, Promise<Buffer>>>();
  let waitingBytes = 0;

  return (body, encoding, forms) => {
    const ofBody = forms && underWay.get(forms);
    const others = ofBody?.get(encoding);
    if (others) return others;
    if (waitingBytes > 0 && waitingBytes + body.length > maxBytes) return undefined;
    const compressing = compress(body.bytes(), encoding).finally(() => {
      waitingBytes -= body.length;
    });
    // Only now: without memory for its bytes, the body does not wait.
    waitingBytes += body.length;
    return forms ? share(compressing, encoding, forms) : compressing;
  };

  function share(compressing: Promise<Buffer>, encoding: Encoding, forms: CompressedBodies): Promise<Buffer> {
    const ofBody = underWay.get(forms) ?? new Map<Encoding, Promise<Buffer>>();
    underWay.set(forms, ofBody);
    const kept = compressing
      .then((compressed) => {
        forms.set(encoding, compressed);
        return compressed;
      })
      .finally(() => ofBody.delete(encoding));
    ofBody.set(encoding, kept);
    return kept;
  }
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

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
