/** A slower client counts as occupying the connection without using it. */
const minBytesPerSecond = 10_000;

/** Progress of a long upload or download. */
export interface TransferProgress {
  /** @param bytes transferred so far @returns whether the window has ended with less than 10,000 bytes a second */
  isTooSlow(bytes: number, now: number): boolean;
  /** Nothing is to be transferred for now: the next call of `isTooSlow` starts a new window. */
  pause(): void;
  /** For how long no byte was transferred, in ms; 0 while paused. */
  stalledFor(now: number): number;
}

/** Measures in windows, not over the whole transfer: the first megabytes of a response fill socket buffers even if the client reads nothing. */
export function openTransferProgress(windowMs: number): TransferProgress {
  let window: { from: number; ends: number } | null = null;
  let last = { bytes: 0, at: 0 };
  return {
    isTooSlow(bytes, now) {
      if (!window || bytes !== last.bytes) last = { bytes, at: now };
      window ??= { from: bytes, ends: now + windowMs };
      if (now < window.ends) return false;
      const moved = bytes - window.from;
      window = { from: bytes, ends: now + windowMs };
      return moved < (minBytesPerSecond * windowMs) / 1000;
    },
    pause: () => void (window = null),
    stalledFor: (now) => (window ? now - last.at : 0),
  };
}
