import { createParser } from 'eventsource-parser';

/** `connecting`: first attempt. `offline`: connection lost, retrying with backoff until it is back. */
export type StreamState = 'connecting' | 'connected' | 'offline';

interface StreamOptions {
  /** Called for each attempt. */
  url: () => string;
  headers?: () => Record<string, string>;
  /** One server-sent event; `name` is 'message' when the server sent none. */
  onEvent: (name: string, data: string) => void;
  onState: (state: StreamState) => void;
  /** Bytes arrived, even if only a ping. */
  onAlive?: () => void;
  /** The server refused the stream (401, 403, 404): no retry. */
  onRefused?: (status: number) => void;
}

/** The server pings every 15 s. Without any bytes for this long the connection is dead, even if the browser has not noticed. */
const watchdogMs = 35_000;
const firstDelayMs = 500;
const maxDelayMs = 30_000;

/**
 * Keeps a stream of server-sent events open, reconnecting with backoff, until the returned function is called. Uses fetch,
 * because EventSource cannot send the token in a header.
 */
export function openStream(options: StreamOptions): () => void {
  const closing = new AbortController();
  void keepOpen(options, closing.signal);
  return () => closing.abort();
}

async function keepOpen(options: StreamOptions, closed: AbortSignal): Promise<void> {
  options.onState('connecting');
  let failures = 0;
  while (!closed.aborted) {
    const outcome = await readOnce(options, closed, () => {
      failures = 0;
    });
    if (closed.aborted) return;
    if (outcome.refused) return options.onRefused?.(outcome.refused);
    options.onState('offline');
    const backoffMs = Math.min(maxDelayMs, firstDelayMs * 2 ** failures);
    failures++;
    // Jitter, or every browser reconnects at the same moment after a server restart.
    await pause(Math.max(backoffMs * (0.5 + Math.random() / 2), outcome.retryAfterMs), closed);
  }
}

interface Outcome {
  refused?: number;
  retryAfterMs: number;
}

async function readOnce(options: StreamOptions, closed: AbortSignal, onFirstEvent: () => void): Promise<Outcome> {
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  let watchdog = setTimeout(giveUp, watchdogMs);
  closed.addEventListener('abort', giveUp);
  addEventListener('offline', giveUp);
  try {
    const response = await fetch(options.url(), {
      headers: { accept: 'text/event-stream', ...options.headers?.() },
      cache: 'no-store',
      signal: attempt.signal,
    });
    if ([401, 403, 404].includes(response.status)) return { refused: response.status, retryAfterMs: 0 };
    if (!response.ok || !response.body)
      return { retryAfterMs: (Number(response.headers.get('retry-after')) || 0) * 1000 };
    options.onState('connected');
    const parser = createParser({
      onEvent: (event) => {
        onFirstEvent();
        options.onEvent(event.event ?? 'message', event.data);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { retryAfterMs: 0 };
      clearTimeout(watchdog);
      watchdog = setTimeout(giveUp, watchdogMs);
      options.onAlive?.();
      parser.feed(value);
    }
  } catch {
    return { retryAfterMs: 0 };
  } finally {
    clearTimeout(watchdog);
    closed.removeEventListener('abort', giveUp);
    removeEventListener('offline', giveUp);
    attempt.abort();
  }
}

/** Waits for the backoff; cut short when the network is back, the page becomes visible, or the stream is closed. */
function pause(delayMs: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(go, delayMs);
    const onVisible = () => document.visibilityState === 'visible' && go();
    function go() {
      clearTimeout(timer);
      removeEventListener('online', go);
      document.removeEventListener('visibilitychange', onVisible);
      closed.removeEventListener('abort', go);
      resolve();
    }
    addEventListener('online', go);
    document.addEventListener('visibilitychange', onVisible);
    closed.addEventListener('abort', go);
  });
}
