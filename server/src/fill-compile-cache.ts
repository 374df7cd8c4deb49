import { enableCompileCache } from 'node:module';

// Run once after an installation: a server that compiles its own program at the start keeps 20 MB of the compiler as long as it runs.
enableCompileCache();
await import('./serve.ts');
await import('./worker.ts');
await import('./primary.ts');
// The cache is written at the exit.
process.exit();
