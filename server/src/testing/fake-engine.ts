import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeEngine {
  url: string;
  /** The path, query and body of each request, oldest first. */
  asked: { path: string; body: string }[];
  /** What it answers next: JSON for a request, or one of the faults below. */
  answer: (path: string, body: string) => unknown;
  fault: EngineFault | null;
  close(): Promise<void>;
}

/** What engines do when they are broken. */
export const engineFaults = [
  'hangs',
  'drips',
  'breaks off',
  '500',
  'redirects',
  'HTML',
  'nothing',
  'huge',
  'deep',
] as const;
export type EngineFault = (typeof engineFaults)[number];

/** A routing engine or optimizer on a free port. */
export async function startFakeEngine(): Promise<FakeEngine> {
  const server = createServer((request, response) => void handle(request, response));
  const fake: FakeEngine = {
    url: '',
    asked: [],
    answer: () => ({}),
    fault: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function handle(request: IncomingMessage, response: ServerResponse) {
    let body = '';
    try {
      for await (const chunk of request) body += String(chunk);
    } catch {
      return;
    }
    // Whoever asked has gone: half a body is nothing to answer.
    if (!request.complete) return;
    fake.asked.push({ path: request.url ?? '', body });
    const { fault } = fake;
    // What is written to somebody who has gone is lost, and no error of the test.
    response.on('error', () => undefined);
    if (fault !== null && fault !== '500') {
      faults[fault](response);
      return;
    }
    // With a body that would be right: the status alone says that it is not.
    if (fault === '500') response.statusCode = 500;
    try {
      response.end(JSON.stringify(fake.answer(request.url ?? '', body)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

const faults: Record<Exclude<EngineFault, '500'>, (response: ServerResponse) => void> = {
  hangs: () => undefined,
  drips: (response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  'breaks off': (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"code":', () => response.destroy());
  },
  redirects: (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  HTML: (response) => response.end('<!doctype html><title>Welcome</title>'),
  nothing: (response) => response.end(),
  huge: (response) => {
    const block = ' '.repeat(1024 * 1024);
    const write = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', write);
    write();
  },
  deep: (response) => response.end('['.repeat(200_000)),
};
