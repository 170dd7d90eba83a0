import { readBoundedText } from '../outbound/bounded-body.js';
import { parseRetryAfter } from '../outbound/retry-after.js';
import type { ProviderRequest } from './providers.js';

/** Why a provider gave no usable text. A closed list, so that no message can carry a key or a piece of an answer. */
export type ProviderFailure =
  | 'busy'
  | 'timeout'
  | 'unreachable'
  | `status-${number}`
  | 'too-large'
  | 'not-json'
  | 'no-text'
  | 'too-long'
  | 'cooling-down';

/** A provider's failure. It has no cause: what fetch throws can quote a header, and with it the API key. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    readonly reason: ProviderFailure,
    /** How long the provider asked to be left alone. */
    readonly restMs?: number,
  ) {
    super(`the narrative provider failed: ${reason}`);
  }
}

/** Answers are a few kilobytes; what is longer is not read to its end. */
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * Posts a request and gives the parsed JSON answer. The signal covers the whole exchange. Redirects are refused, because
 * the key would travel along. Throws ProviderError.
 */
export async function callProvider(
  fetcher: typeof fetch,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const response = await fetcher(request.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...request.headers },
      body: JSON.stringify(request.body),
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      const restMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
      throw new ProviderError(`status-${response.status}`, restMs);
    }
    const text = await readBoundedText(response, MAX_ANSWER_BYTES);
    if (text === undefined) throw new ProviderError('too-large');
    return parseJson(text);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(signal.aborted ? 'timeout' : 'unreachable');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError('not-json');
  }
}
