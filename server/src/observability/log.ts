import { styleText } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';

/** Allow-list of the fields of a log line: our own numbers and words, no user input and no personal data. */
const fields = new Set([
  // The caller's IP address, only with LOG_REQUESTS.
  'address',
  'browser',
  'code',
  'connections',
  'id',
  'job',
  'kind',
  'method',
  'ms',
  'name',
  'page',
  'pid',
  'reason',
  'requestId',
  'route',
  'stack',
  'status',
  'version',
]);
const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Reduces objects of libraries to safe fields: database errors quote rows in their details, URLs and headers identify the caller. */
const serializers = {
  req: (request: { id?: unknown; method?: unknown; routeOptions?: { url?: unknown } }) => ({
    id: request.id,
    method: request.method,
    route: request.routeOptions?.url,
  }),
  res: (reply: { statusCode?: unknown }) => ({ status: reply.statusCode }),
  err: (error: Error & { code?: unknown }) => ({ type: error.name, code: error.code, stack: framesOf(error) }),
};

/** The stack frames without the message. */
const framesOf = ({ stack }: Error) =>
  stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

/** The destination of log lines: JSON, or text where LOG_FORMAT is `text`, or `auto` on a terminal. */
export function standardOutput(format: 'auto' | 'json' | 'text' = 'auto'): DestinationStream {
  const { stdout } = process;
  if (format === 'json' || (format === 'auto' && !stdout.isTTY)) return stdout;
  return { write: (line: string) => void stdout.write(asSentence(line, stdout.isTTY && stdout.hasColors())) };
}

/**
 * Creates the logger: lines of JSON on standard output, text on a terminal. Fields are filtered by an allow-list, whether this code
 * or a library logs them.
 */
export const openLog = (level: string, to: DestinationStream = standardOutput()): Logger =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers,
      formatters: {
        log: (entry) =>
          Object.fromEntries(
            Object.entries(entry).filter(
              ([name, value]) => name in serializers || (fields.has(name) && isPlain(value)),
            ),
          ),
      },
      hooks: {
        // For an error logged without a message, pino would use the error's message, which may hold personal data.
        logMethod([first, ...rest], method) {
          if (first instanceof Error)
            method.call(this, { err: first } as never, ...(rest.length > 0 ? rest : ['an error']));
          else method.call(this, first, ...rest);
        },
      },
    },
    to,
  );

// Input of strangers may contain terminal escape sequences.
// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** Formats a JSON log line for people: time, sentence, fields; the stack on the lines below. */
export function asSentence(line: string, colours: boolean): string {
  const { level, time, msg, stack, ...rest } = JSON.parse(line) as LoggedLine;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const [style, mark] = level >= 50 ? (['red', '✖ '] as const) : level >= 40 ? (['yellow', '! '] as const) : [null, ''];
  const sentence = plain(`${mark}${msg ?? ''}`);
  const details = Object.entries(rest).map(
    ([name, value]) => ` ${name}=${plain(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  const painted = style ? paint(style, sentence) : sentence;
  const frames = stack === undefined ? '' : `\n${plain(stack, '\n').replace(/^\s*/gm, '         ')}`;
  return `${paint('dim', time.slice(11, 19))} ${painted}${paint('dim', details.join('') + frames)}\n`;
}

interface LoggedLine extends Record<string, unknown> {
  level: number;
  time: string;
  msg?: string;
  stack?: string;
}

const plain = (text: string, lineBreak = ' ') => text.replace(controlCharacters, '?').replaceAll('\n', lineBreak);
