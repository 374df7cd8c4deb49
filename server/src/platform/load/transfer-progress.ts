/** Less than this is a connection that is held and not used. */
const minBytesPerSecond = 10_000;

/** How a long body comes in, or a long answer goes out. */
export interface TransferProgress {
  /** Tells how many bytes have moved by now. @returns whether these are too few since the window began */
  isTooSlow(bytes: number, now: number): boolean;
  /** There is nothing to be moved for the time being: what comes next is measured anew. */
  rest(): void;
  /** For how long nothing has moved, in milliseconds; 0 where nothing is to be moved. */
  stalledFor(now: number): number;
}

/** Measured in windows, since the first megabytes of an answer go into the buffers of both ends, whoever reads them. */
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
    rest: () => void (window = null),
    stalledFor: (now) => (window ? now - last.at : 0),
  };
}
