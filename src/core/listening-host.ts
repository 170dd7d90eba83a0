import { isIP } from 'node:net';
import { isLoopbackName } from './loopback.js';

/** Wildcard addresses, which stand for all of a machine's; the IPv6 one takes IPv4 connections as well. */
const ALL_IPV6 = '::';
const ALL_IPV4 = '0.0.0.0';
/** The addresses that `localhost` resolves to. */
const LOCALHOST = new Set(['127.0.0.1', '::1']);

/**
 * Whether one port cannot be listened on at both hosts, because they are the same address, or one includes the other.
 * Names are not resolved: two different names, or a name and an address, count as two addresses, except for `localhost`.
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
