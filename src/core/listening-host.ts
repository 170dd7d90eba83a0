import { isIP } from 'node:net';
import { isLoopbackName } from './loopback.js';

/** Wildcard addresses, which stand for all of a machine's; the IPv6 one takes IPv4 connections as well. */
const ALL_IPV6 = '::';
const ALL_IPV4 = '0.0.0.0';
/** The addresses that `localhost` resolves to. */
const LOCALHOST = new Set(['127.0.0.1', '::1']);

/** Whether a host to listen on stands for all of the machine's addresses, so that no client can use it as an address. */
export function isEveryAddress(host: string): boolean {
  const address = canonical(host);
  return address === ALL_IPV4 || address === ALL_IPV6;
}

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
  return URL.canParse(url) ? unmapped(new URL(url).hostname.slice(1, -1)) : host.toLowerCase();
}

/** The IPv4 address in an IPv4-mapped one (RFC 4291, 2.5.5.2): whoever listens on one of the two has the other. */
function unmapped(ipv6: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(ipv6) ?? [];
  if (high === undefined || low === undefined) return ipv6;
  return [high, low].flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 0xff]).join('.');
}
