import type { Delivery } from '@waybill/contract';
import { ChevronUp, FileText, Phone } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useToday } from '../platform/clock.ts';
import { Button } from '../ui/Button.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SkeletonGroup } from '../ui/SkeletonGroup.tsx';
import { ConnectionState, ConnectionStrip } from './ConnectionState.tsx';
import type { OnAction } from './delivery-dialogs.ts';
import { dueText } from './due.ts';
import { ProblemMenu } from './ProblemMenu.tsx';
import { StopCard } from './StopCard.tsx';
import { StopDots } from './StopDots.tsx';
import { useStopProgress } from './stop-progress.ts';
import { StopVerb } from './StopVerb.tsx';
import { StreetLine } from './StreetLine.tsx';
import { texts } from './texts.ts';

interface StopScreenProps {
  /** In view; undefined while it loads. */
  stop: Delivery | undefined;
  /** Proposed after it. */
  following: Delivery | undefined;
  /** The other packages at its door. */
  door: Delivery[];
  /** Stops of today that are done, and those that are open. */
  done: number;
  open: number;
  /** Those of the open stops on a round, in the order in which they are taken. */
  numbers: number[] | undefined;
  /** The menu at the head of the screen. */
  menu: ReactNode;
  /** What could not be loaded. */
  note: ReactNode;
  /** Opens the lists by hand, from the line at the end. */
  peek: Omit<ComponentProps<'a'>, 'ref'>;
  onAction: OnAction;
}

/** A driver's phone: one stop, and the one step that comes next, in the thumb's reach. */
export function StopScreen({ stop, following, door, note, peek, onAction, ...head }: StopScreenProps) {
  return (
    <div className="stop-screen flex grow flex-col">
      <StopHead {...head} />
      <ConnectionStrip />
      {note}
      {stop ? (
        // Remounted with the next stop, which slides in.
        <div key={stop.id} className="flex grow animate-stop-in flex-col">
          <ShownStop stop={stop} following={following} door={door} peek={peek} onAction={onAction} />
        </div>
      ) : (
        <div className="mx-2 flex grow flex-col gap-4 rounded-[20px] border border-line bg-surface p-4">
          <SkeletonGroup label={texts.loading}>
            <Skeleton width="w-40" height="h-9" />
            <Skeleton width="w-full" height="h-24" />
            <Skeleton width="w-48" height="h-7" />
          </SkeletonGroup>
        </div>
      )}
    </div>
  );
}

/** Stops, connection and menu. */
export function StopHead({ menu, ...stops }: Pick<StopScreenProps, 'done' | 'open' | 'numbers' | 'menu'>) {
  return (
    <div className="flex min-h-15 flex-wrap items-center justify-between gap-x-3 pr-1 pl-4">
      <h1 className="sr-only">{texts.title}</h1>
      <StopDots {...stops} />
      <span className="ml-auto flex items-center gap-2">
        <ConnectionState />
        {menu}
      </span>
    </div>
  );
}

function ShownStop({
  stop,
  following,
  door,
  peek,
  onAction,
}: Pick<StopScreenProps, 'following' | 'door' | 'peek' | 'onAction'> & { stop: Delivery }) {
  const { phase, seenAt } = useStopProgress(stop);
  const now = useToday();
  const then = following && (following.recipientAddress ?? following.packageName);
  const when = (following && dueText(following, now)) ?? '';
  return (
    <>
      <StopCard delivery={stop} door={door} phase={phase} />
      <div className="thumb-zone bottom-0 z-20 mt-3 bg-canvas pt-1">
        <div className="flex flex-wrap gap-2 px-2 pb-2 *:grow *:basis-24 *:px-2">
          {stop.recipientPhone ? (
            <LinkButton
              variant="secondary"
              size="xl"
              href={`tel:${stop.recipientPhone}`}
              icon={<Phone aria-hidden="true" className="size-5" />}
            >
              {texts.call}
            </LinkButton>
          ) : (
            <Button variant="secondary" size="xl" disabled>
              {texts.callNobody}
            </Button>
          )}
          <Button
            variant="secondary"
            size="xl"
            icon={<FileText aria-hidden="true" className="size-5" />}
            onClick={() => onAction('details', stop)}
          >
            {texts.details}
          </Button>
          <ProblemMenu delivery={stop} onAction={onAction} />
        </div>
        <div className="px-2 pb-2">
          <StopVerb delivery={stop} phase={phase} seenAt={seenAt} onAction={onAction} />
        </div>
        <a
          {...peek}
          href="/driver/dashboard?show=mine"
          className="peek relative flex min-h-16 touch-none items-center gap-3 rounded-t-[20px] border-t border-line bg-surface px-4 pb-[env(safe-area-inset-bottom)] text-body focus-visible:-outline-offset-2"
        >
          <span
            aria-hidden="true"
            className="absolute top-1.5 left-1/2 h-1 w-9 -translate-x-1/2 rounded-full bg-line"
          />
          {then ? (
            <>
              <span className="text-ink-2">{texts.thenNext}</span>
              <span className="min-w-0 grow font-medium">
                <StreetLine street={then.split(',')[0] ?? then} />
              </span>
              <span className="shrink-0 text-ui text-ink-2 figures">{when}</span>
            </>
          ) : (
            <>
              <span className="grow font-medium">{texts.lastStop}</span>
              <span className="text-ui text-ink-2">{texts.allStops}</span>
            </>
          )}
          {then && <span className="sr-only">{texts.allStops}</span>}
          <ChevronUp aria-hidden="true" className="size-5 shrink-0" />
        </a>
      </div>
    </>
  );
}
