import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { once } from 'node:events';

/** Another process that answers questions, one at a time: what is measured shares no event loop with what measures it. */
export interface Child<Question, Answer> {
  pid: number;
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts `script` of this folder, which calls `answerQuestions` when it is ready. */
export async function startChild<Question extends Serializable, Answer>(
  script: string,
): Promise<Child<Question, Answer>> {
  const child = fork(new URL(script, import.meta.url), {
    env: { ...process.env, NODE_ENV: 'production' },
    execArgv: ['--expose-gc'],
  });
  await nextMessage(child, script);
  return {
    pid: child.pid ?? 0,
    async ask(question) {
      const answer = nextMessage(child, script);
      child.send(question);
      return (await answer) as Answer;
    },
    stop: () => stopChild(child, 'SIGTERM'),
  };
}

async function nextMessage(child: ChildProcess, name: string): Promise<unknown> {
  const over = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: over.signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal: over.signal }).then(([code]: unknown[]) => {
        throw new Error(`${name} ended with ${String(code)}; its message stands above.`);
      }),
    ]);
  } finally {
    over.abort();
  }
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** In the child: says that it is ready, then answers. */
export function answerQuestions(answer: (question: never) => unknown): void {
  process.on('message', (question) => {
    void Promise.resolve(answer(question as never)).then((found) => process.send?.(found));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
