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
    // Only the token that was refused goes: meanwhile somebody may have signed in again.
    if (response.status === 401 && sent !== null && sent === token.get()) token.set(null);
    // The same request again, so that nothing of what was typed is lost.
    if ((await requiresPassword(response)) && (await promptForPassword())) return fetch(url, init);
    return response;
  },
});
