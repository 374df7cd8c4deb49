import { config } from 'zod/mini';

// Must be the first import of the app: with JIT, zod tries `new Function` when the first schema is created, which the Content
// Security Policy blocks and reports.
config({ jitless: true });
