// Without zod, so that the public pages can load it: they have no schemas.

export const clientErrorLimits = { message: 300, stack: 2000 } as const;

/**
 * Redacts possible personal data in the text of an error: email addresses, query strings, ids, tokens, numbers as long as a phone number,
 * and quoted texts of more than one word, which a parser may have copied from data. The browser runs it, and the server again on receipt.
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
