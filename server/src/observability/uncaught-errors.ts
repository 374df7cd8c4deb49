import type { Logger } from 'pino';

/** Further errors during the shutdown are logged too, but a logger that itself throws must not loop for ever. */
const maxLogged = 5;

/** Time-out of the graceful shutdown; then the process is killed. */
const shutdownTimeoutMs = 16_000;

/**
 * Resolves at the first uncaught error, including unhandled rejections (Node turns them into uncaught exceptions). The process may
 * then be in any state: the caller must shut down gracefully with exit code 1. The error is logged through the logger's allow-list
 * instead of as raw text on standard error.
 */
export function uncaughtError(log: Logger): Promise<void> {
  let count = 0;
  return new Promise((resolve) => {
    process.on('uncaughtException', (error: unknown) => {
      if (++count > maxLogged) return;
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      log.fatal({ name, reason: message, stack }, 'an error that nobody caught ends this process');
      if (count === 1) setTimeout(() => process.kill(process.pid, 'SIGKILL'), shutdownTimeoutMs).unref();
      resolve();
    });
  });
}

/** The error to exit with after an uncaught error; the original one is already in the log. */
export const endedByError = () => new Error('Waybill ended because of an error that nobody caught: see the log above.');
