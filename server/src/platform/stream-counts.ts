import { AppError } from './errors.ts';
import type { Stream } from './sse.ts';

/** Streams that one user, or one anonymous address, may have open in this process. */
const most = { user: 5, address: 3 };

const open = new Map<string, number>();

/** Reserves a place for a stream. @throws too_many_requests; the returned function gives the place to the stream */
export function takeStreamPlace(kind: keyof typeof most, key: string, limited: boolean): (stream: Stream) => void {
  const name = `${kind} ${key}`;
  const count = open.get(name) ?? 0;
  if (limited && count >= most[kind]) {
    throw new AppError('too_many_requests', 'Too many live connections. Close another tab and try again.', {
      retryAfterSeconds: 10,
    });
  }
  open.set(name, count + 1);
  return (stream) => stream.onClose(() => free(name));
}

function free(name: string): void {
  const count = (open.get(name) ?? 1) - 1;
  if (count > 0) open.set(name, count);
  else open.delete(name);
}
