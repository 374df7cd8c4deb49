import { fill, withTheDriver } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { texts } from '../platform/texts.ts';
import type { SceneState } from './scene/scene-state.ts';

type EventType = PublicView['events'][number]['type'];

/** A text by a key that may be of a newer server, which is then shown as it is. */
const lookUp = (list: Partial<Record<string, string>>, key: string): string => list[key] ?? key;

export const statusLabel = (status: string): string => lookUp(texts.statuses, status.toLowerCase());
export const categoryName = (category: string): string => lookUp(texts.track.categories, category);

/** A place as the reader's language names it, if it is not an address or town. */
export const placeName = (place: string): string => (place === withTheDriver ? texts.track.withDriver : place);

/** How the tracker names an event: with its sender or carrier where the view has one. */
export function eventText(type: EventType, { sender, carrier }: PublicView, isLatest: boolean): string {
  const { events } = texts.track;
  if (type === 'package.created' && sender !== null) return fill(events['package.created/by'], { sender });
  if (type === 'delivery.next') return events[isLatest ? 'delivery.next/now' : 'delivery.next/then'];
  if ((type === 'delivery.started' || type === 'delivery.assigned') && isLatest && carrier !== null)
    return fill(events['delivery.out/by'], { carrier: carrier.firstName });
  return lookUp(events, type);
}

export function sceneText(state: SceneState): string {
  const { scene } = texts.track;
  switch (state.shot) {
    case 'road':
      return state.stopsAway === 0 ? scene.next : scene.road;
    case 'door':
      return state.delivered ? scene.delivered : scene.missed;
    case 'depot':
      if (state.dock === 'asleep') return scene.asleep;
      return state.van ? scene.waiting : scene.stopped;
  }
}
