import { parentPort, workerData } from 'node:worker_threads';
import { openSmtp } from './smtp.ts';
import { BouncedError, RefusedError, type OutgoingMessage } from './transport.ts';

/** The mail server, and the address of the sender. */
export interface MailServer {
  url: string;
  from: string;
}

export interface Task {
  id: number;
  /** Null: only sign in. */
  message: OutgoingMessage | null;
}

export type TaskResult =
  | { id: number; failed: null }
  | { id: number; failed: 'refused' | 'bounced' | 'else'; reason: string };

const { url, from } = workerData as MailServer;
const smtp = openSmtp(url, from);
const answer = (result: TaskResult) => parentPort?.postMessage(result);

function kindOf(error: unknown): 'refused' | 'bounced' | 'else' {
  if (error instanceof BouncedError) return 'bounced';
  return error instanceof RefusedError ? 'refused' : 'else';
}

parentPort?.on('message', ({ id, message }: Task) => {
  (message ? smtp.send(message) : smtp.verify()).then(
    () => answer({ id, failed: null }),
    (error: unknown) =>
      answer({ id, failed: kindOf(error), reason: error instanceof Error ? error.message : String(error) }),
  );
});
