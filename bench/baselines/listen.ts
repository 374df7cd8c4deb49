import type { Server } from 'node:http';

/** Listens on a free port of this machine. @returns the address */
export const listen = (server: Server): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the server has no port'));
      else resolve(`http://127.0.0.1:${address.port}`);
    });
  });
