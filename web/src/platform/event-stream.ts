import { createParser } from 'eventsource-parser';

/** `connecting`: on the way for the first time. `offline`: lost, and tried again until it is back. */
export type StreamState = 'connecting' | 'connected' | 'offline';

interface StreamOptions {
  url: string;
  headers?: () => Record<string, string>;
  /** One server-sent event; `name` is 'message' when the server gave none. */
  onEvent: (name: string, data: string) => void;
  onState: (state: StreamState) => void;
  /** Bytes came, if only a ping. */
  onAlive?: () => void;
  /** The server does not give this stream (401, 403, 404): it is not asked again. */
  onRefused?: (status: number) => void;
}

/** The server pings every 15 s; after this silence the connection is dead, whatever the browser believes. */
const silenceMs = 35_000;
const firstDelayMs = 500;
const maxDelayMs = 30_000;

/** Keeps a stream of server-sent events open until the returned function is called. fetch, not EventSource: the token goes into a header. */
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
    // Jitter, or every browser comes back in the same moment after a restart.
    await pause(Math.max(backoffMs * (0.5 + Math.random() / 2), outcome.retryAfterMs), closed);
  }
}

interface Outcome {
  refused?: number;
  retryAfterMs: number;
}

async function readOnce(options: StreamOptions, closed: AbortSignal, onWorking: () => void): Promise<Outcome> {
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  let watchdog = setTimeout(giveUp, silenceMs);
  closed.addEventListener('abort', giveUp);
  addEventListener('offline', giveUp);
  try {
    const response = await fetch(options.url, {
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
        onWorking();
        options.onEvent(event.event ?? 'message', event.data);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { retryAfterMs: 0 };
      clearTimeout(watchdog);
      watchdog = setTimeout(giveUp, silenceMs);
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

/** Waits, but no longer than until the network is back or somebody looks at the page. */
function pause(delayMs: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(go, delayMs);
    const look = () => document.visibilityState === 'visible' && go();
    function go() {
      clearTimeout(timer);
      removeEventListener('online', go);
      document.removeEventListener('visibilitychange', look);
      closed.removeEventListener('abort', go);
      resolve();
    }
    addEventListener('online', go);
    document.addEventListener('visibilitychange', look);
    closed.addEventListener('abort', go);
  });
}
