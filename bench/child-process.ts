import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { treeOf } from './machine.ts';

/** A child process that handles one command at a time, so that load and measurement do not share an event loop. */
export interface Child<Command, Result> {
  pid: number;
  run(command: Command): Promise<Result>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Remembers a child process until it has ended, for `killRemaining`. */
export function remember(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Ends what a failed part has left running, with all child processes of it. */
export async function killRemaining(): Promise<void> {
  for (const child of running) {
    const below = (await treeOf(child.pid ?? 0)).slice(1);
    await stopChild(child, 'SIGKILL');
    for (const pid of below) kill(pid);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with its parent.
  }
}

/** Starts `script` of this folder, which calls `handleCommands` when it is ready. */
export async function startChild<Command extends Serializable, Result>(
  script: string,
): Promise<Child<Command, Result>> {
  const child = fork(new URL(script, import.meta.url), {
    env: { ...process.env, NODE_ENV: 'production' },
    execArgv: ['--expose-gc'],
  });
  remember(child);
  await nextMessage(child, script);
  return {
    pid: child.pid ?? 0,
    async run(command) {
      const result = nextMessage(child, script);
      child.send(command);
      return (await result) as Result;
    },
    stop: () => stopChild(child, 'SIGTERM'),
  };
}

async function nextMessage(child: ChildProcess, name: string): Promise<unknown> {
  const abort = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: abort.signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal: abort.signal }).then(([code]: unknown[]) => {
        throw new Error(`${name} ended with ${String(code)}; its message stands above.`);
      }),
    ]);
  } finally {
    abort.abort();
  }
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Call in the child process: signals that it is ready, then handles commands. */
export function handleCommands(handle: (command: never) => unknown): void {
  process.on('message', (command) => {
    void Promise.resolve(handle(command as never)).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
