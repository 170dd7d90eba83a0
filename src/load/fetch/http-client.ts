import { EnvHttpProxyAgent } from 'undici';
import { isWebUrl } from '../../core/web-url.js';
import { parseRetryAfter } from '../../outbound/retry-after.js';
import { type Exchange, exchange } from './exchange.js';
import { FetchError, FetchSetupError } from './fetch-error.js';

/** Where requests go through; empty texts for no proxy. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts that are asked directly, comma-separated, as `NO_PROXY` has them. */
  readonly noProxy: string;
}

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Hosts, with port, that a redirect may lead to. */
  readonly allowedHosts: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** An answer of 200, 206, 304 or 416; any other has become a `FetchError`. */
export interface HttpAnswer extends Exchange {
  readonly status: 200 | 206 | 304 | 416;
}

export interface HttpClient {
  get(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

const MOST_REDIRECTS = 5;
/** Without any byte for so long, a server is given up. A slow one that sends something is not. */
const SILENCE_TIMEOUT_MS = 60_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MISSING = new Set([404, 410]);
const TRANSIENT = new Set([408, 425, 429]);

/**
 * A client that takes files as they are: no decompression, and redirects only where they may lead. Throws
 * `FetchSetupError` where a proxy's address is none.
 */
export function createHttpClient(
  proxy: ProxySettings,
  userAgent: string,
  silenceTimeoutMs = SILENCE_TIMEOUT_MS,
): HttpClient {
  checkProxy(proxy);
  const dispatcher = new EnvHttpProxyAgent({
    ...proxy,
    headersTimeout: silenceTimeoutMs,
    bodyTimeout: silenceTimeoutMs,
  });

  async function send(url: string, { headers, signal }: HttpRequest): Promise<Exchange> {
    const plain = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', ...headers };
    try {
      return await exchange(dispatcher, new URL(url), plain, signal, silenceTimeoutMs);
    } catch (error) {
      throw asNetworkError(error, signal);
    }
  }

  return {
    get: async (asked) => {
      let url = asked.url;
      for (let redirects = 0; ; redirects++) {
        const answer = await send(url, asked);
        const { status, header } = answer;
        if (status === 200 || status === 206 || status === 304 || status === 416) return { ...answer, status };
        // What a failure says in its body is for nobody.
        answer.discard();
        if (!REDIRECTS.has(status)) throw failureOf(status, header('retry-after'));
        if (redirects === MOST_REDIRECTS) throw new FetchError('moved', `more than ${MOST_REDIRECTS} redirects`);
        url = redirectTarget(header('location'), url, asked.allowedHosts);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function checkProxy({ httpProxy, httpsProxy }: ProxySettings): void {
  const wrong = [
    ...(httpProxy === '' || isWebUrl(httpProxy) ? [] : ['HTTP_PROXY']),
    ...(httpsProxy === '' || isWebUrl(httpsProxy) ? [] : ['HTTPS_PROXY']),
  ];
  if (wrong.length === 0) return;
  // Their values are not shown: they may hold a password.
  throw new FetchSetupError(`${wrong.join(' and ')} must be an http or https URL`);
}

function failureOf(status: number, retryAfter: string | undefined): FetchError {
  const restMs = parseRetryAfter(retryAfter ?? null, Date.now());
  if (MISSING.has(status)) return new FetchError('missing', `nothing there (${status})`);
  if (TRANSIENT.has(status) || status >= 500) {
    return new FetchError('transient', `the server answered ${status}`, { restMs });
  }
  if (status === 401 || status === 403) return new FetchError('refused', `the server refuses it (${status})`);
  return new FetchError('refused', `the server answered ${status}`);
}

/** Never from https to http, and to hosts that are known alone: a file from elsewhere would not be the agency's. */
function redirectTarget(location: string | undefined, from: string, allowedHosts: ReadonlySet<string>): string {
  if (location === undefined || !URL.canParse(location, from)) {
    throw new FetchError('refused', 'the server redirects to nowhere');
  }
  const target = new URL(location, from);
  const isSecure = target.protocol === 'https:' || (target.protocol === 'http:' && from.startsWith('http:'));
  if (isSecure && allowedHosts.has(target.host)) return target.href;
  // Without its query, which may be signed.
  const where = `${target.protocol}//${target.host}${target.pathname}`;
  const why = isSecure ? 'datasets/sources.json does not name that host' : 'that is not https';
  throw new FetchError('moved', `it moved to ${where}, which is not followed: ${why}`);
}

/** What a request or its body failed with: what goes wrong on the way may go right the next time. */
export function asNetworkError(error: unknown, signal: AbortSignal): FetchError {
  if (signal.aborted) return new FetchError('stopped', 'stopped', { cause: error });
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const text = error instanceof Error ? error.message : String(error);
  return new FetchError('transient', `${text || 'the connection failed'}${code}`, { cause: error });
}
