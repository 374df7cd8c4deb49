import type { CurrentUser } from '@waybill/contract';
import { localStorageItem } from './local-storage.ts';
import { createStore, useStore } from './store.ts';
import { token } from './token.ts';

/**
 * What the frame of the page shows of the user: kept in local storage, beside the token, so that a reload paints it at once. The server
 * decides every request, so a stale copy shows at most a link that is refused.
 */
export type FrameUser = Pick<
  CurrentUser,
  'name' | 'email' | 'role' | 'status' | 'permissionsInForce' | 'mustChangePassword' | 'mustSetUpSecondFactor'
>;

/** Numbers on the frame's links. */
export interface FrameCounts {
  unread?: number;
  messages?: number;
  accounts?: number;
}

interface LastSession {
  /** The end of its token: the copy of another session is not shown. */
  of: string;
  user: FrameUser;
  counts: FrameCounts;
}

const stored = localStorageItem('lastSession');
const endOf = (value: string) => value.slice(-8);

function read(): LastSession | null {
  const current = token.get();
  try {
    const last = JSON.parse(stored.read() ?? 'null') as LastSession | null;
    return last && current !== null && last.of === endOf(current) && Array.isArray(last.user.permissionsInForce)
      ? last
      : null;
  } catch {
    return null;
  }
}

const lastSession = createStore<LastSession | null>(read(), null);

/** The last session of this token; null on the server, while hydrating, and where nothing is known. */
export const useLastSession = () => useStore(lastSession);

const write = (next: LastSession | null) => {
  lastSession.set(next);
  stored.write(next && JSON.stringify(next));
};

/** Called with each user that the server confirmed, after its token was set. */
export function rememberUser(user: FrameUser): void {
  const current = token.get();
  if (current === null) return;
  const { name, email, role, status, permissionsInForce, mustChangePassword, mustSetUpSecondFactor } = user;
  write({
    of: endOf(current),
    user: { name, email, role, status, permissionsInForce, mustChangePassword, mustSetUpSecondFactor },
    counts: read()?.counts ?? {},
  });
}

/** Keeps numbers of the frame for the next reload. */
export function rememberCounts(counts: FrameCounts): void {
  const last = lastSession.get();
  if (last && Object.entries(counts).some(([name, count]) => last.counts[name as keyof FrameCounts] !== count))
    write({ ...last, counts: { ...last.counts, ...counts } });
}

/** Called when the session ends. */
export const forgetSession = () => write(null);

/** Called when the token was replaced, by this tab or another: shows what was kept for the new one. */
export const recallSession = () => lastSession.set(read());
