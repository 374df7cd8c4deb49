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
  /**
   * Each open connection with its latest response in flight, or null. With a Set of the responses, V8 would keep them until the next full
   * collection (`DenseSet`).
   */
  const open = new Map<Socket, ServerResponse | null>();
  let isDraining = false;
  let isClosing = false;
  server.on('connection', (socket: Socket) => {
    open.set(socket, null);
    socket.once('close', () => open.delete(socket));
  });
  // Before the application's listener, which may answer at once.
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    open.set(socket, response);
    if (isDraining) response.shouldKeepAlive = false;
    response.on('close', () => {
      if (isClosing) socket.end();
      // Not if a pipelined request has followed, or the connection is closed.
      else if (open.get(socket) === response) open.set(socket, null);
    });
  });
  return {
    startDraining() {
      isDraining = true;
      for (const response of open.values()) if (response) response.shouldKeepAlive = false;
    },
    closeIdle() {
      isClosing = true;
      for (const [socket, response] of open) if (!response) socket.end();
    },
  };
}
