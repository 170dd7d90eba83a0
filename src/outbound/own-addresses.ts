import { networkInterfaces } from 'node:os';

/**
 * Whether an IP address, as text, is one of this machine's own. A server can have a public address itself, and what only a
 * firewall keeps from others is open to whoever connects to that from here.
 */
export function isOwnAddress(address: string): boolean {
  return Object.values(interfaces()).some((own) => own?.some((one) => one.address === address));
}

function interfaces(): ReturnType<typeof networkInterfaces> {
  try {
    return networkInterfaces();
  } catch {
    // A sandbox may keep them from the process.
    return {};
  }
}
