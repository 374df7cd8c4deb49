import { BlockList, isIP } from 'node:net';

/**
 * Whether an address is a trusted proxy, whose X-Forwarded-For entry is believed. Called hop by hop, from the connection outwards. The first
 * untrusted address is the client; entries further left in X-Forwarded-For are whatever the client sent.
 */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** The same names as in Express and Fastify. */
const namedNetworks = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** Parses TRUST_PROXY. @returns a check per hop, false to trust no proxy, or null if it is not valid */
export function readProxies(text: string): TrustsProxy | false | null {
  if (/^(0|off|false)$/.test(text)) return false;
  // Trust the direct peer, whatever its address: only for a port that nothing but the proxy can reach.
  if (/^(1|on|true)$/.test(text)) return (_address, hop) => hop === 0;
  const networks = new BlockList();
  for (const part of text.split(/[\s,]+/).filter(Boolean))
    for (const network of namedNetworks.get(part) ?? [part]) if (!addNetwork(networks, network)) return null;
  return (address) => {
    const [bare = ''] = address.split('%');
    const family = isIP(bare);
    return family !== 0 && networks.check(bare, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function addNetwork(networks: BlockList, network: string): boolean {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(network) ?? [];
  const family = isIP(address);
  if (family === 0) return false;
  const maxPrefix = family === 6 ? 128 : 32;
  const prefix = Number(bits ?? maxPrefix);
  if (prefix > maxPrefix) return false;
  networks.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  return true;
}
