import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Addresses that belong to no host on the public internet: private and shared networks, loopback, link-local, multicast
 * and reserved ranges, from IANA's special-purpose registries
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry).
 */
const INSIDE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Link-local addresses, among them the metadata services of most clouds.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // In public address space, but on Azure every virtual machine reaches its host at this address.
  '168.63.129.16/32',
];

/**
 * The IPv6 global unicast space. All other addresses are loopback, link-local, private, multicast, NAT64 (64:ff9b::/96) or
 * unassigned.
 */
const OUTSIDE_IPV6 = '2000::/3';
/** Exceptions within it: protocol assignments such as Teredo, documentation, and 6to4, which embeds an IPv4 address. */
const INSIDE_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const insideIpv4 = listOf(INSIDE_IPV4, 'ipv4');
const outsideIpv6 = listOf([OUTSIDE_IPV6], 'ipv6');
const insideIpv6 = listOf(INSIDE_IPV6, 'ipv6');

/**
 * Whether an IP address, as text, is outside the public internet. IPv4 addresses in IPv6 form (mapped, compatible, NAT64,
 * 6to4) always count as inside, whatever they stand for; so does text that is not an address.
 */
export function isInsideAddress(address: string): boolean {
  if (isIPv4(address)) return insideIpv4.check(address, 'ipv4');
  if (!isIPv6(address)) return true;
  // A zone names a network interface of this machine.
  if (address.includes('%')) return true;
  return !outsideIpv6.check(address, 'ipv6') || insideIpv6.check(address, 'ipv6');
}

function listOf(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
