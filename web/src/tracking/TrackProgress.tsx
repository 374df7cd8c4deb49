import { fill } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { Check, House, Package, Truck } from 'lucide-react';
import type { ReactNode } from 'react';
import { statusStyle } from '../packages/status.ts';
import { useNow } from '../platform/clock.ts';
import { formatShortDay } from '../platform/formats.ts';
import { texts } from '../platform/texts.ts';
import { classes } from '../ui/classes.ts';
import type { Tone } from '../ui/tone.ts';
import { arrivalOfView, nextAttemptOn } from './arrival.ts';
import { BriefTime } from './BriefTime.tsx';
import { statusLabel } from './texts.ts';

const steps = [
  { label: 'preparing', at: 0, Icon: Package, align: 'items-start text-left' },
  { label: 'inTransit', at: 50, Icon: Truck, align: 'items-center text-center' },
  { label: 'delivered', at: 100, Icon: House, align: 'items-end text-right' },
] as const;

const fills: Record<Tone, string> = {
  yellow: 'bg-yellow-dot',
  blue: 'bg-brand',
  green: 'bg-green-dot',
  red: 'bg-control',
  grey: 'bg-control',
  purple: 'bg-control',
};
const halos: Record<Tone, string> = {
  yellow: 'outline-yellow-dot/20',
  blue: 'outline-brand/20',
  green: 'outline-green-dot/20',
  red: 'outline-control/20',
  grey: 'outline-control/20',
  purple: 'outline-control/20',
};

/** Three steps with their icons at 0, 50 and 100 %, joined by lines that fill as far as the package has come, and their times. */
export function TrackProgress({ status, times }: { status: string; times?: readonly ReactNode[] }) {
  const { tone, trackerProgress: progress } = statusStyle(status);
  const reached = steps.findLastIndex(({ at }) => progress >= Math.max(at, 1));
  return (
    <div className="relative">
      <div
        role="progressbar"
        aria-label={texts.track.progress}
        aria-valuenow={progress}
        aria-valuetext={`${statusLabel(status)}, ${progress}%`}
        className="absolute inset-x-0 top-4 flex"
      >
        {[0, 50].map((from) => (
          <span key={from} className="bar mx-[43px] h-1 grow bg-sunken first:mr-[25px] last:ml-[25px]">
            <span
              className={classes(
                'block h-full rounded-full transition-[width] duration-500',
                fills[tone],
                lineWidths[Math.max(0, Math.min(100, Math.round(((progress - from) / 50) * 100)))],
              )}
            />
          </span>
        ))}
      </div>
      <ol className="relative grid grid-cols-3">
        {steps.map(({ label: name, Icon, align }, index) => {
          const isDone = index < reached;
          const isCurrent = index === reached;
          const StepIcon = isDone ? Check : Icon;
          return (
            <li
              key={name}
              aria-current={isCurrent ? 'step' : undefined}
              className={classes('flex min-w-0 flex-col', align)}
            >
              <span
                aria-hidden="true"
                className={classes(
                  'flex size-9 shrink-0 items-center justify-center rounded-full transition-colors duration-500 [&_svg]:size-[18px]',
                  isDone || isCurrent ? `${fills[tone]} text-on-brand` : 'border border-control bg-surface text-ink-2',
                  isCurrent && `outline-4 ${halos[tone]}`,
                )}
              >
                <StepIcon />
              </span>
              <span className="mt-2 text-table font-medium text-ink hyphens-auto wrap-anywhere">
                {texts.track[name]}
              </span>
              <span className="min-h-[1.125rem] text-table text-ink-3">{times?.[index]}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The parts of a line that the specified percentages fill. */
const lineWidths: Record<number, string> = { 0: 'w-0', 20: 'w-1/5', 50: 'w-1/2', 100: 'w-full' };

/** After these a package is prepared once more. */
const waitsAgain = new Set<string>(['delivery.failed', 'delivery.released', 'delivery.reopened']);

/** The times of the three steps, as far as they are known. */
export function StepTimes({ view }: { view: PublicView }) {
  const now = useNow();
  const { status, events, completedAt, estimatedDeliveryTime: expected, nextStep } = view;
  const comesAgain = !nextStep || nextStep.kind === 'again';
  const planned = comesAgain ? view.eta : null;
  const eta = arrivalOfView(view).failed ? nextAttemptOn(view, { now: now === null ? null : new Date(now) }) : planned;
  const left = events.find(({ type }) => type === 'delivery.started' || type === 'delivery.assigned');
  const isWaiting = status === 'processing';
  const prepared = events.find(({ type }) => type === 'package.created' || (isWaiting && waitsAgain.has(type)));
  const onTheRoad = status === 'in transit' || status === 'out for delivery';
  const since = (time: string) => fill(texts.track.since, { time });
  return (
    <TrackProgress
      status={status}
      times={[
        prepared && <BriefTime narrow value={prepared.at} {...(isWaiting && { text: since })} />,
        isWaiting
          ? comesAgain && texts.track.next
          : left && <BriefTime narrow value={left.at} {...(onTheRoad && { text: since })} />,
        completedAt !== null ? (
          <BriefTime narrow value={completedAt} />
        ) : expected !== null && onTheRoad && !nextStep ? (
          <BriefTime narrow value={expected} text={(time) => fill(texts.track.byTime, { time })} />
        ) : (
          isWaiting &&
          eta !== null && <time dateTime={eta}>{formatShortDay(eta, now === null ? undefined : new Date(now))}</time>
        ),
      ]}
    />
  );
}
