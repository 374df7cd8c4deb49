import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { answerQuestions } from '../child.ts';

export interface Bytes {
  headers: OutgoingHttpHeaders;
  body: string;
}

// The least a Node server can do: the same bytes for every request, without looking at it.
answerQuestions(
  ({ headers, body }: Bytes) =>
    new Promise<string>((resolve) => {
      const server = createServer((_request, response) => {
        response.writeHead(200, headers);
        response.end(body);
      });
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(address && typeof address === 'object' ? `http://127.0.0.1:${address.port}` : '');
      });
    }),
);
