import { clientErrorLimits, withoutPersonalData, type ClientErrorKind } from '@waybill/contract';

/** Per page load: further reports of a page that keeps failing add nothing. */
const maxReports = 5;
const reported = new Set<string>();

/** Not reported: lost connections, error responses of the server, aborted requests and browser noise. */
const expected =
  /Failed to fetch|NetworkError|Load failed|dynamically imported module|Importing a module script failed|ResizeObserver loop|^Script error/;
const isExpected = (error: unknown, message: string) =>
  expected.test(message) || (error instanceof Error && (error.name === 'ApiError' || error.name === 'AbortError'));

let patternOf = (_path: string): string => '/other';

/** Reports an error of this page to the server, without personal data. Never throws, and never reports its own errors. */
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
    if (reported.size >= maxReports || reported.has(body)) return;
    reported.add(body);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive: true };
    // Without the token: the report does not identify the user.
    void fetch('/api/client-errors', init).catch(() => {});
  } catch {
    // Drop a report that cannot be built: throwing here would cause another report.
  }
}

// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

const clean = (text: string, maxLength: number) =>
  withoutPersonalData(text.replaceAll(location.origin, '').replace(controlCharacters, ' '))
    .slice(0, maxLength)
    .toWellFormed()
    .trim();

/** Reports uncaught errors and unhandled rejections. @param pattern maps a path to its route pattern, which has no ids */
export function watchForErrors(pattern: (path: string) => string): void {
  patternOf = pattern;
  addEventListener('error', ({ error, message }) => reportError('error', (error as unknown) ?? message));
  addEventListener('unhandledrejection', ({ reason }) => reportError('rejection', reason));
}
