import { isIP } from 'node:net';

const mapped = '::ffff:';

/**
 * The network that limits count as one caller: an IPv4 address, or the /64 of an IPv6 address, since a /64 (2^64 addresses) is the smallest
 * network a customer gets. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) counts as IPv4. Anything else is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  // How a socket that listens on both families names IPv4: with each request.
  if (address.startsWith(mapped) && isIP(address.slice(mapped.length)) === 4) return address.slice(mapped.length);
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return address;
  // The URL parser normalizes every spelling of an IPv6 address to hexadecimal groups.
  const [head = '', tail = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  const [a = '0', b = '0', c = '0', d = '0', , mark, high = '0', low = '0'] = groups;
  if (mark === 'ffff' && groups.slice(0, 5).every((group) => group === '0')) {
    const bits = (parseInt(high, 16) << 16) | parseInt(low, 16);
    return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
  }
  return `${a}:${b}:${c}:${d}::/64`;
}

/** Whether a host name or an address is a loopback one. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}
