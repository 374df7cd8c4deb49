import { BlockList, isIP } from 'node:net';

/**
 * Whether to believe what a peer says about the one before it. Asked hop by hop, from the connection outwards, until the answer is no:
 * that is the client, and what stands further left in X-Forwarded-For is whatever the client wrote there.
 */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** The same names as everywhere in this trade (Express, Fastify). */
const namedNetworks = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** Reads TRUST_PROXY. @returns what to do with each hop, false for nobody, or null where it cannot be read */
export function readProxies(text: string): TrustsProxy | false | null {
  if (/^(0|off|false)$/.test(text)) return false;
  // Whoever connects is the one proxy: only for a port that nobody else can reach.
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
