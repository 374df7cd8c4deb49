import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /**
   * Starts draining: responses get `Connection: close`, but no connection is closed yet. A request may already be on the wire of a
   * connection that looks idle here, and closing it would lose the request.
   */
  startDraining(): void;
  /**
   * Closes idle connections now, and the others after their response. Node's own closeIdleConnections skips connections that never
   * had a request: a browser's preconnect would delay the shutdown.
   */
  closeIdle(): void;
}

/** Tracks which connections have a request in flight, for a graceful shutdown. */
export function trackConnections(server: Server): Connections {
  const idle = new Set<Socket>();
  const inFlight = new Set<ServerResponse>();
  let isDraining = false;
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  // Before the application's listener, which may answer at once.
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
