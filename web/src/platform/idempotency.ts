import { useCallback, useRef } from 'react';

/** A random 128-bit key in hex. Not `crypto.randomUUID`: that exists on secure origins only, and some installations run on plain http. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns a function that gives the `Idempotency-Key` of a submission. The same content gets the same key again, so that
 * a retry after a lost response is not executed twice; changed content gets a new key.
 */
export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef<{ content: string; key: string }>(null);
  return useCallback((content: unknown) => {
    const text = JSON.stringify(content ?? null);
    if (last.current?.content !== text) last.current = { content: text, key: newIdempotencyKey() };
    return last.current.key;
  }, []);
}
