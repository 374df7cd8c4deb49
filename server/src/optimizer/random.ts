/** Random numbers that a seed repeats. */
export interface Random {
  /** From 0 up to, but without, 1. */
  next(): number;
  /** An integer from 0 up to, but without, `bound`. */
  below(bound: number): number;
}

/** The generator sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, and a cycle of at least 2^32. */
export function createRandom(seed: number): Random {
  // A typed array: as variables of a closure, the words would become heap objects at every call.
  const state = new Int32Array([0x9e3779b9, 0x243f6a88, seed | 0, 1]);
  const next = (): number => {
    const a = state[0] ?? 0;
    const b = state[1] ?? 0;
    const c = state[2] ?? 0;
    const counter = state[3] ?? 0;
    const word = (((a + b) | 0) + counter) | 0;
    state[3] = (counter + 1) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + word) | 0;
    return (word >>> 0) / 4294967296;
  };
  // Neighbouring seeds begin alike.
  for (let round = 0; round < 16; round++) next();
  return { next, below: (bound) => Math.floor(next() * bound) };
}
