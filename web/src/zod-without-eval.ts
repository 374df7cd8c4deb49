import { config } from 'zod/mini';

// First import of the app: zod would try `new Function` when the first schema is made, which the Content Security Policy
// refuses and reports.
config({ jitless: true });
