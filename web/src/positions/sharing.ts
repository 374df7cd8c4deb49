import { ApiError } from '@waybill/contract';
import type { DevicePosition } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { localStorageItem } from '../platform/local-storage.ts';
import { getSession, onSessionChange } from '../platform/session.ts';
import { createStore } from '../platform/store.ts';
import { openQueue, type PositionQueue } from './position-queue.ts';

/** `denied`: the browser or the person does not allow it. `clock`: the server does not believe the device's time. */
export type SharingState = 'off' | 'waiting' | 'sharing' | 'denied' | 'clock';

const sendEveryMs = 10_000;
const stored = localStorageItem('positions');

export const sharingState = createStore<SharingState>('off');
/** How many points wait to be sent. */
export const keptPoints = createStore(0);

// Where somebody was is nobody else's: signing out forgets what was not sent.
onSessionChange(() => {
  const { user, loading } = getSession();
  if (!user && !loading) stored.write(null);
});

const asPoint = ({ coords, timestamp }: GeolocationPosition): DevicePosition => ({
  at: new Date(timestamp).toISOString(),
  lon: coords.longitude,
  lat: coords.latitude,
  accuracy: coords.accuracy,
  speed: coords.speed === null || Number.isNaN(coords.speed) ? null : coords.speed,
  heading: coords.heading === null || Number.isNaN(coords.heading) ? null : coords.heading,
});

/**
 * Watches the position and sends it every 10 s; without a connection it is kept on the device. `onEnded` when the server wants no
 * more, because the driver has not agreed or is off duty.
 * @returns stops it
 */
export function startSharing(userId: string, onEnded: () => void): () => void {
  const queue = openQueue(stored, userId);
  const startedAt = Date.now();
  let ended = false;
  sharingState.set('waiting');
  keptPoints.set(queue.size());
  const watch = navigator.geolocation.watchPosition(
    (position) => {
      if (sharingState.get() !== 'clock') sharingState.set('sharing');
      // The browser may remember where the phone was before the driver agreed.
      if (position.timestamp < startedAt) return;
      queue.add(asPoint(position));
      keptPoints.set(queue.size());
    },
    // Without a position for a while it goes on: in a tunnel, or a garage.
    ({ code }) => sharingState.set(code === GeolocationPositionError.PERMISSION_DENIED ? 'denied' : 'waiting'),
    { enableHighAccuracy: true, maximumAge: 5000 },
  );
  const end = () => {
    if (ended) return;
    ended = true;
    navigator.geolocation.clearWatch(watch);
    clearInterval(timer);
    sharingState.set('off');
  };
  const send = () =>
    void flush(queue).then((outcome) => {
      keptPoints.set(queue.size());
      if (ended) return;
      if (outcome === 'clock') sharingState.set('clock');
      if (outcome === 'sent' && sharingState.get() === 'clock') sharingState.set('sharing');
      if (outcome !== 'ended') return;
      end();
      onEnded();
    });
  const timer = setInterval(send, sendEveryMs);
  return () => {
    // What was gathered until now still arrives.
    if (!ended) send();
    end();
  };
}

/** Sends what waits. @returns how that went; null if there was nothing to send, or no connection */
async function flush(queue: PositionQueue): Promise<'sent' | 'clock' | 'ended' | null> {
  for (;;) {
    const positions = queue.batch();
    if (positions.length === 0) return null;
    try {
      const { refused } = await api.positions.report({ body: { positions } });
      queue.remove(positions);
      const isNow = Math.abs(Date.now() - Date.parse(positions.at(-1)?.at ?? '')) < 60_000;
      if (refused === positions.length && isNow) return 'clock';
      if (queue.batch().length === 0) return 'sent';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isEnd = error.code === 'no_consent' || error.code === 'off_duty';
      if (isEnd) queue.clear();
      // The server will not take these, however often they are sent.
      if (error.code === 'invalid') queue.remove(positions);
      return isEnd ? 'ended' : null;
    }
  }
}
