import { clientErrorLimits, withoutPersonalData, type ClientErrorKind } from '@waybill/contract';

/** Of one opening of the application: what breaks again and again is known by then. */
const maxReports = 5;
const told = new Set<string>();

/** What is no fault of the page: there is no connection, the server has said so itself, or somebody has left. */
const expected =
  /Failed to fetch|NetworkError|Load failed|dynamically imported module|Importing a module script failed|ResizeObserver loop|^Script error/;
const isExpected = (error: unknown, message: string) =>
  expected.test(message) || (error instanceof Error && (error.name === 'ApiError' || error.name === 'AbortError'));

let patternOf = (_path: string): string => '/other';

/** Tells the server that this page broke, without anything of whoever looks at it. Never fails, and never tells of itself. */
export function reportError(kind: ClientErrorKind, error: unknown): void {
  try {
    const message = String(error instanceof Error ? error.message : error);
    if (!navigator.onLine || isExpected(error, message)) return;
    const report = {
      kind,
      message: clean(message, clientErrorLimits.message) || 'an error without a message',
      stack: clean((error instanceof Error && error.stack) || '', clientErrorLimits.stack) || undefined,
      page: patternOf(location.pathname),
      version: import.meta.env.VITE_VERSION as string,
    };
    const body = JSON.stringify(report);
    if (told.size >= maxReports || told.has(body)) return;
    told.add(body);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive: true };
    // Without the token: whose page it is does not matter.
    void fetch('/api/client-errors', init).catch(() => {});
  } catch {
    // What cannot be told stays untold.
  }
}

// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

const clean = (text: string, most: number) =>
  withoutPersonalData(text.replaceAll(location.origin, '').replace(controlCharacters, ' '))
    .slice(0, most)
    .toWellFormed()
    .trim();

/** @param pattern which page a path is, without the ids in it */
export function watchForErrors(pattern: (path: string) => string): void {
  patternOf = pattern;
  addEventListener('error', ({ error, message }) => reportError('error', (error as unknown) ?? message));
  addEventListener('unhandledrejection', ({ reason }) => reportError('rejection', reason));
}
