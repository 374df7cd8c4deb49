import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../testing/test-product.ts';
import { trackConnections, type Connections } from './connection-draining.ts';

let server: Server;
let connections: Connections;
let sockets: Socket[];
let pending: ServerResponse[];
beforeEach(async () => {
  [sockets, pending] = [[], []];
  server = createServer((request, response) => {
    if (request.url === '/later') pending.push(response);
    else response.end('done');
  });
  connections = trackConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function open() {
  const { port } = server.address() as AddressInfo;
  const socket = Object.assign(connect(port, '127.0.0.1'), { received: '', isClosed: false });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.on('data', (chunk) => (socket.received += chunk.toString()));
  socket.on('end', () => (socket.isClosed = true));
  await once(socket, 'connect');
  return {
    socket,
    send: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`),
    answered: () => eventually('the answer', () => socket.received.endsWith('done')),
    closed: () => eventually('the end of the connection', () => socket.isClosed),
  };
}

test('a keep-alive connection that is idle when draining starts still gets a response, with Connection: close', async () => {
  const keptAlive = await open();
  const unused = await open();
  keptAlive.send('/');
  await keptAlive.answered();
  expect(keptAlive.socket.received).toContain('Connection: keep-alive');
  keptAlive.socket.received = '';

  connections.startDraining();
  keptAlive.send('/');
  await keptAlive.answered();
  expect(keptAlive.socket.received).toContain('Connection: close');
  await keptAlive.closed();
  // A connection without a request so far may still send one.
  unused.send('/');
  await unused.answered();
  expect(unused.socket.received).toContain('Connection: close');
});

test('a request in flight when draining starts is answered with Connection: close, and idle connections are closed', async () => {
  const busy = await open();
  const idle = await open();
  busy.send('/later');
  await eventually('the request', () => pending.length === 1);
  connections.startDraining();
  server.close();
  connections.closeIdle();
  await idle.closed();
  expect(busy.socket.isClosed).toBe(false);
  pending.pop()?.end('done');
  await busy.answered();
  expect(busy.socket.received).toContain('Connection: close');
  await busy.closed();
});
