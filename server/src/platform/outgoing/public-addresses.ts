import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** The IPv4 networks that are not public: private, shared, loopback, link-local, multicast, reserved, and for examples. */
const reserved4 = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/');
  reserved4.addSubnet(address, Number(bits), 'ipv4');
}

/** IPv6 addresses that are routed in public. All others are not: local ones, IPv4-mapped ones, NAT64. */
const routed6 = new BlockList();
routed6.addSubnet('2000::', 3, 'ipv6');
/** Of these the ones that are not: protocol assignments with Teredo, examples, and 6to4, whose addresses contain an IPv4 address. */
const reserved6 = new BlockList();
reserved6.addSubnet('2001::', 23, 'ipv6');
reserved6.addSubnet('2001:db8::', 32, 'ipv6');
reserved6.addSubnet('2002::', 16, 'ipv6');
reserved6.addSubnet('3fff::', 20, 'ipv6');

/** Whether an IP address can only belong to somebody in the public internet. False for what is not an address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !reserved4.check(address, 'ipv4');
  return version === 6 && routed6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6');
}

/** An address that requests for people may not reach: it is not public, or its name resolves to one that is not. */
export class ForbiddenAddressError extends Error {}

export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;
const resolveAll: Resolve = (name) => lookup(name, { all: true });

/**
 * Checks an address that a person has entered, before any connection: https, the usual port, no password, and a host that is a name or a
 * public address. Spellings of IPv4 addresses in decimal, octal, hexadecimal or with fewer parts are normalized by the URL parser.
 *
 * @throws ForbiddenAddressError
 */
export function checkPublicUrl({ protocol, port, username, password, hostname }: URL): void {
  if (protocol !== 'https:') throw new ForbiddenAddressError('only https addresses are called');
  if (port !== '') throw new ForbiddenAddressError('only port 443 is called');
  if (username || password) throw new ForbiddenAddressError('an address may not contain a password');
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new ForbiddenAddressError('the address is not a public one');
}

/**
 * For the `lookup` of a request: resolves a name once, and the connection goes to the checked addresses, so that a name cannot resolve to
 * others between the check and the connection. One address that is not public is enough to refuse the name.
 * Node does not call it for a host that is an IP address: see `checkPublicUrl`.
 */
export function publicLookup(resolve: Resolve = resolveAll): LookupFunction {
  return (name, options, done) => {
    const answer = async () => {
      try {
        const addresses = await resolve(name);
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
          throw new ForbiddenAddressError('the name does not resolve to public addresses');
        if (options.all) done(null, addresses);
        else done(null, first.address, first.family);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)), '', 0);
      }
    };
    void answer();
  };
}
