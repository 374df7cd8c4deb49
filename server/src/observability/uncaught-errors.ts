import type { Logger } from 'pino';

/** A second error on the way out is told too; a log that itself fails must not keep the process busy for ever. */
const maxLogged = 5;

/** How long the orderly end may take. */
const endWithinMs = 16_000;

/**
 * Resolves at the first error that nobody caught, a rejected promise included (Node turns one into an uncaught exception). After it
 * the process may be in any state: whoever waits for this ends it in order, with exit code 1. The error reaches the log through the
 * log's allow-list instead of as raw text on standard error.
 */
export function uncaughtError(log: Logger): Promise<void> {
  let told = 0;
  return new Promise((resolve) => {
    process.on('uncaughtException', (error: unknown) => {
      if (++told > maxLogged) return;
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      log.fatal({ name, reason: message, stack }, 'an error that nobody caught ends this process');
      if (told === 1) setTimeout(() => process.kill(process.pid, 'SIGKILL'), endWithinMs).unref();
      resolve();
    });
  });
}

/** What the process ends with after such an error; the log has it already. */
export const endedByError = () => new Error('Waybill ended because of an error that nobody caught: see the log above.');
