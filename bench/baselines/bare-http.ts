import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { handleCommands } from '../child-process.ts';
import { listen } from './listen.ts';

export interface Bytes {
  headers: OutgoingHttpHeaders;
  body: string;
}

// Lower bound for a Node server: the same bytes for every request, without parsing it.
handleCommands(({ headers, body }: Bytes) =>
  listen(createServer((_request, response) => response.writeHead(200, headers).end(body))),
);
