import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Knows which connections have no request on them, and closes those when the server stops; the others when they are answered.
 * Node closes only such as have had one: a browser that connected ahead of need would hold up the stop.
 */
export function watchConnections(server: Server): () => void {
  const idle = new Set<Socket>();
  let stopping = false;
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once('close', () => {
      if (stopping) socket.end();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  return () => {
    stopping = true;
    for (const socket of idle) socket.end();
  };
}
