import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that nobody else on this machine can read, and that goes with all that is in it when its time is over. */
export const createTempDir = () => mkdtempDisposable(join(tmpdir(), 'waybill-'));
