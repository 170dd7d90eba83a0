import { CallError } from './call-error.js';
import { parseRetryAfter } from './retry-after.js';

/** One request to another service. */
export interface TextRequest {
  readonly url: URL | string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST; without it the request is a GET. */
  readonly body?: FormData | string | undefined;
}

export interface TextRequestOptions {
  readonly fetch: typeof fetch;
  /** A longer response body is not read to its end. */
  readonly maxBytes: number;
  /** Covers the whole exchange, including the response body. */
  readonly signal: AbortSignal;
}

/**
 * Makes one request and returns the body of a 200 response. Redirects are not followed: the queried address and the API key
 * would be sent along. Throws {@link CallError}.
 */
export async function requestText(request: TextRequest, options: TextRequestOptions): Promise<string> {
  const { url, headers, body } = request;
  const { maxBytes, signal } = options;
  try {
    const response = await options.fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      const restMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
      throw new CallError(`status-${response.status}`, restMs);
    }
    return await readAnswer(response, maxBytes);
  } catch (error) {
    if (error instanceof CallError) throw error;
    throw new CallError(signal.aborted ? 'timeout' : 'unreachable');
  }
}

async function readAnswer(response: Response, maxBytes: number): Promise<string> {
  // A proxy's page, or a service's maintenance page.
  if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    throw new CallError('html');
  }
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new CallError('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
