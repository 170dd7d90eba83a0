import { isIP } from 'node:net';

/** Whether only this machine can reach what listens on a host. Names other than `localhost` are assumed to be public. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  if (isIP(host) === 6) return host === '::1' || /^::ffff:127\./i.test(host);
  return isLoopbackName(host);
}

/** Whether a name is one that every resolver maps to the loopback address (RFC 6761). */
export function isLoopbackName(name: string): boolean {
  return /^(?:[a-z0-9-]+\.)*localhost\.?$/i.test(name);
}
