import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGuardedAgent, type ResolveAll } from '../../../src/outbound/guarded-agent.js';
import { findUrlProblem } from '../../../src/outbound/outbound-policy.js';
import { isOwnAddress } from '../../../src/outbound/own-addresses.js';

/** Replaces a function of Node's for the test, also where it has been imported by its name. */
function listInterfacesBy(list: typeof os.networkInterfaces): void {
  const spy = vi.spyOn(os, 'networkInterfaces').mockImplementation(list);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

/** Public addresses, which are given to this machine's interface. */
const [OWN_IPV4, OWN_IPV6, OTHER] = ['8.8.8.8', '2001:4860:4860::8888', '8.8.4.4'];

function haveOwnAddresses(): void {
  const shared = { mac: '00:00:00:00:00:00', internal: false, cidr: null };
  listInterfacesBy(() => ({
    eth0: [
      { ...shared, family: 'IPv4', address: OWN_IPV4, netmask: '255.255.255.0' },
      { ...shared, family: 'IPv6', address: OWN_IPV6, netmask: 'ffff:ffff:ffff:ffff::', scopeid: 0 },
    ],
  }));
}

const nowhere: ResolveAll = (_name, _options, callback) => callback(new Error('no address'), []);

/** Which error a request ends with. No name leads to an address unless `resolve` says so. */
async function failureOf(url: string, resolve: ResolveAll = nowhere): Promise<string> {
  const settings = { allowedHosts: new Set<string>(), maxConnections: 1, connectTimeoutMs: 100 };
  const dispatcher = createGuardedAgent({ ...settings, resolve });
  onTestFinished(() => dispatcher.destroy());
  return await request(url, { dispatcher }).then(
    () => 'none',
    (error: Error) => error.name,
  );
}

test('this machine’s public addresses are refused like its private ones, as a host and behind a name', async () => {
  haveOwnAddresses();
  const leadingTo =
    (address: string, family: 4 | 6): ResolveAll =>
    (_name, _options, callback) =>
      callback(null, [{ address, family }]);
  const refused = 'RefusedAddressError';
  expect(await failureOf(`http://${OWN_IPV4}:1/`)).toBe(refused);
  expect(await failureOf(`http://[${OWN_IPV6}]:1/`)).toBe(refused);
  expect(await failureOf('http://own.example:1/', leadingTo(OWN_IPV4, 4))).toBe(refused);
  expect(await failureOf('http://own.example:1/', leadingTo(OWN_IPV6, 6))).toBe(refused);
  const policy = { httpsOnly: false, allowedHosts: new Set<string>() };
  for (const host of [OWN_IPV4, `[${OWN_IPV6.toUpperCase()}]`]) {
    expect(findUrlProblem(new URL(`http://${host}/`), policy)).toBe('the host is this machine');
  }
});

test('other public addresses are not, nor this machine’s if it is allowed', async () => {
  haveOwnAddresses();
  const policy = { httpsOnly: false, allowedHosts: new Set([OWN_IPV4]) };
  for (const host of [OWN_IPV4, OTHER]) expect(findUrlProblem(new URL(`http://${host}/`), policy)).toBeUndefined();
});

test('where the interfaces cannot be listed, no address is taken for this machine’s', () => {
  listInterfacesBy(() => {
    throw new Error('uv_interface_addresses returned Unknown system error 97');
  });
  expect(isOwnAddress(OWN_IPV4)).toBe(false);
});
