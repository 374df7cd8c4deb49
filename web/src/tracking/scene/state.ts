import type { PublicView } from '@waybill/contract';
import { arrivalOfView } from '../arrival.ts';
import type { Lookup } from '../lookup.ts';
import type { SceneState } from './scene-state.ts';

export function sceneOf(lookup: Lookup): SceneState {
  if (lookup.state !== 'found')
    return {
      shot: 'depot',
      dock: 'asleep',
      van: lookup.state === 'none',
      place: null,
      tint: lookup.state === 'none' ? 'blue' : 'grey',
      initial: null,
    };
  return sceneOfPackage(arrivalOfView(lookup.view));
}

interface Shown extends Pick<PublicView, 'status' | 'recipientName' | 'location' | 'stopsAway'> {
  /** It waits again after a failed attempt. */
  failed: boolean;
  nextStep: { kind: NonNullable<PublicView['nextStep']>['kind'] } | null;
}

export function sceneOfPackage({ status, recipientName, location, stopsAway, failed, nextStep }: Shown): SceneState {
  const initial = initialOf(recipientName);
  switch (status) {
    case 'delivered':
      return { shot: 'door', tint: 'green', delivered: true, initial };
    case 'in transit':
      return { shot: 'road', tint: 'blue', stopsAway, initial };
    case 'out for delivery':
      return { shot: 'road', tint: 'blue', stopsAway: 0, initial };
    case 'processing':
      if (failed && nextStep?.kind === 'collect')
        return { shot: 'depot', tint: 'yellow', dock: 'counter', van: false, place: location, initial };
      if (failed) return { shot: 'door', tint: 'grey', delivered: false, initial };
      return { shot: 'depot', tint: 'yellow', dock: 'open', van: true, place: location, initial };
    default:
      return { shot: 'depot', tint: 'grey', dock: 'open', van: false, place: null, initial };
  }
}

const initialOf = (recipientName: string | null): string | null =>
  recipientName === null ? null : (/\p{L}/u.exec(recipientName)?.[0].toUpperCase() ?? null);

/** Most houses that are lit; with more stops than these the road has none. */
export const maxHouses = 5;

/** From 20:00 to 06:00 of the viewer's clock. */
export const isNight = (now: Date): boolean => now.getHours() >= 20 || now.getHours() < 6;
