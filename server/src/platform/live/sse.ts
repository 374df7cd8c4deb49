import type { FastifyReply } from 'fastify';
import { releaseSlot } from '../load/load-shedding.ts';

export interface Stream {
  /** Sends one event; JSON text goes through as it is. */
  send(event: string, data: string): void;
  /** Says why, then ends. */
  bye(reason: 'drain' | 'session_ended' | 'not_active'): void;
  onClose(listener: () => void): void;
}

/** Comments that keep proxies and watchdogs content; one timer for all streams. */
const pingEveryMs = 15_000;

/** A reader this far behind is cut off: it comes back and converges on the present state. */
const maxUnsentBytes = 256 * 1024;

const open = new Set<{ ping(): void; bye(reason: 'drain'): void }>();
setInterval(() => open.forEach((stream) => stream.ping()), pingEveryMs).unref();

/** Turns a reply into a stream of server-sent events (some 17 KiB of memory each). */
export function openStream(reply: FastifyReply): Stream {
  reply.hijack();
  releaseSlot(reply.request);
  const { raw } = reply;
  raw.socket?.setKeepAlive(true, 30_000);
  raw.socket?.setNoDelay(true);
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    // Kept alive after its end, the connection of a stream would hold up the stop of the server.
    connection: 'close',
    'x-request-id': reply.request.id,
  });
  const write = (text: string) => {
    if (raw.destroyed || raw.writableEnded) return;
    raw.write(text);
    if (raw.writableLength > maxUnsentBytes) raw.destroy();
  };
  const bye = (reason: string) => {
    write(`event: bye\ndata: ${JSON.stringify({ reason })}\n\n`);
    raw.end();
  };
  // Who left while the stream was being opened has had its 'close' already: it comes only once.
  const onClose = (listener: () => void) => (raw.closed || raw.destroyed ? listener() : void raw.on('close', listener));
  const entry = { ping: () => write(': ping\n\n'), bye };
  open.add(entry);
  onClose(() => open.delete(entry));
  raw.on('error', () => raw.destroy());
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${data}\n\n`),
    bye,
    onClose,
  };
}

/** Ends every stream of this process with a bye, for the drain. */
export const endAllStreams = () => open.forEach((stream) => stream.bye('drain'));

export const countStreams = () => open.size;
