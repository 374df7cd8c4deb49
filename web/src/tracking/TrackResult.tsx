import { fill } from '@waybill/contract';
import type { PublicView } from '@waybill/contract';
import { Box, HandHelping } from 'lucide-react';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import type { Reader } from '../packages/arrival.ts';
import { texts } from '../platform/texts.ts';
import { classes } from '../ui/classes.ts';
import { answerOf } from './answer.ts';
import type { Answer } from './answer.ts';
import { LiveIndicator } from './LiveIndicator.tsx';
import type { LiveIndicatorState } from './LiveIndicator.tsx';
import { ScanCode } from './ScanCode.tsx';
import { ShareButton } from './ShareButton.tsx';
import { statusLabel } from './texts.ts';
import { Ticket } from './Ticket.tsx';
import { TrackHistory } from './TrackHistory.tsx';
import { StepTimes } from './TrackProgress.tsx';

interface TrackResultProps {
  view: PublicView;
  /** State of the live connection. */
  live: LiveIndicatorState;
  reader: Reader;
}

/** The answer first, then how far it has come, who brings it, and the history. */
export function TrackResult({ view, live, reader }: TrackResultProps) {
  const answer = answerOf(view, reader);
  return (
    <Ticket
      stub={
        <>
          <Sender view={view} place="phone" />
          {view.events.length > 0 && (
            <section className="max-wide:hidden">
              <h2 className="mb-3 text-ui font-semibold text-ink">{texts.track.history}</h2>
              <TrackHistory view={view} />
            </section>
          )}
          <ScanCode view={view} />
        </>
      }
    >
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <StatusBadge status={view.status} label={statusLabel(view.status)} size="md" />
        {/* The icon, not the edge of its button, ends where the steps do. */}
        <span className="-mr-2.5 noscript:mr-0 print:mr-0">
          <TrackingId
            id={view.trackingId}
            copyLabel={fill(texts.track.copyId, { id: view.trackingId })}
            copiedLabel={texts.track.copied}
          />
        </span>
      </div>
      <div aria-live="polite">
        {/* A new key with a new answer: the sentence fades in. */}
        <AnswerText key={`${answer.lead} ${answer.main}`} answer={answer} />
        <div className="mt-1.5 flex min-h-6 items-center gap-3">
          {answer.detail && <Detail {...answer.detail} />}
          <span className="ml-auto shrink-0">
            <LiveIndicator state={live} />
          </span>
        </div>
      </div>
      <div className="mt-5">
        <StepTimes view={view} />
      </div>
      <Sender view={view} place="wide" />
    </Ticket>
  );
}

function AnswerText({ answer: { lead, main } }: { answer: Answer }) {
  const size =
    main.length <= 12
      ? 'text-[2.875rem] leading-[3.125rem]'
      : main.length <= 17
        ? 'text-[2.125rem] leading-[3.125rem]'
        : 'text-[1.75rem] leading-[3.125rem]';
  return (
    <h1
      className={classes(
        'answer mt-1 font-semibold text-ink figures wrap-anywhere',
        lead.length + main.length > 30 && 'answer-long',
      )}
    >
      <span className="block text-[1.375rem] leading-7 tracking-[-0.02em] wide:inline wide:text-[length:inherit] wide:leading-[inherit] wide:tracking-[inherit]">
        {lead}
      </span>{' '}
      <span
        className={classes(
          'block tracking-[-0.045em] wide:inline wide:text-[length:inherit] wide:leading-[inherit] wide:tracking-[inherit]',
          size,
        )}
      >
        {main}
      </span>
    </h1>
  );
}

function Detail({ text, tone }: NonNullable<Answer['detail']>) {
  return (
    <p
      className={classes(
        'flex min-w-0 items-center gap-2.5 text-[1.0625rem] leading-6 wrap-anywhere',
        tone === 'live' ? 'font-semibold text-(--accent)' : 'text-ink-2',
      )}
    >
      {tone === 'live' && (
        <span
          aria-hidden="true"
          className="mx-1 size-2.5 shrink-0 rounded-full bg-(--accent) outline-4 outline-(--accent)/20"
        />
      )}
      {tone === 'done' && <HandHelping aria-hidden="true" className="size-5 shrink-0 text-(--accent)" />}
      {text}
    </p>
  );
}

/** Who brings it or who sent it, with what can be done. On a phone it is in the stub, on a wide screen under the steps. */
function Sender({ view, place }: { view: PublicView; place: 'phone' | 'wide' }) {
  const { name, sender, carrier } = view;
  const { track } = texts;
  const title = carrier ? fill(track.carrierComes, { carrier: carrier.firstName }) : name;
  const person = carrier?.firstName ?? sender;
  const line =
    sender === null
      ? carrier && name
      : carrier
        ? fill(track.nameSentBy, { name, sender })
        : fill(track.sentBy, { sender });
  return (
    <div
      className={classes(
        'flex flex-wrap items-center gap-3',
        place === 'phone' ? 'wide:hidden' : 'mt-5 border-t border-line pt-5 max-wide:hidden',
      )}
    >
      <span
        aria-hidden="true"
        className="flex size-11 shrink-0 items-center justify-center rounded-full bg-(--accent-soft) text-body font-semibold text-(--accent-ink)"
      >
        {person ? person.trim().charAt(0).toUpperCase() : <Box className="size-5" />}
      </span>
      <div className="min-w-0 grow basis-48">
        <p className="text-[0.9375rem] leading-5 font-semibold text-ink wrap-anywhere">{title}</p>
        {line !== null && <p className="text-table text-ink-3 wrap-anywhere">{line}</p>}
      </div>
      <div className={classes('flex gap-2', place === 'phone' && 'mt-1 w-full')}>
        <ShareButton view={view} />
      </div>
    </div>
  );
}
