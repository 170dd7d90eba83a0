import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInsideAddress } from '../../../src/outbound/inside-addresses.js';

describe('an address', () => {
  test.each([
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['shared by a carrier', '100.64.0.1'],
    ['shared by a carrier', '100.127.255.255'],
    ['metadata within the carriers’', '100.100.100.200'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['link-local', '169.254.1.1'],
    ['metadata of clouds', '169.254.169.254'],
    ['metadata of Oracle', '192.0.0.192'],
    ['the host of Azure', '168.63.129.16'],
    ['documentation', '192.0.2.1'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarks', '198.18.0.1'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.7'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback', '::ffff:7f00:1'],
    ['mapped public', '::ffff:8.8.8.8'],
    ['compatible loopback', '::127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a network', '64:ff9b:1::a00:1'],
    ['discard', '100::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['documentation', '2001:db8::1'],
    ['6to4', '2002:7f00:1::1'],
    ['documentation', '3fff::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['metadata of AWS', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['none', 'example.org'],
    ['none', ''],
  ])('is inside where it is %s: %s', (_, address) => {
    expect(isInsideAddress(address)).toBe(true);
  });

  test.each(['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1'])(
    'is outside where the ranges end: %s',
    (address) => expect(isInsideAddress(address)).toBe(false),
  );

  test.each(['172.15.255.255', '172.32.0.0', '192.167.255.255', '223.255.255.255', '2606:4700::1111', '2a00:1450::1'])(
    'is outside where it is anybody’s: %s',
    (address) => expect(isInsideAddress(address)).toBe(false),
  );

  test('of IPv4 is inside in every form that IPv6 has for it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const form of [`::ffff:${address}`, `::ffff:${hex}`, `::${address}`, `64:ff9b::${hex}`, `2002:${hex}::`]) {
          expect(isInsideAddress(form), form).toBe(true);
        }
      }),
    );
  });
});
