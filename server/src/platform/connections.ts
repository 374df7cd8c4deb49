import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /**
   * Lets go of nobody yet: each answer from now on says that it is the last on its connection. A request that is already on its
   * way on a connection that looks idle here would be lost with it, so connections are closed only after callers had time to leave.
   */
  sayGoodbye(): void;
  /**
   * Closes those that have no request on them, and the others when they are answered. Node closes only such as have had one:
   * a browser that connected ahead of need would hold up the stop.
   */
  closeIdle(): void;
}

/** Knows which connections have a request on them. */
export function watchConnections(server: Server): Connections {
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
    sayGoodbye() {
      leaving = true;
      for (const response of underWay) response.shouldKeepAlive = false;
    },
    closeIdle() {
      closing = true;
      for (const socket of idle) socket.end();
    },
  };
}
