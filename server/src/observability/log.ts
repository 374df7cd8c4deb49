import { styleText } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';

/** What a line may say besides its sentence: numbers and words of our own choosing, never what somebody has typed or who it was. */
const fields = new Set([
  // Of callers, and only where LOG_REQUESTS asks for it.
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

/** Where the lines go, as LOG_FORMAT says. */
export function standardOutput(format: 'auto' | 'json' | 'text' = 'auto'): DestinationStream {
  const { stdout } = process;
  if (format === 'json' || (format === 'auto' && !stdout.isTTY)) return stdout;
  return { write: (line: string) => void stdout.write(asSentence(line, stdout.isTTY && stdout.hasColors())) };
}

/**
 * Lines of JSON on standard output; sentences where that is a terminal. Fields are allowed by name: whatever else is handed to the
 * logger, by us or by a library, does not get into a line.
 */
export const openLog = (level: string, to: DestinationStream = standardOutput()): Logger =>
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

// What strangers send may hold the codes by which a terminal is controlled.
// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** A line for people: time, sentence, fields; a stack below it. */
export function asSentence(line: string, colours: boolean): string {
  const { level, time, msg, stack, ...rest } = JSON.parse(line) as LoggedLine;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const [style, mark] = level >= 50 ? (['red', '✖ '] as const) : level >= 40 ? (['yellow', '! '] as const) : [null, ''];
  const sentence = plain(`${mark}${msg ?? ''}`);
  const details = Object.entries(rest).map(
    ([name, value]) => ` ${name}=${plain(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  const told = style ? paint(style, sentence) : sentence;
  const frames = stack === undefined ? '' : `\n${plain(stack, '\n').replace(/^\s*/gm, '         ')}`;
  return `${paint('dim', time.slice(11, 19))} ${told}${paint('dim', details.join('') + frames)}\n`;
}

interface LoggedLine extends Record<string, unknown> {
  level: number;
  time: string;
  msg?: string;
  stack?: string;
}

const plain = (text: string, lineBreak = ' ') => text.replace(controlCharacters, '?').replaceAll('\n', lineBreak);
