import type { Delivery } from '@waybill/contract';
import { MapPin, Navigation } from 'lucide-react';
import { useToday } from '../platform/clock.ts';
import { classes } from '../ui/classes.ts';
import { dueState, dueText } from './due.ts';
import { bringBackTo, texts } from './texts.ts';

interface StopRowProps {
  delivery: Delivery;
  /** Its number among the stops of today, those that are done included; null in the results of a search. */
  position: number | null;
}

/** An open stop on a phone's list: where, to whom and when. A tap puts it in view. */
export function StopRow({ delivery, position }: StopRowProps) {
  const { id, recipientAddress, recipientName, packageName, issue, next } = delivery;
  const now = useToday();
  const [first = '', ...rest] = (recipientAddress ?? texts.noAddress).split(', ');
  const state = dueState(delivery, now);
  return (
    <li className={classes('pr-3', next && 'bg-brand-soft first:rounded-t-[calc(var(--radius-card)-1px)]')}>
      <a
        href={`/driver/dashboard?stop=${id}`}
        className="flex min-h-19 min-w-0 grow items-center gap-3 py-2 pl-3 focus-visible:-outline-offset-2"
      >
        <span
          aria-hidden="true"
          className={classes(
            'dot figures flex shrink-0 items-center justify-center rounded-full text-ui font-semibold',
            next ? 'size-9 bg-brand text-on-brand' : 'mx-[0.1875rem] size-[1.875rem] border border-control text-ink-2',
          )}
        >
          {next ? <Navigation className="size-4" /> : (position ?? <MapPin className="size-4" />)}
        </span>
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="min-w-[min(100%,9rem)] flex-1 text-[1.0625rem]/[1.375rem] font-semibold wrap-anywhere">
              {first}
              {rest.length > 0 && <span className="sr-only">, {rest.join(', ')}</span>}
              {next && <span className="sr-only"> {texts.nextStop}</span>}
            </span>
            <span className="text-body font-semibold figures">{dueText(delivery, now)}</span>
          </span>
          {/* Below the hour too: beside it every name took a second line. */}
          <span className="flex flex-wrap items-start justify-between gap-x-3">
            <span className="min-w-[min(100%,9rem)] flex-1 text-ui text-ink-2 wrap-anywhere">
              {delivery.returnDue ? `${bringBackTo(recipientName)} · ` : recipientName && `${recipientName} · `}
              {packageName}
            </span>
            {state?.tone === 'yellow' && (
              <span className="pill rounded-full bg-yellow-bg px-2 py-0.5 text-table text-yellow-ink figures">
                {state.text}
              </span>
            )}
          </span>
          {issue && <span className="block text-ui text-yellow-ink wrap-anywhere">{issue}</span>}
        </span>
      </a>
    </li>
  );
}
