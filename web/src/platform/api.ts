import { createClient } from '@waybill/contract';
import { promptForPassword, requiresPassword } from './password-prompt.ts';
import { token } from './token.ts';

/** The whole API, typed: `api.packages.get({ params: { id } })`. Failures are thrown as ApiError. */
export const api = createClient({
  token: token.get,
  offline: () => !navigator.onLine,
  async fetch(url, init) {
    const sent = token.get();
    const response = await fetch(url, init);
    // Clear only the token that was refused: the user may have signed in again while the request was in flight, and a recipient's call
    // has a token of its own.
    const isRefused = response.status === 401 && sent !== null && sent === token.get();
    if (isRefused && new Headers(init.headers).get('authorization') === `Bearer ${sent}`) token.set(null);
    // Repeat the request after re-authentication, so that no form input is lost.
    if ((await requiresPassword(response)) && (await promptForPassword())) return fetch(url, init);
    return response;
  },
});
