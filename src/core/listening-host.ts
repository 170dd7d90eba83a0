import { isIP } from 'node:net';
import { isLoopbackName } from './loopback.js';

/** Addresses that stand for all of a machine; the one of IPv6 takes IPv4's as well. */
const ALL_IPV6 = '::';
const ALL_IPV4 = '0.0.0.0';
/** What `localhost` is resolved to. */
const LOCALHOST = new Set(['127.0.0.1', '::1']);

/**
 * Whether one port can be listened on at only one of two hosts, because they are, or contain, the same address. Names
 * are not resolved: two different ones, or a name and an address, are taken for two addresses, but for `localhost`.
 */
export function isSameListener(one: string, other: string): boolean {
  const hosts = [canonical(one), canonical(other)] as const;
  const [first, second] = hosts;
  if (first === second || hosts.includes(ALL_IPV6)) return true;
  if (hosts.includes(ALL_IPV4)) return hosts.every((host) => isIP(host) !== 6);
  return hosts.includes('localhost') && hosts.some((host) => LOCALHOST.has(host));
}

function canonical(host: string): string {
  if (isLoopbackName(host)) return 'localhost';
  const url = isIP(host) === 6 ? `http://[${host}]/` : '';
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : host.toLowerCase();
}
