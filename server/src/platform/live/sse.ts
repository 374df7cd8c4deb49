import type { FastifyReply } from 'fastify';
import { releaseSlot } from '../load/load-shedding.ts';
import { openTurns } from './turns.ts';

export interface Stream {
  /** Sends an event. `data` is JSON text, without line breaks. */
  send(event: string, data: string): void;
  /** Sends a `bye` event with the reason, then ends the stream. */
  bye(reason: 'drain' | 'session_ended' | 'not_active'): void;
  onClose(listener: () => void): void;
}

/** Interval of keep-alive comments, for proxies and the browser's watchdog. */
const pingIntervalMs = 15_000;

/** A slow client with this much unsent data is disconnected (backpressure). It reconnects and gets the present state. */
const maxUnsentBytes = 256 * 1024;

const open = new Set<{ bye(reason: 'drain'): void }>();
/** To ping 5,000 streams takes more than 60 ms. */
const pings = openTurns(pingIntervalMs, 64);

/** Turns a reply into a stream of server-sent events (about 17 KiB of memory each), and releases the request's slot. */
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
    // A kept-alive connection after the end of its stream would delay the shutdown.
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
  // If the client disconnected while the stream was opened, 'close' has fired already and will not fire again.
  const onClose = (listener: () => void) => (raw.closed || raw.destroyed ? listener() : void raw.on('close', listener));
  const entry = { bye };
  open.add(entry);
  const removePing = pings.add(() => write(': ping\n\n'));
  onClose(() => {
    open.delete(entry);
    removePing();
  });
  raw.on('error', () => raw.destroy());
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${data}\n\n`),
    bye,
    onClose,
  };
}

/** Draining: ends every stream of this process with a `bye` event. */
export const endAllStreams = () => open.forEach((stream) => stream.bye('drain'));

export const countStreams = () => open.size;
