import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackName } from '../core/loopback.js';

/** The response to a request that is not let in. */
export interface Refusal {
  readonly status: 401 | 403 | 404 | 405 | 413 | 415;
  readonly message: string;
}

export interface GateOptions {
  readonly hasToken: (authorization: string | undefined) => boolean;
  /** Host names by which clients may reach the plane, besides loopback names and IP addresses. */
  readonly hostNames: readonly string[];
  readonly bodyMaxBytes: number;
}

const NO_TOKEN = 'Missing token. Send it as Authorization: Bearer <token>.';
const WRONG_TOKEN = 'Wrong token: it is not the admin token of this service.';

/**
 * Decides from a request's head alone whether it reaches the procedures. The token is checked first: a client without the
 * right one learns nothing else. The other checks stop requests that carry the token against its owner's will, from a
 * browser that a web page has directed here.
 */
export function createGate({ hasToken, hostNames, bodyMaxBytes }: GateOptions) {
  const names = new Set(hostNames.map((name) => name.toLowerCase()));
  return ({ headers, method, url = '' }: IncomingMessage): Refusal | undefined => {
    if (!hasToken(headers.authorization)) {
      return { status: 401, message: carriesToken(headers.authorization) ? WRONG_TOKEN : NO_TOKEN };
    }
    // In DNS rebinding, a page's own host name resolves to this machine, but Host still carries that name; IPs are safe.
    if (!isTrustedHost(headers.host, names)) {
      return {
        status: 403,
        message: 'This Host header is not allowed. Use the IP address, or add the name to ADMIN_ALLOWED_HOSTS.',
      };
    }
    // Browsers send these headers to identify the page that asks; programs do not.
    if (headers.origin !== undefined || isFromPage(headers['sec-fetch-site'])) {
      return { status: 403, message: 'Requests from web pages are not allowed.' };
    }
    // Other paths name no procedures, and URL parsers take some of them for another host.
    if (!/^\/[\w.,%-]*(?:\?|$)/.test(url)) return { status: 404, message: 'No such procedure.' };
    if (method !== 'GET' && method !== 'POST')
      return { status: 405, message: 'Use GET for queries and POST for changes.' };
    // Browsers send some other types cross-origin without a preflight.
    if (method === 'POST' && !/^application\/json(?:;|$)/i.test(headers['content-type'] ?? '')) {
      return { status: 415, message: 'The body must be application/json.' };
    }
    if (Number(headers['content-length'] ?? 0) > bodyMaxBytes) {
      return { status: 413, message: `The body exceeds ${bodyMaxBytes} bytes.` };
    }
    return undefined;
  };
}

/** Whether the header carries a token at all, right or wrong. */
function carriesToken(authorization: string | undefined): boolean {
  return /^bearer +\S/i.test(authorization ?? '');
}

/** Whether a Host header, `name:port`, `address:port` or `[address]:port`, may name this plane. */
function isTrustedHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^:/@[\]]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  if (plain === undefined) return false;
  return isIP(plain) === 4 || isLoopbackName(plain) || names.has(plain.toLowerCase());
}

function isFromPage(site: string | string[] | undefined): boolean {
  return site !== undefined && site !== 'none';
}
