import { createStore } from './store.ts';

/** Resolves the open password prompt with whether the password was given; null while none is open. */
export const passwordPrompt = createStore<((given: boolean) => void) | null>(null);

let openPrompt: Promise<boolean> | null = null;

/** Prompts for the password; concurrent requests share one prompt. @returns whether it was given */
export function promptForPassword(): Promise<boolean> {
  openPrompt ??= new Promise<boolean>((resolve) => {
    passwordPrompt.set((given) => {
      passwordPrompt.set(null);
      openPrompt = null;
      resolve(given);
    });
  });
  return openPrompt;
}

/** Whether the server refused the request until the user re-authenticates (403 `password_required`). */
export async function requiresPassword(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const reply = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null;
  return reply?.code === 'password_required';
}
