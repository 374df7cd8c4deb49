import { roles } from '@waybill/contract';
import type { CurrentUser, Permission, Role, SignedIn } from '@waybill/contract';
import { api } from './api.ts';
import { clearTabDrafts } from './clear-tab-drafts.ts';
import { createStore, useStore } from './store.ts';
import { forgetSession, recallSession, rememberUser } from './last-session.ts';
import { localStorageItem } from './local-storage.ts';
import { toast } from './toasts.ts';
import { followOtherTabs, token } from './token.ts';

export interface Session {
  /** There is a token, and its user is being fetched. */
  loading: boolean;
  user: CurrentUser | null;
  role: Role | null;
  /** The effective permissions: none unless the user is active. */
  permissions: readonly Permission[];
  /** How the last session of this page ended: by a sign-out here, which needs no warning, or by expiry, revocation or another tab. */
  ended: 'signed-out' | 'invalidated' | null;
}

interface ReturnTo {
  userId: string;
  href: string;
}

const signedOut: Session = { loading: false, user: null, role: null, permissions: [], ended: null };

const session = createStore<Session>({ ...signedOut, loading: token.get() !== null }, signedOut);

/** The role chosen on the landing page, for the registration form. In local storage, because full page loads lie between the two. */
const storedRole = localStorageItem('chosenRole');
const chosenRole = createStore<Role | null>(roles.find((role) => role === storedRole.read()) ?? null, null);
chosenRole.subscribe(() => storedRole.write(chosenRole.get()));

let returnTo: ReturnTo | null = null;
/** The token of the last sign-in, whose response included the user: no fetch needed. */
let signInToken: string | null = null;

export const getSession = session.get;
export const onSessionChange = session.subscribe;
export const useSession = () => useStore(session);
export const useChosenRole = () => useStore(chosenRole);
export const chooseRole = (role: Role) => chosenRole.set(role);

function setUser(user: CurrentUser): void {
  clearTabDrafts(user.id);
  session.set({ loading: false, user, role: user.role, permissions: user.permissionsInForce, ended: null });
}

/** Starts a session from the response of login or register. */
export function signIn({ token: newToken, ...user }: SignedIn): void {
  setUser(user);
  signInToken = newToken;
  token.set(newToken);
  rememberUser(user);
}

/** Clears the session here after the account was deleted: the server has already ended it. */
export function clearSession(): void {
  endSession('signed-out');
  token.set(null);
}

/** Signs out: ends the session here at once, and on the server if the request succeeds. */
export function logout(): void {
  if (token.get() !== null) void api.auth.logout().catch(() => undefined);
  endSession('signed-out');
  token.set(null);
}

/** Refetches the user after an invalidation. If the token is refused (401), the session ends. */
export async function refreshUser(): Promise<void> {
  const requestToken = token.get();
  if (requestToken === null) return;
  const user = await api.users.me().catch(() => null);
  if (!user || token.get() !== requestToken) return;
  setUser(user);
  rememberUser(user);
}

/**
 * The page on which the last session was invalidated, if the same user signs in again. Cleared by reading it.
 * @param requested the page that a visitor requested; used only if no session was invalidated before
 */
export function consumeReturnTo(userId: string, requested: string | null): string | null {
  const ended = returnTo;
  returnTo = null;
  if (ended === null) return requested;
  return ended.userId === userId ? ended.href : null;
}

/** Called once on start-up. */
export function startSession(): void {
  // theme.js set this to hide 'Sign In' until the header has rendered the session.
  requestAnimationFrame(() => delete document.documentElement.dataset.token);
  followOtherTabs();
  token.subscribe(() => {
    if (token.get() === null) {
      if (session.get().ended !== 'signed-out') endSession('invalidated');
    } else if (token.get() !== signInToken) {
      void loadUser();
    }
  });
  if (token.get() !== null) void loadUser();
}

/** Fetches the user of the token. Failure clears token and user; one retry keeps a single lost request from ending the session. */
async function loadUser(): Promise<void> {
  session.set({ ...signedOut, loading: true });
  recallSession();
  const requestToken = token.get();
  const user = await api.users
    .me()
    .catch(() => (token.get() === requestToken ? api.users.me().catch(showFailure) : null));
  if (token.get() !== requestToken) return;
  if (user) {
    setUser(user);
    rememberUser(user);
  } else token.set(null);
}

/** Shows why the user could not be fetched. Not for a refused token: that is cleared already, and ends the session. */
function showFailure(error: Error): null {
  if (token.get() !== null) toast({ title: 'Error', description: error.message, variant: 'destructive' });
  return null;
}

function endSession(ended: 'signed-out' | 'invalidated'): void {
  forgetSession();
  const { user } = session.get();
  if (user && ended === 'invalidated') returnTo = { userId: user.id, href: location.pathname + location.search };
  session.set({ ...signedOut, ended });
  if (ended === 'invalidated') return;
  chosenRole.set(null);
  clearTabDrafts(null);
}
