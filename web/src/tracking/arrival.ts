import { daysBetween, formatLongDay, localDay } from '../platform/formats.ts';

interface Arrival {
  status: string;
  eta: string | null;
  completedAt: string | null;
  lastUpdate: string;
}

/**
 * The one sentence a recipient came for. `now` is null where the viewer's day is not known yet (on the server):
 * then no day is called today or tomorrow.
 */
export function arrivalSentence({ status, eta, completedAt, lastUpdate }: Arrival, now: Date | null): string {
  switch (status.toLowerCase()) {
    case 'delivered': {
      if (!now) return 'Delivered';
      const at = completedAt ?? lastUpdate;
      return `Delivered ${nameOfDay(localDay(new Date(at)), now)}`;
    }
    case 'cancelled':
      return 'This delivery was cancelled';
    case 'processing':
    case 'in transit':
    case 'out for delivery':
      if (!eta) return status.toLowerCase() === 'processing' ? 'Getting ready to ship' : 'On its way to you';
      return isPast(eta, now) ? `Was expected ${nameOfDay(eta, now)}` : `Arriving ${nameOfDay(eta, now)}`;
    default:
      return 'No longer tracked';
  }
}

/** Of what it says without the viewer's day and with it, give or take a zone: what stands below must not move. */
export function longestSentence(arrival: Arrival): string {
  const [without, within] = [arrivalSentence(arrival, null), arrivalSentence(arrival, new Date())];
  return within.length > without.length ? within : without;
}

/** Without the viewer's day: past wherever they are. So a late package has no longer sentence in the browser than it had before. */
function isPast(day: string, now: Date | null): boolean {
  return now ? daysBetween(localDay(now), day) < 0 : daysBetween(new Date().toISOString().slice(0, 10), day) < -1;
}

function nameOfDay(day: string, now: Date | null): string {
  const distance = now ? daysBetween(localDay(now), day) : null;
  if (distance === 0) return 'today';
  if (distance === 1) return 'tomorrow';
  if (distance === -1) return 'yesterday';
  return formatLongDay(day, now ?? new Date());
}
