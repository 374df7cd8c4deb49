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
  const underWay = new Set<ServerResponse>();
  let leaving = false;
  let closing = false;
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  // First, since the application may answer at once.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    underWay.add(response);
    if (leaving) response.shouldKeepAlive = false;
    response.once('close', () => {
      underWay.delete(response);
      if (closing) socket.end();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  return {
    startDraining() {
      leaving = true;
      for (const response of underWay) response.shouldKeepAlive = false;
    },
    closeIdle() {
      closing = true;
      for (const socket of idle) socket.end();
    },
  };
}
