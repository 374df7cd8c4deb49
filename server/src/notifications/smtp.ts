import { createRequire } from 'node:module';
import type Nodemailer from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { isLoopback } from '../platform/origin/addresses.ts';
import { BouncedError, RefusedError, type Transport } from './transport.ts';

/** The library takes more than a megabyte, which a server without a mail server does without. */
const nodemailer = () => createRequire(import.meta.url)('nodemailer') as typeof Nodemailer;

/** How long a mail server may stay silent, unless `timeout` in its address says less. */
const silenceSeconds = 20;
/** Connections, each with one message at a time. */
export const smtpConnections = 10;

/**
 * Sends by a mail server over a pool of connections.
 *
 * @param url `smtp://user:password@host:587` begins in plain text and changes to TLS, which is required unless the host is a loopback
 *   address or `?tls=optional` is given; `smtps://host:465` is TLS from the start. `?timeout=` in seconds: how long it may stay silent
 * @param from the address of the sender, with or without a name, which else is that of the message
 */
export function openSmtp(url: string, from: string): Transport {
  const { hostname, port, protocol, username, password, searchParams } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const timeoutMs = 1000 * Math.min(Number(searchParams.get('timeout')) || silenceSeconds, silenceSeconds);
  const pool = nodemailer().createTransport({
    pool: true,
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isLoopback(host) && searchParams.get('tls') !== 'optional',
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    maxConnections: smtpConnections,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { name, address } = senderOf(from);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return {
    concurrency: smtpConnections,
    async send(message) {
      try {
        await pool.sendMail({
          messageId: `<${message.id}@${domain}>`,
          from: { name: name || message.from, address },
          to: { name: '', address: message.to },
          replyTo: message.replyTo ?? undefined,
          subject: message.subject,
          text: message.text,
          html: message.html ?? undefined,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(message.unsubscribe && {
              'List-Unsubscribe': `<${message.unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        throw isBounce(error) ? new BouncedError(reasonOf(error), message.to) : new RefusedError(reasonOf(error));
      }
    },
    verify: async () => void (await pool.verify()),
    close: () => pool.close(),
  };
}

/** What the mail server said, without the words of the library around it. */
function reasonOf(error: Error): string {
  const { response } = error as Error & { response?: string };
  return response === undefined ? error.message : `the mail server answered ${response}`;
}

/**
 * Whether it is the address of the recipient that does not work: by the enhanced code (RFC 3463), or without one by what the command
 * was refused with. Full mailboxes, and what a policy or a filter refuses, say nothing about the address.
 */
function isBounce(error: Error): boolean {
  const {
    command,
    response = '',
    responseCode,
  } = error as Error & {
    command?: string;
    response?: string;
    responseCode?: number;
  };
  if (command !== 'RCPT TO') return false;
  const [, subject, detail] = /^5\d\d[ -]5\.(\d{1,3})\.(\d{1,3})\b/.exec(response) ?? [];
  if (subject !== undefined)
    return (subject === '1' && detail !== '7' && detail !== '8') || (subject === '2' && detail === '1');
  return responseCode === 550 || responseCode === 551 || responseCode === 553;
}

/** @returns the first address of a From header; empty if there is none */
export function senderOf(from: string): { name: string; address: string } {
  const [first] = addressparser(from);
  return { name: first?.name ?? '', address: first && 'address' in first ? (first.address ?? '') : '' };
}

/** Whether sender, recipient or content were refused for good. What is refused before, such as a password, an operator can put right. */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as Error & { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode === undefined || responseCode >= 500);
}
