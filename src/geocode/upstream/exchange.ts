import { readBoundedText } from '../../outbound/bounded-body.js';
import { parseRetryAfter } from '../../outbound/retry-after.js';
import type { GeocoderName } from '../geocoder.js';
import { UpstreamError } from './upstream-error.js';

/** One question to an upstream geocoder. */
export interface UpstreamRequest {
  readonly url: URL;
  /** Posted as multipart form data; without it the request is a GET. */
  readonly form?: FormData;
  /** Media type of the answer. */
  readonly accept: 'application/json' | 'text/csv';
}

/** Answers are some kilobytes, also to 50 addresses; what is longer is not read to its end. */
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface ExchangeOptions {
  readonly geocoder: GeocoderName;
  readonly fetch: typeof fetch;
  readonly userAgent: string;
  /** Covers the whole exchange, the answer's body included. */
  readonly signal: AbortSignal;
}

/** Asks once and gives the body of a 200. Redirects are not followed: the address would travel along. Throws UpstreamError. */
export async function exchange(request: UpstreamRequest, options: ExchangeOptions): Promise<string> {
  const { geocoder, signal } = options;
  try {
    const response = await options.fetch(request.url, {
      method: request.form ? 'POST' : 'GET',
      headers: { accept: request.accept, 'accept-language': 'en', 'user-agent': options.userAgent },
      body: request.form ?? null,
      redirect: 'manual',
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      const restMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
      throw new UpstreamError(geocoder, `status-${response.status}`, restMs);
    }
    return await readAnswer(response, geocoder);
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError(geocoder, signal.aborted ? 'timeout' : 'unreachable');
  }
}

async function readAnswer(response: Response, geocoder: GeocoderName): Promise<string> {
  // A page of a proxy, or of a service that is being mended.
  if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    throw new UpstreamError(geocoder, 'html');
  }
  const text = await readBoundedText(response, MAX_ANSWER_BYTES);
  if (text === undefined) throw new UpstreamError(geocoder, 'too-large');
  return text;
}
