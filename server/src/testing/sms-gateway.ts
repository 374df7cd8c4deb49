import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the gateway got. */
export interface ReceivedSms {
  path: string;
  authorization: string;
  type: string;
  /** The body as it came: JSON, or a form. */
  body: string;
  to: string;
  text: string;
  /** Of the plain gateway. */
  id: string | null;
}

/** What the gateway does with a message: accepts it, answers with a status, falls silent, or cuts the connection before or after taking it. */
export type SmsTreatment = 'accept' | 'hang' | 'reset' | 'lose the answer' | number;

export interface SmsGateway {
  url: string;
  /** Every message that it took, in the order of arrival: also those that it took without an answer. */
  messages: ReceivedSms[];
  treat(how: SmsTreatment | ((to: string) => SmsTreatment), answer?: object): void;
  close(): Promise<void>;
}

/**
 * A real HTTP server on a free port of this machine that takes messages as the plain gateway and as Twilio do.
 *
 * @param token it answers 401 to requests without this bearer token
 */
export async function openSmsGateway(token?: string): Promise<SmsGateway> {
  let treatment: (to: string) => SmsTreatment = () => 'accept';
  let answer: object = {};
  const messages: ReceivedSms[] = [];
  const answerRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = readSms(request.url ?? '', request.headers, Buffer.concat(chunks).toString('utf8'));
    if (token !== undefined && message.authorization !== `Bearer ${token}`)
      return void response.writeHead(401).end('{}');
    const how = treatment(message.to);
    if (how === 'reset') return void request.socket.destroy();
    if (how === 'hang') return;
    if (typeof how === 'number') {
      response
        .writeHead(how, { 'content-type': 'application/json', location: '/elsewhere' })
        .end(JSON.stringify(answer));
      return;
    }
    messages.push(message);
    if (how === 'lose the answer') request.socket.destroy();
    else response.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"SM1"}');
  };
  const server = createServer((request, response) => void answerRequest(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    treat(how, with_ = {}) {
      treatment = typeof how === 'function' ? how : () => how;
      answer = with_;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function readSms(path: string, headers: NodeJS.Dict<string | string[]>, body: string): ReceivedSms {
  const authorization = String(headers.authorization ?? '');
  const type = String(headers['content-type'] ?? '');
  if (type.startsWith('application/json')) {
    const { to, text, id } = JSON.parse(body) as { to: string; text: string; id: string };
    return { path, authorization, type, body, to, text, id };
  }
  const form = new URLSearchParams(body);
  return { path, authorization, type, body, to: form.get('To') ?? '', text: form.get('Body') ?? '', id: null };
}
