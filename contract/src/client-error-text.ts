// Without a schema, so that the pages of visitors can have it.

export const clientErrorLimits = { message: 300, stack: 2000 } as const;

/**
 * Takes out of an error's text what may tell of somebody: e-mail addresses, query strings, ids, tokens, numbers as long as a phone's, and
 * quoted texts that are no single word, which a parser may have copied from data. Run by the browser, and by the server again on what comes.
 */
export const withoutPersonalData = (message: string): string =>
  message
    .replace(/[^\s@"'()<>]+@[^\s@"'()<>]+/g, '(email)')
    .replace(/(\/[^\s?#()]*)[?#][^\s:()]*/g, '$1')
    .replace(/\bPKG-\w+/gi, '(id)')
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '(id)')
    .replace(/[\w-]{40,}/g, '(token)')
    .replace(/\+?\d[\d ().-]{5,}\d/g, '(number)')
    .replace(/(["'`])(?:(?!\1)[^\n])*\1/g, (quoted) => (/^.\w{1,40}.$/.test(quoted) ? quoted : '(text)'));
