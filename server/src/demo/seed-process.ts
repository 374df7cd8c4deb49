import { enableCompileCache } from 'node:module';

// A child process of the first start, see primary.ts. It stops when its parent does, together with the database.
enableCompileCache();
process.on('SIGINT', () => {});
const { readConfig } = await import('../config.ts');
const { openLog, standardOutput } = await import('../observability/log.ts');
const { seedDemo } = await import('./demo.ts');

const config = readConfig(process.env);
const log = openLog(config.LOG_LEVEL, standardOutput(config.LOG_FORMAT));
await seedDemo(config, JSON.parse(process.env.WAYBILL_CONNECTION ?? '{}'), log);
