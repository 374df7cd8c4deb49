import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { checkPublicUrl, isPublicAddress, publicLookup } from './public-addresses.ts';
import { openHttpClient } from './requests.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.each([
  [
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ['192.168.1.1', '192.0.0.8', '198.18.0.1', '203.0.113.7', '224.0.0.1', '255.255.255.255'],
  ['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1'],
  ['fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1'],
  ['localhost', 'example.org', '', '127.1', '0x7f.1'],
])('these are no public addresses: %s, %s, %s, …', (...addresses) => {
  for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false]);
});

test('these are', () => {
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450:4001::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true]);
});

test.each([
  'http://example.org/',
  'https://example.org:8443/',
  'https://user@example.org/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://0x7f.0.0.1/',
  'https://127.1/',
  'https://0/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data/',
])('people cannot make the server call %s', async (url) => {
  expect(() => checkPublicUrl(new URL(url))).toThrow();
  const client = openHttpClient({ publicOnly: true, resolve: () => Promise.reject(new Error('never resolved')) });
  await expect(async () => client.send({ url })).rejects.toThrow(/^(?!never)/);
  client.close();
});

test('a name that resolves to an address that is not public is refused, also beside public ones', async () => {
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:10.0.0.1'], []]) {
    const lookup = publicLookup(() => Promise.resolve(addresses.map((address) => ({ address, family: 4 }))));
    const refused = await new Promise((resolve) =>
      lookup('example.org', { all: true }, (error) => resolve(error?.message)),
    );
    expect(refused).toBe('the name does not resolve to public addresses');
  }
  // As the system resolves it.
  const client = openHttpClient({ publicOnly: true });
  await expect(client.send({ url: 'https://localhost/' })).rejects.toThrow('does not resolve to public addresses');
  client.close();
});

test('a name is resolved once, and the connection goes to what was checked, not to what it resolves to next', async () => {
  const answers = ['8.8.8.8', '127.0.0.1'];
  const lookup = publicLookup(() => Promise.resolve([{ address: answers.shift() ?? '', family: 4 }]));
  const connectTo = await new Promise((resolve) => lookup('example.org', {}, (_error, address) => resolve(address)));
  expect(connectTo).toBe('8.8.8.8');
  expect(answers).toEqual(['127.0.0.1']);
  let resolved = 0;
  const client = openHttpClient({
    publicOnly: true,
    timeoutMs: 300,
    resolve: () => Promise.resolve([{ address: ++resolved === 1 ? '192.0.1.1' : '127.0.0.1', family: 4 }]),
  });
  await expect(client.send({ url: 'https://example.org/' })).rejects.toThrow();
  expect(resolved).toBe(1);
  client.close();
});

test('redirects are not followed, long replies, silence and half a reply end the exchange, and the next request is answered', async () => {
  const seen: string[] = [];
  const url = await serve((request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    if (path === '/redirect') return void response.writeHead(307, { location: '/target' }).end('moved');
    if (path === '/long') return void response.end(Buffer.alloc(65 * 1024));
    if (path === '/silent') return;
    if (path === '/half') {
      response.writeHead(200, { 'content-length': '1000' });
      return void response.write('{', () => response.destroy());
    }
    if (path === '/half-chunk') return void response.write('{', () => response.destroy());
    if (path === '/drip') return void setInterval(() => response.write('.'), 50).unref();
    response.end('fine');
  });
  const client = openHttpClient({ publicOnly: false, timeoutMs: 300 });
  expect(await client.send({ url: `${url}redirect`, body: '{}' })).toEqual({ status: 307, text: 'moved' });
  await expect(client.send({ url: `${url}long` })).rejects.toThrow('longer than 64 KB');
  for (const path of ['half', 'half-chunk']) await expect(client.send({ url: `${url}${path}` })).rejects.toThrow();
  await expect(client.send({ url: `${url}silent` })).rejects.toThrow('no answer within 0.3 s');
  await expect(client.send({ url: `${url}drip` })).rejects.toThrow('no answer within 0.3 s');
  expect(await client.send({ url })).toEqual({ status: 200, text: 'fine' });
  expect(seen).not.toContain('/target');
  client.close();
});
