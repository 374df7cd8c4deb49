// Starts the server, restarted on every change, and Vite with hot reload, which proxies /api to the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const node = join(root, 'node_modules/.bin/node');
const server = `http://${process.env.HOST ?? '127.0.0.1'}:${process.env.PORT ?? 3000}`;

const start = (cwd, args, env = {}) =>
  spawn(node, args, {
    cwd: join(root, cwd),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Ctrl+C signals the whole foreground process group, and node --watch forwards it once more: the server would take the second
    // SIGINT as a request to stop immediately.
    detached: true,
  });

const children = [
  start('.', ['--watch', '--watch-preserve-output', 'server/src/main.ts']),
  start('web', [join(root, 'node_modules/vite/bin/vite.js')], { WAYBILL_URL: server }),
];

const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
process.on('SIGHUP', stop);

const exits = children.map((child) => once(child, 'exit'));
await Promise.race(exits);
stop();
await Promise.all(exits);
