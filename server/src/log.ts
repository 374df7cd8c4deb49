import { pino, type Logger } from 'pino';

/**
 * Lines of JSON on standard output; sentences where that is a terminal. Call sites name every field they log, and never an
 * e-mail address, phone number, token or body: whole requests, users and database errors are not handed to the logger.
 */
export const openLog = (level: string): Logger =>
  pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    process.stdout.isTTY ? { write: (line: string) => void process.stdout.write(asSentence(line)) } : process.stdout,
  );

function asSentence(line: string): string {
  const { level, time, msg, ...rest } = JSON.parse(line) as { level: number; time: string; msg?: string };
  const mark = level >= 50 ? '✖ ' : level >= 40 ? '! ' : '';
  const details = Object.entries(rest).map(([name, value]) => ` ${name}=${String(value)}`);
  return `${time.slice(11, 19)} ${mark}${msg ?? ''}${details.join('')}\n`;
}
