import { unescape as decodePercent } from 'node:querystring';
import { EnvHttpProxyAgent } from 'undici';
import { messageOf } from '../../core/message-of.js';
import { systemCode } from '../../core/system-code.js';
import { isWebUrl } from '../../core/web-url.js';
import { LONGEST_REST_MS, parseRetryAfter } from '../../outbound/retry-after.js';
import { type Exchange, exchange } from './exchange.js';
import { FetchError, FetchSetupError } from './fetch-error.js';

/** The proxies to use; an empty string for none. */
export interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts that are contacted directly, comma-separated, as in `NO_PROXY`. */
  readonly noProxy: string;
}

export interface HttpRequest {
  /** With user name and password, if the server wants them. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Hosts, with port, that a redirect may lead to. */
  readonly allowedHosts: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** A response with status 200, 206, 304 or 416; any other, and compressed content, is thrown as a `FetchError`. */
export interface HttpAnswer extends Exchange {
  readonly status: 200 | 206 | 304 | 416;
}

export interface HttpClient {
  get(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

const MOST_REDIRECTS = 5;
/** A server that sends no byte for this long is given up on; a slow one that sends something is not. */
const SILENCE_TIMEOUT_MS = 60_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MISSING = new Set([404, 410]);
const TRANSIENT = new Set([408, 425, 429]);

/**
 * A client that takes files as they are, without decompression, and follows redirects only to allowed hosts. Throws
 * `FetchSetupError` if a proxy's address is not a URL.
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

  async function send(url: string, { url: asked, headers, signal }: HttpRequest): Promise<Exchange> {
    const own = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' };
    const plain = { ...own, ...credentials(new URL(asked), new URL(url)), ...headers };
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
        if (status === 200 || status === 206) return { ...requirePlain(answer), status };
        if (status === 304 || status === 416) return { ...answer, status };
        // The body of a redirect or an error is not used.
        answer.discard();
        if (!REDIRECTS.has(status)) throw failureOf(status, header('retry-after'));
        if (redirects === MOST_REDIRECTS) throw new FetchError('moved', `more than ${MOST_REDIRECTS} redirects`);
        url = redirectTarget(header('location'), url, asked.allowedHosts);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Refuses compressed content: lengths, ranges and checksums would refer to other bytes than the file's. */
function requirePlain(answer: Exchange): Exchange {
  const encoding = answer.header('content-encoding') ?? 'identity';
  if (encoding === 'identity') return answer;
  answer.discard();
  throw new FetchError('refused', `the server sent it with encoding ${encoding} although none was requested`);
}

/** The header for the user name and password in the URL that was asked for, unless a redirect led to another server. */
function credentials({ username, password, origin }: URL, target: URL): Record<string, string> {
  if (target.origin !== origin || (username === '' && password === '')) return {};
  const pair = Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`);
  return { authorization: `Basic ${pair.toString('base64')}` };
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
  const restMs = parseRetryAfter(retryAfter ?? null, Date.now(), Number.POSITIVE_INFINITY);
  if (MISSING.has(status)) return new FetchError('missing', `not found (${status})`);
  if (TRANSIENT.has(status) || status >= 500) {
    if (restMs === undefined || restMs <= LONGEST_REST_MS) {
      return new FetchError('transient', `the server answered ${status}`, { restMs });
    }
    return new FetchError(
      'resting',
      `the server answered ${status} and asks not to be contacted ${untilAfter(restMs)}`,
    );
  }
  if (status === 401 || status === 403) return new FetchError('refused', `the server refused access (${status})`);
  return new FetchError('refused', `the server answered ${status}`);
}

function untilAfter(restMs: number): string {
  const minutes = Math.ceil(restMs / 60_000);
  return minutes > 24 * 60 ? 'for more than a day' : `for ${minutes} minutes`;
}

/** Follows no redirect from https to http, and only to known hosts: a file from elsewhere would not be the agency's. */
function redirectTarget(location: string | undefined, from: string, allowedHosts: ReadonlySet<string>): string {
  if (location === undefined || !URL.canParse(location, from)) {
    throw new FetchError('refused', 'the server redirected without a valid address');
  }
  const target = new URL(location, from);
  const isSecure = target.protocol === 'https:' || (target.protocol === 'http:' && from.startsWith('http:'));
  if (isSecure && allowedHosts.has(target.host)) return target.href;
  // Without its query, which may hold a signature.
  const where = `${target.protocol}//${target.host}${target.pathname}`;
  const why = isSecure ? 'datasets/sources.json does not name that host' : 'that is not https';
  throw new FetchError('moved', `it moved to ${where}, but the redirect is not followed: ${why}`);
}

/** Turns the error of a request or its body into a `FetchError`: network errors are transient. */
export function asNetworkError(error: unknown, signal: AbortSignal): FetchError {
  if (signal.aborted) return new FetchError('stopped', 'stopped', { cause: error });
  const code = systemCode(error);
  const text = messageOf(error) || 'the connection failed';
  return new FetchError('transient', code === undefined ? text : `${text} (${code})`, { cause: error });
}
