import { pino, type DestinationStream, type Logger } from 'pino';

/** What a line may say besides its sentence: numbers and words of our own choosing, never what somebody has typed or who it was. */
const fields = new Set([
  'connections',
  'id',
  'job',
  'method',
  'ms',
  'pid',
  'reason',
  'requestId',
  'route',
  'stack',
  'status',
]);
const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Of what others hand over whole, only this. An error of the database quotes the row in its details, a URL and headers tell who calls. */
const serializers = {
  req: (request: { id?: unknown; method?: unknown; routeOptions?: { url?: unknown } }) => ({
    id: request.id,
    method: request.method,
    route: request.routeOptions?.url,
  }),
  res: (reply: { statusCode?: unknown }) => ({ status: reply.statusCode }),
  err: (error: Error & { code?: unknown }) => ({ type: error.name, code: error.code, stack: framesOf(error) }),
};

/** Where it was thrown, without the message. */
const framesOf = ({ stack }: Error) =>
  stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

/**
 * Lines of JSON on standard output; sentences where that is a terminal. Fields are allowed by name: whatever else is handed to the
 * logger, by us or by a library, does not get into a line.
 */
export const openLog = (
  level: string,
  to: DestinationStream = process.stdout.isTTY
    ? { write: (line: string) => void process.stdout.write(asSentence(line)) }
    : process.stdout,
): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers,
      formatters: {
        log: (given) =>
          Object.fromEntries(
            Object.entries(given).filter(
              ([name, value]) => name in serializers || (fields.has(name) && isPlain(value)),
            ),
          ),
      },
      hooks: {
        // An error that is logged by itself would lend the line its message.
        logMethod([first, ...rest], method) {
          if (first instanceof Error)
            method.call(this, { err: first } as never, ...(rest.length > 0 ? rest : ['an error']));
          else method.call(this, first, ...rest);
        },
      },
    },
    to,
  );

function asSentence(line: string): string {
  const { level, time, msg, ...rest } = JSON.parse(line) as { level: number; time: string; msg?: string };
  const mark = level >= 50 ? '✖ ' : level >= 40 ? '! ' : '';
  const details = Object.entries(rest).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${time.slice(11, 19)} ${mark}${msg ?? ''}${details.join('')}\n`;
}
