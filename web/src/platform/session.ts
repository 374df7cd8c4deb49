import { roles } from '@waybill/contract';
import type { CurrentUser, Permission, Role, SignedIn } from '@waybill/contract';
import { api } from './api.ts';
import { clearTabDrafts } from './clear-tab-drafts.ts';
import { createStore, useStore } from './store.ts';
import { localStorageItem } from './local-storage.ts';
import { toast } from './toasts.ts';
import { followOtherTabs, token } from './token.ts';

export interface Session {
  /** A token is here and its user is on the way. */
  loading: boolean;
  user: CurrentUser | null;
  role: Role | null;
  /** In force: none unless the user is active. */
  permissions: readonly Permission[];
  /** How the last session of this page ended; a sign-out by hand needs no warning. */
  ended: 'by hand' | 'by itself' | null;
}

interface ReturnPoint {
  userId: string;
  href: string;
}

const signedOut: Session = { loading: false, user: null, role: null, permissions: [], ended: null };

const session = createStore<Session>({ ...signedOut, loading: token.get() !== null }, signedOut);

/** The role picked on the landing page, for the registration form: pages that the server draws come between the two. */
const keptRole = localStorageItem('chosenRole');
const chosenRole = createStore<Role | null>(roles.find((role) => role === keptRole.read()) ?? null, null);
chosenRole.subscribe(() => keptRole.write(chosenRole.get()));

let returnPoint: ReturnPoint | null = null;
/** The token whose user came with it: nothing to load. */
let adopted: string | null = null;

export const getSession = session.get;
export const onSessionChange = session.subscribe;
export const useSession = () => useStore(session);
export const useChosenRole = () => useStore(chosenRole);
export const chooseRole = (role: Role) => chosenRole.set(role);

function setUser(user: CurrentUser): void {
  clearTabDrafts(user.id);
  session.set({ loading: false, user, role: user.role, permissions: user.permissionsInForce, ended: null });
}

/** Takes over the answer of login or register. */
export function signIn({ token: fresh, ...user }: SignedIn): void {
  setUser(user);
  adopted = fresh;
  token.set(fresh);
}

/** The account is gone, and every session with it. */
export function clearSession(): void {
  endSession('by hand');
  token.set(null);
}

/** Ends the session here at once and on the server as soon as it can be reached. */
export function logout(): void {
  if (token.get() !== null) void api.auth.logout().catch(() => undefined);
  endSession('by hand');
  token.set(null);
}

/** Reads the user again after the server hinted at a change; a refused token ends the session by itself. */
export async function refreshUser(): Promise<void> {
  const asked = token.get();
  if (asked === null) return;
  const user = await api.users.me().catch(() => null);
  if (user && token.get() === asked) setUser(user);
}

/**
 * Where a session that ended by itself was, if the same user is back; asked once.
 * @param requested what was asked for by a visitor: it opens only where no session was before
 */
export function consumeReturnTo(userId: string, requested: string | null): string | null {
  const ended = returnPoint;
  returnPoint = null;
  if (ended === null) return requested;
  return ended.userId === userId ? ended.href : null;
}

/** Called once, at the start of the app. */
export function startSession(): void {
  // What theme.js set for the time until the header knows by itself who is here.
  requestAnimationFrame(() => delete document.documentElement.dataset.token);
  followOtherTabs();
  token.subscribe(() => {
    if (token.get() === null) {
      if (session.get().ended !== 'by hand') endSession('by itself');
    } else if (token.get() !== adopted) {
      void loadUser();
    }
  });
  if (token.get() !== null) void loadUser();
}

/** A failed load clears token and user, as at every start; one retry saves a session from a single lost request. */
async function loadUser(): Promise<void> {
  session.set({ ...signedOut, loading: true });
  const asked = token.get();
  const user = await api.users.me().catch(() => (token.get() === asked ? api.users.me().catch(tellFailure) : null));
  if (token.get() !== asked) return;
  if (user) setUser(user);
  else token.set(null);
}

/** A token that was refused tells by itself what has to be done. */
function tellFailure(error: Error): null {
  if (token.get() !== null) toast({ title: 'Error', description: error.message, variant: 'destructive' });
  return null;
}

function endSession(ended: 'by hand' | 'by itself'): void {
  const { user } = session.get();
  if (user && ended === 'by itself') returnPoint = { userId: user.id, href: location.pathname + location.search };
  session.set({ ...signedOut, ended });
  if (ended === 'by itself') return;
  chosenRole.set(null);
  clearTabDrafts(null);
}
