import { isIP } from 'node:net';
import { hostOf } from '../core/web-url.js';
import { isInsideAddress } from './inside-addresses.js';
import { isOwnAddress } from './own-addresses.js';

/** Where a URL supplied by a client may lead. */
export interface OutboundPolicy {
  readonly httpsOnly: boolean;
  /** Lower-case host names and addresses that are allowed although they are inside. */
  readonly allowedHosts: ReadonlySet<string>;
}

/** Names that mean this machine, whatever a resolver says (RFC 6761). */
const LOCAL_NAME = /(?:^|\.)localhost$/;

/**
 * Why nothing may be sent to a URL, judging by its text alone; undefined if the text is acceptable. `URL` has already
 * normalized numeric hosts: `http://0x7f.1` is 127.0.0.1. What a name resolves to is checked only when connecting.
 */
export function findUrlProblem(url: URL, { httpsOnly, allowedHosts }: OutboundPolicy): string | undefined {
  if (url.protocol !== 'https:' && (httpsOnly || url.protocol !== 'http:')) {
    return httpsOnly ? 'only https is allowed' : 'only http and https are allowed';
  }
  if (url.username !== '' || url.password !== '') return 'user and password are not allowed in the URL';
  // TCP has none: whether the system connects to it or refuses is up to the system.
  if (url.port === '0') return 'there is no port 0';
  const host = hostOf(url);
  if (allowedHosts.has(host)) return undefined;
  if (isIP(host) !== 0 && isInsideAddress(host)) return 'the address is not on the public internet';
  return LOCAL_NAME.test(host) || isOwnAddress(host) ? 'the host is this machine' : undefined;
}
