import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import { TriangleAlert, Undo2 } from 'lucide-react';
import { PackageThumbnail } from '../packages/PackageThumbnail.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useToday } from '../platform/clock.ts';
import { formatWeight } from '../platform/formats.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { classes } from '../ui/classes.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { toneFillClasses } from '../ui/tone.ts';
import { splitAddress } from './address.ts';
import { handlingOfAll } from './door-handling.ts';
import { dueState, dueText } from './due.ts';
import { HandlingTiles } from './HandlingTiles.tsx';
import { HouseNumber } from './HouseNumber.tsx';
import { navigationHref, opening, useNavigator } from './navigation.ts';
import { ReportedLocation } from './ReportedLocation.tsx';
import type { StopPhase } from './stop-progress.ts';
import { bringBackTo, texts } from './texts.ts';

/** Most stops are a first attempt. */
const AttemptNote = lazyComponent(() =>
  importWithRetry(() => import('./AttemptNote.tsx')).then((module) => module.AttemptNote),
);

/** Smaller for longer words, which would break: at 390 px about 9 letters fit beside a plate. */
function streetSize(street: string, hasPlate: boolean): string {
  const longest = Math.max(...street.split(/[\s-]/).map((word) => word.length));
  const room = hasPlate ? 9 : 15;
  if (longest > room * 1.5) return 'text-[min(1.5rem,6.5vw)]/[1.15]';
  if (longest > room) return 'text-[min(1.875rem,8vw)]/[1.1]';
  return hasPlate ? 'text-[min(2.75rem,11vw)]/[1.05]' : 'text-[min(2.25rem,10vw)]/[1.1]';
}

interface StopCardProps {
  delivery: Delivery;
  /** The other packages at its door. */
  door?: Delivery[];
  phase: StopPhase;
  /** The moment that it is drawn for: the present, unless it is a sample. */
  at?: Date;
}

const alone: Delivery[] = [];

/** One stop, readable at arm's length: when, where, to whom, and what to mind. */
export function StopCard({ delivery, door = alone, phase, at }: StopCardProps) {
  const { recipientAddress, recipientName, instructions, instructionsBefore, issue } = delivery;
  const { attempts, lastFailure, returnDue } = delivery;
  const today = useToday();
  const now = at ?? today;
  const { inUse } = useNavigator();
  const due = dueText(delivery, now);
  const state = phase === 'here' ? ({ text: texts.youAreHere, tone: 'green' } as const) : dueState(delivery, now);
  const address = splitAddress(recipientAddress ?? '');
  return (
    <section
      aria-label={texts.nextStop}
      className="stop-card mx-2 flex grow flex-col gap-4 rounded-[20px] border border-line bg-surface px-4 pt-4 pb-3"
    >
      {(due || state) && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          {due && <p className="text-[1.75rem]/[2.125rem] font-semibold tracking-[-0.03em] figures">{due}</p>}
          {state && (
            <p
              className={classes(
                'pill figures flex min-h-8 items-center rounded-full px-3 text-ui font-medium',
                toneFillClasses[state.tone],
              )}
            >
              {state.text}
            </p>
          )}
        </div>
      )}
      {returnDue && (
        <p className="strip flex items-center gap-2.5 rounded-card bg-blue-bg px-3 py-2.5 text-body font-semibold text-blue-ink wrap-anywhere">
          <Undo2 aria-hidden="true" className="size-5 shrink-0" />
          {bringBackTo(recipientName)}
        </p>
      )}
      <div>
        <h2 className="font-semibold tracking-[-0.03em]">
          {recipientAddress === null ? (
            <span className="text-[1.875rem]/[2.125rem] text-ink-2">{texts.noAddress}</span>
          ) : (
            <a
              href={navigationHref(inUse, recipientAddress, delivery.place)}
              {...opening(inUse)}
              className="flex flex-wrap-reverse items-center justify-between gap-x-3 gap-y-2"
            >
              <span
                className={classes(
                  'min-w-[min(100%,8.5rem)] flex-1 text-wrap wrap-anywhere',
                  streetSize(address.street, address.number !== null),
                )}
              >
                {address.street}
              </span>{' '}
              {address.number !== null && <HouseNumber>{address.number}</HouseNumber>}
            </a>
          )}
        </h2>
        {recipientAddress !== null && (
          <div className="mt-1 -mr-2 flex items-center justify-between gap-2">
            <p className="text-[1.25rem]/[1.625rem] text-ink-2 wrap-anywhere figures">{address.place}</p>
            <CopyButton text={recipientAddress} label={texts.copyAddress} copiedLabel={texts.copied} />
          </div>
        )}
      </div>
      <div className="flex flex-col gap-1 border-t border-line pt-3">
        {recipientName && <p className="text-[1.375rem]/[1.75rem] font-semibold wrap-anywhere">{recipientName}</p>}
        {(instructions !== null || instructionsBefore !== undefined) && (
          <p className="text-[1.125rem]/[1.625rem] whitespace-pre-line text-ink-2 wrap-anywhere">
            {instructions ?? texts.noInstructions}
            {instructionsBefore !== undefined && (
              <span className="block text-body text-ink-3">
                {fill(texts.instructionsBefore, { before: instructionsBefore })}
              </span>
            )}
          </p>
        )}
        <ReportedLocation delivery={delivery} />
      </div>
      {attempts > 0 && !returnDue && <AttemptNote attempt={attempts + 1} lastFailure={lastFailure} />}
      {issue && (
        <p className="strip flex items-start gap-2.5 rounded-card bg-yellow-bg px-3 py-2.5 text-body text-yellow-ink wrap-anywhere">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          <span>
            <span className="sr-only">{texts.issueReported}: </span>
            {issue}
          </span>
        </p>
      )}
      <div className="mt-auto flex flex-col gap-3">
        <HandlingTiles handling={handlingOfAll([delivery, ...door])} />
        {door.length > 0 && (
          <p className="text-body font-semibold figures">{fill(texts.packagesHere, { count: `${door.length + 1}` })}</p>
        )}
        {[delivery, ...door].map((pkg) => (
          <div key={pkg.id} className="flex items-center gap-3">
            <span className="shrink-0 scale-90">
              <PackageThumbnail image={pkg.packageImages[0]} category={pkg.category} />
            </span>
            <div className="min-w-0">
              <h3 className="text-body font-medium wrap-anywhere">{pkg.packageName}</h3>
              <p className="flex flex-wrap items-center gap-x-1 text-ui text-ink-3">
                <TrackingId
                  id={pkg.trackingId}
                  copyLabel={fill(texts.copyId, { id: pkg.trackingId })}
                  copiedLabel={texts.copied}
                />{' '}
                <span className="figures">{formatWeight(pkg.weight)}</span>
              </p>
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
