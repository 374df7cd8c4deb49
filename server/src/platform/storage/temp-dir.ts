import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder (mode 0700), deleted with its content when the `await using` scope ends. */
export const createTempDir = () => mkdtempDisposable(join(tmpdir(), 'waybill-'));
