import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../platform/api.ts';
import { refresh } from '../platform/invalidation.ts';
import { preferencesQuery } from './queries.ts';

/**
 * Whether this browser can show pushed messages. `install`: on iPhones and iPads only once the product is on the home screen. `denied`: the
 * user has blocked notifications of this site, which only the browser's settings undo.
 */
type PushAbility = 'able' | 'unsupported' | 'install' | 'denied';

const isApplePhone = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

function abilityOf(): PushAbility {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return isApplePhone() && !matchMedia('(display-mode: standalone)').matches ? 'install' : 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'able';
}

const key = ['notifications', 'push'];

interface PushState {
  ability: PushAbility;
  /** Whether the browser has a subscription. The server may have forgotten it. */
  isSubscribed: boolean;
}

/** Read again whenever the window gets the focus: the user may come from the browser's settings. */
export const usePushState = () =>
  useQuery({
    queryKey: key,
    queryFn: async (): Promise<PushState> => {
      const ability = abilityOf();
      if (ability !== 'able') return { ability, isSubscribed: false };
      const registration = await navigator.serviceWorker.getRegistration();
      return { ability, isSubscribed: ((await registration?.pushManager.getSubscription()) ?? null) !== null };
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

/** The user has not allowed notifications. */
export class PermissionError extends Error {}

async function turnOn(pushKey: string): Promise<void> {
  // In the click's turn: browsers ask only then.
  if ((await Notification.requestPermission()) !== 'granted') throw new PermissionError();
  await navigator.serviceWorker.register('/push-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await subscribed(pushManager, pushKey);
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await api.notifications.subscribe({ body: { endpoint, keys: { p256dh, auth } } });
}

async function subscribed(pushManager: PushManager, pushKey: string): Promise<PushSubscription> {
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  try {
    return await subscribe();
  } catch (error) {
    // One for another key, of an installation that was at this address before.
    const old = await pushManager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return subscribe();
  }
}

async function turnOff(): Promise<void> {
  await api.notifications.unsubscribe();
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** @param pushKey the installation's */
export const useSetPush = (pushKey: string) =>
  useMutation({
    mutationFn: (on: boolean) => (on ? turnOn(pushKey) : turnOff()),
    onSettled: () => {
      refresh(key);
      refresh(preferencesQuery().queryKey);
    },
  });
