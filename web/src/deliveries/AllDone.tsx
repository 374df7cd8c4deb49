import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LinkButton } from '../ui/LinkButton.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import type { OnAction } from './delivery-dialogs.ts';
import { DoneToday } from './DoneToday.tsx';
import { deliverySummaryQuery, useWaiting } from './queries.ts';
import { counted, texts } from './texts.ts';

interface AllDoneProps {
  /** Of the day. */
  summary: ReactNode;
  onAction: OnAction;
}

/** No open stop: what waits to be taken is the next step. */
export function AllDone({ summary, onAction }: AllDoneProps) {
  // The screen around it has just fetched it.
  const { data } = useQuery({ ...deliverySummaryQuery(), refetchOnMount: false });
  const hasDone = (data?.completed ?? 0) > 0;
  const waiting = useWaiting(data);
  return (
    <>
      <div className="flex grow flex-col items-center justify-center px-6 py-8 text-center">
        <ParcelDrawing kind={hasDone ? 'done' : 'open'} />
        <h2 className="text-[2rem]/[2.375rem] font-semibold tracking-[-0.03em]">
          {hasDone ? texts.allDone : texts.noStops}
        </h2>
        <p className="mt-2 max-w-[20rem] text-[1.125rem]/[1.625rem] text-ink-2">
          {waiting !== undefined && (waiting === 0 ? texts.nothingWaits : counted(texts.waiting, waiting))}
        </p>
        {!hasDone && (
          <a href="/first-day" className="mt-4 inline-flex min-h-11 items-center text-body font-medium text-brand">
            {texts.firstDay}
          </a>
        )}
      </div>
      <div className="mx-2 mb-3 empty:hidden">{summary}</div>
      <div className="mx-2 mb-3">{hasDone && <DoneToday completed={data?.completed ?? 0} onAction={onAction} />}</div>
      <div className="thumb-zone bottom-0 z-20 bg-canvas px-2 pt-1 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        <LinkButton size="verb" fullWidth href="/driver/dashboard?show=pending">
          {waiting && hasDone ? texts.takeMore : texts.seePending}
        </LinkButton>
      </div>
    </>
  );
}
