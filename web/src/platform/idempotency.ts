import { useCallback, useRef } from 'react';

/** A random key. `crypto.randomUUID` exists on secure origins only, and people run this on their own network's plain http. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The `Idempotency-Key` of a submission: the same content gets the same key again, so that repeating it after a lost
 * answer is harmless; changed content gets a new one.
 */
export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef<{ content: string; key: string }>(null);
  return useCallback((content: unknown) => {
    const text = JSON.stringify(content ?? null);
    if (last.current?.content !== text) last.current = { content: text, key: newIdempotencyKey() };
    return last.current.key;
  }, []);
}
