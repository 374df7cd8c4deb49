import { fill } from '@waybill/contract';
import type { PublicView, RecipientView } from '@waybill/contract';
import { texts } from './recipient-texts.ts';

const stamp = (instant: string): string => `${new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

/** When it is expected: in the window of its driver, else on its day; null when that is not known, or it is over. */
function expectedOf({ arrivalWindow, eta, status }: PublicView): string[] | null {
  if (status === 'delivered' || status === 'cancelled' || status === 'inactive') return null;
  if (arrivalWindow) return [`DTSTART:${stamp(arrivalWindow.from)}`, `DTEND:${stamp(arrivalWindow.to)}`];
  if (eta === null) return null;
  const next = new Date(Date.parse(`${eta}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const day = (value: string) => value.replaceAll('-', '');
  return [`DTSTART;VALUE=DATE:${day(eta)}`, `DTEND;VALUE=DATE:${day(next)}`];
}

/**
 * A calendar entry (iCalendar, RFC 5545) of the expected day or window, or null. It has the tracker's address without the key: calendars
 * are shared.
 */
export function calendarEntry(view: PublicView, { address }: RecipientView): string | null {
  const expected = expectedOf(view);
  if (!expected) return null;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Waybill//Recipient//EN',
    'BEGIN:VEVENT',
    `UID:${view.trackingId}@${location.hostname}`,
    `DTSTAMP:${stamp(view.lastUpdate)}`,
    ...expected,
    `SUMMARY:${escaped(fill(texts.calendarTitle, { name: view.name }))}`,
    ...(address === null ? [] : [`LOCATION:${escaped(address)}`]),
    `URL:${location.origin}/track/${view.trackingId}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map(folded).join('\r\n') + '\r\n';
}

const escaped = (text: string): string => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');

/** Lines of at most 75 octets; further ones begin with a blank. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  for (const sign of line) {
    if (new TextEncoder().encode(part + sign).length > 74) {
      parts.push(part);
      part = '';
    }
    part += sign;
  }
  return [...parts, part].join('\r\n ');
}
