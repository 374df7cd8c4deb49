import { connect, type Socket } from 'node:net';

interface Handlers {
  answered(socket: Socket, status: number): void;
  broken(): void;
}

/**
 * A raw socket, keep-alive, for one request at a time, with only as much parsing as finds the end of a response: it takes little CPU time and
 * leaves little garbage. Reads responses with a Content-Length, which may come in any number of chunks.
 */
export function openConnection(host: string, port: number, { answered, broken }: Handlers): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let head = '';
    let status = 0;
    /** Bytes of the response that are still to come; -1 while its header is incomplete. */
    let missing = -1;
    const read = (size: number, buffer: Uint8Array) => {
      if (missing < 0) {
        head += (buffer as Buffer).toString('latin1', 0, size);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return true;
        status = Number(head.slice(9, 12));
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
        if (length === undefined) {
          broken();
          socket.destroy();
          return false;
        }
        missing = end + 4 + Number(length) - head.length;
      } else missing -= size;
      if (missing > 0) return true;
      head = '';
      missing = -1;
      answered(socket, status);
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafeSlow(64 * 1024), callback: read };
    const socket = connect({ host, port, noDelay: true, onread }, () => resolve(socket));
    socket.on('error', reject);
    socket.on('close', broken);
  });
}
