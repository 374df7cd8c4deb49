import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /**
   * Starts draining: answers say `Connection: close`, but no connection is closed yet. A request may already be on the wire of one that
   * looks idle here, and would be lost with it.
   */
  startDraining(): void;
  /**
   * Closes those that have no request on them, and the others when they are answered. Node closes only such as have had one:
   * a browser that connected ahead of need would hold up the stop.
   */
  closeIdle(): void;
}

/** Knows which connections have a request on them. */
export function trackConnections(server: Server): Connections {
  const idle = new Set<Socket>();
  const inFlight = new Set<ServerResponse>();
  let isDraining = false;
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  // First, since the application may answer at once.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    inFlight.add(response);
    if (isDraining) response.shouldKeepAlive = false;
    response.once('close', () => {
      inFlight.delete(response);
      if (isClosing) socket.end();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  return {
    startDraining() {
      isDraining = true;
      for (const response of inFlight) response.shouldKeepAlive = false;
    },
    closeIdle() {
      isClosing = true;
      for (const socket of idle) socket.end();
    },
  };
}
