import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isInsideAddress } from './inside-addresses.js';

/** A connection that was not made, since it would have led inside. The message names no address. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';

  constructor() {
    super('the host leads to an address that is not on the public internet');
  }
}

export interface GuardedAgentOptions {
  /** Hosts that may be inside. */
  readonly allowedHosts: ReadonlySet<string>;
  /** To one host and port. */
  readonly maxConnections: number;
  /** Until a connection is made, the search for its address included. */
  readonly connectTimeoutMs: number;
  /** Finds a name's addresses; the system's way unless told. */
  readonly resolve?: ResolveAll;
}

/** All addresses of a name, by callback, as `dns.lookup` gives them. */
export type ResolveAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Keeps connections alive and connects to the public internet alone. The very addresses that are connected to are
 * checked, so that a name that changes its mind between check and use gains nothing. One bad address among a name's
 * several is enough to refuse them all. It asks no proxy, whatever the environment says, and follows no redirect.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const { allowedHosts, maxConnections, connectTimeoutMs, resolve = resolveName } = options;
  const isAllowed = (host: string): boolean => allowedHosts.has(host.replace(/\.$/, ''));
  const connect = buildConnector({ lookup: guardedLookup(isAllowed, resolve), timeout: connectTimeoutMs });
  return new Agent({
    connections: maxConnections,
    // Who waits for an answer has a deadline of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      const { hostname } = target;
      // Where the host is an address already, nothing is looked up.
      if (isIP(hostname) === 0 || isAllowed(hostname) || !isInsideAddress(hostname)) connect(target, callback);
      else callback(new RefusedAddressError(), null);
    },
  });
}

function guardedLookup(isAllowed: (host: string) => boolean, resolve: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '');
      const refused = !isAllowed(hostname) && addresses.some(({ address }) => isInsideAddress(address));
      if (refused) return callback(new RefusedAddressError(), '');
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
