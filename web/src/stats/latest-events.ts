import type { LatestEvent } from '@waybill/contract';

interface Bundle {
  /** The newest of them. */
  event: LatestEvent;
  count: number;
}

/** Makes one entry of packages that somebody registered one after another: an import of hundreds must not push out everything else. */
export function bundle(events: readonly LatestEvent[]): Bundle[] {
  const bundles: Bundle[] = [];
  for (const event of events) {
    const last = bundles.at(-1);
    if (
      last &&
      event.type === 'package.created' &&
      last.event.type === 'package.created' &&
      last.event.actor === event.actor
    )
      last.count++;
    else bundles.push({ event, count: 1 });
  }
  return bundles;
}
