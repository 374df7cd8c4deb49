import { createStore } from './store.ts';

/** Takes the answer while the password is asked for; null when it is not. */
export const passwordPrompt = createStore<((given: boolean) => void) | null>(null);

let asking: Promise<boolean> | null = null;

/** Asks for the password, once for all requests that wait for it. @returns whether it was given */
export function promptForPassword(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    passwordPrompt.set((given) => {
      passwordPrompt.set(null);
      asking = null;
      resolve(given);
    });
  });
  return asking;
}

/** Whether the server wants the password again before it does this. */
export async function requiresPassword(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const reply = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null;
  return reply?.code === 'password_required';
}
