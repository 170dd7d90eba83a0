import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { boundLines } from './bound-lines.js';
import { isInsideAddress } from './inside-addresses.js';
import { isOwnAddress } from './own-addresses.js';
import { skipContinue } from './skip-continue.js';

/** A connection that was refused because it would have led inside. The message names no address. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';

  constructor() {
    super('the host resolves to an address that is not on the public internet');
  }
}

export interface GuardedAgentOptions {
  /** Hosts that may be reached even if they are inside. */
  readonly allowedHosts: ReadonlySet<string>;
  /** The most connections per host and port. */
  readonly maxConnections: number;
  /** For making a connection, including name resolution. */
  readonly connectTimeoutMs: number;
  /** Resolves a host name; `dns.lookup` by default. */
  readonly resolve?: ResolveAll;
}

/** Passes all addresses of a host name to the callback, as `dns.lookup` does. */
export type ResolveAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Makes an agent that keeps connections alive and connects only to the public internet, where this machine's own addresses do
 * not count. It checks the very addresses it connects to, so a name whose resolution changes between check and use gains
 * nothing. One inside address among a name's addresses is enough to refuse the name. It uses no proxy, whatever the environment
 * says, and follows no redirect.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const { allowedHosts, maxConnections, connectTimeoutMs, resolve = resolveName } = options;
  const isAllowed = (host: string): boolean => allowedHosts.has(host.replace(/\.$/, ''));
  const connect = buildConnector({
    lookup: guardedLookup(isAllowed, shareLookups(resolve)),
    timeout: connectTimeoutMs,
  });
  return new Agent({
    connections: maxConnections,
    // The callers have deadlines of their own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      const { hostname } = target;
      // A host that is an IP address is not looked up, so it is checked here.
      if (isIP(hostname) !== 0 && !isAllowed(hostname) && leadsInside(hostname)) {
        callback(new RefusedAddressError(), null);
        return;
      }
      connect(target, (...[error, socket]) => {
        if (error) return callback(error, null);
        boundLines(socket);
        skipContinue(socket);
        callback(null, socket);
      });
    },
  });
}

const leadsInside = (address: string): boolean => isInsideAddress(address) || isOwnAddress(address);

function guardedLookup(isAllowed: (host: string) => boolean, resolve: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '');
      const refused = !isAllowed(hostname) && addresses.some(({ address }) => leadsInside(address));
      if (refused) return callback(new RefusedAddressError(), '');
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/**
 * Lets those who ask for a name while it is being resolved wait for the same answer: libuv resolves few names at a time, and
 * one whose name server does not answer holds its place for long, also when nobody waits for it any more.
 */
function shareLookups(resolve: ResolveAll): ResolveAll {
  const waiting = new Map<string, Parameters<ResolveAll>[2][]>();
  return (hostname, options, callback) => {
    const question = JSON.stringify([hostname, options]);
    const others = waiting.get(question);
    if (others) {
      others.push(callback);
      return;
    }
    const callbacks = [callback];
    waiting.set(question, callbacks);
    resolve(hostname, options, (error, addresses) => {
      waiting.delete(question);
      for (const tell of callbacks) tell(error, addresses);
    });
  };
}
