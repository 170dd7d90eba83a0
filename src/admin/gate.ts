import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackName } from '../core/loopback.js';

/** Why a request is not let in. */
export interface Refusal {
  readonly status: 401 | 403 | 404 | 405 | 413 | 415;
  readonly message: string;
}

export interface GateOptions {
  readonly hasToken: (authorization: string | undefined) => boolean;
  /** Names beside loopback ones and IP addresses that clients may reach the plane by. */
  readonly hostNames: readonly string[];
  readonly bodyMaxBytes: number;
}

const NO_TOKEN = 'A token is needed: Authorization: Bearer <token>.';
const WRONG_TOKEN = 'The token is wrong: it is another one than this service’s.';

/**
 * Decides from its head alone whether a request comes near a procedure. The token comes first: whoever has none, or
 * another, learns nothing but that. What is left are requests that carry the token without its owner's will: a browser
 * that was led here.
 */
export function createGate({ hasToken, hostNames, bodyMaxBytes }: GateOptions) {
  const names = new Set(hostNames.map((name) => name.toLowerCase()));
  return ({ headers, method, url = '' }: IncomingMessage): Refusal | undefined => {
    if (!hasToken(headers.authorization)) {
      return { status: 401, message: carriesToken(headers.authorization) ? WRONG_TOKEN : NO_TOKEN };
    }
    // A page that has its own name resolve to this machine still sends that name (DNS rebinding); an address has no owner.
    if (!isTrustedHost(headers.host, names)) {
      return { status: 403, message: 'This Host is not served. Use the IP address, or set ADMIN_ALLOWED_HOSTS.' };
    }
    // Browsers name the page that asks; programs do not.
    if (headers.origin !== undefined || isFromPage(headers['sec-fetch-site'])) {
      return { status: 403, message: 'Requests of web pages are not served.' };
    }
    // Anything else is no list of procedures; some of it is taken for another host by who parses URLs.
    if (!/^\/[\w.,%-]*(?:\?|$)/.test(url)) return { status: 404, message: 'There is nothing of that name.' };
    if (method !== 'GET' && method !== 'POST') return { status: 405, message: 'GET asks, POST changes.' };
    // Other types need no leave of a browser to be sent from anywhere.
    if (method === 'POST' && !/^application\/json(?:;|$)/i.test(headers['content-type'] ?? '')) {
      return { status: 415, message: 'The body must be application/json.' };
    }
    if (Number(headers['content-length'] ?? 0) > bodyMaxBytes) {
      return { status: 413, message: `The body is over ${bodyMaxBytes} bytes.` };
    }
    return undefined;
  };
}

/** Whether there is any token at all, right or wrong. */
function carriesToken(authorization: string | undefined): boolean {
  return /^bearer +\S/i.test(authorization ?? '');
}

/** Whether `name:port`, `address:port` or `[address]:port` is this plane's own. */
function isTrustedHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^:/@[\]]+))(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  if (plain === undefined) return false;
  return isIP(plain) === 4 || isLoopbackName(plain) || names.has(plain.toLowerCase());
}

function isFromPage(site: string | string[] | undefined): boolean {
  return site !== undefined && site !== 'none';
}
