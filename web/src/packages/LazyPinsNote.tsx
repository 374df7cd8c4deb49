import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';

export const PinsNote = lazyComponent(() => importWithRetry(async () => (await import('./PinsNote.tsx')).PinsNote));
