import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string;
  /** Of its Message-ID header. */
  id: string;
  subject: string;
  headers: string;
  /** Decoded text and HTML, with the boundaries between them. */
  body: string;
}

/** What the server does with a message: accepts it, refuses it with a code, falls silent, or cuts the connection before or after taking it. */
export type Treatment = 'accept' | 'hang' | 'reset' | 'lose the answer' | number;

export interface MailServer {
  url: string;
  /** Everything that it took, in the order of arrival: also what it took without an answer. */
  mails: ReceivedMail[];
  /** How many messages were offered, whatever became of them. */
  offered(): number;
  treat(how: Treatment | ((to: string) => Treatment)): void;
  close(): Promise<void>;
}

/** A real SMTP server on a free port of this machine. @param port a port that one has used before */
export async function openMailServer(port = 0): Promise<MailServer> {
  let treatment: (to: string) => Treatment = () => 'accept';
  let offered = 0;
  const mails: ReceivedMail[] = [];
  const cut = (id: string) => {
    // The library offers no way to cut a connection.
    // oxlint-disable-next-line no-underscore-dangle
    for (const connection of server.connections) if (connection.session.id === id) connection._socket.destroy();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, session, done) {
      const how = treatment(address);
      offered++;
      if (typeof how === 'number') return done(Object.assign(new Error(`refused ${address}`), { responseCode: how }));
      if (how === 'reset') return cut(session.id);
      if (how !== 'hang') done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        mails.push(readMail(to, Buffer.concat(chunks).toString('utf8')));
        if (treatment(to) === 'lose the answer') cut(session.id);
        else done();
      });
    },
  });
  // Connections that a test cuts.
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: listening } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${listening}?timeout=1`,
    mails,
    offered: () => offered,
    treat: (how) => void (treatment = typeof how === 'function' ? how : () => how),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function readMail(to: string, raw: string): ReceivedMail {
  const headers = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n\s+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? '';
  return {
    to,
    id: header('message-id'),
    subject: decodeWords(header('subject')),
    headers,
    body: decodeQuoted(raw.slice(headers.length).replaceAll('=\r\n', '')),
  };
}

const decodeQuoted = (text: string): string =>
  text.replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'));

/** RFC 2047: `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`. */
const decodeWords = (text: string): string =>
  text
    .replaceAll('?= =?', '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_word, encoding: string, word: string) =>
      encoding.toLowerCase() === 'q'
        ? decodeQuoted(word.replaceAll('_', ' '))
        : Buffer.from(word, 'base64').toString('utf8'),
    );
