import { fill, isFinal } from '@waybill/contract';
import type { PublicView, RecipientChange, RecipientChangeKind, RecipientView } from '@waybill/contract';
import {
  CalendarDays,
  CalendarPlus,
  Check,
  ChevronDown,
  CircleAlert,
  CircleCheck,
  Clock,
  DoorOpen,
  IdCard,
  KeyRound,
  LockKeyhole,
  PenLine,
  Store,
  Undo2,
  Users,
} from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { saveFile } from '../platform/download.ts';
import { formatLongDay, formatTime } from '../platform/formats.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { classes } from '../ui/classes.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { calendarEntry } from './calendar.ts';
import { ChangeForm, failureOf } from './ChangeForm.tsx';
import { RateForm } from './RateForm.tsx';
import { counted, texts, told } from './recipient-texts.ts';
import { useRecipient } from './useRecipient.ts';

interface RecipientPartProps {
  view: PublicView;
  /** The key of the link. */
  secret: string;
}

/** What the recipient's link opens, under the public answer: the address, what can be changed, and the proof. */
export function RecipientPart({ view, secret }: RecipientPartProps) {
  const recipient = useRecipient(view, secret);
  const { data, fault } = recipient;
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="recipient">
      <header className="mb-4">
        <h2 id={titleId} className="text-section font-semibold text-ink">
          {texts.title}
        </h2>
        <p className="mt-1 flex items-start gap-1.5 text-table text-ink-3">
          <LockKeyhole aria-hidden="true" className="mt-px size-4 shrink-0" />
          {texts.onlyYou}
        </p>
      </header>
      {fault === 'key' && (
        <Banner tone="yellow" icon={<CircleAlert />} title={texts.badKey} live>
          {texts.badKeyHint}
        </Banner>
      )}
      {fault === 'many' && (
        <Banner tone="yellow" icon={<CircleAlert />} live>
          {texts.tooMany}
        </Banner>
      )}
      {data === null && fault === 'failed' && (
        <ErrorState message={texts.notLoaded} onRetry={recipient.retry} retryLabel={texts.retry} />
      )}
      {data === null && fault === null && (
        <p role="status" className="min-h-40 text-body text-ink-3">
          {texts.loading}
        </p>
      )}
      {data !== null && (
        <Content
          view={view}
          data={data}
          change={recipient.change}
          withdraw={recipient.withdraw}
          rate={recipient.rate}
        />
      )}
    </section>
  );
}

/** On a route a number of stops before this one, without one once the driver comes to this door. */
function changeableUntil({ status, stopsAway }: PublicView, { cutoffStops }: RecipientView): string {
  if (status === 'in transit' && stopsAway === null) return texts.untilStart;
  return cutoffStops === 0 ? texts.untilNext : counted(texts.until, cutoffStops);
}

type ContentProps = { view: PublicView; data: RecipientView } & Pick<
  ReturnType<typeof useRecipient>,
  'change' | 'withdraw' | 'rate'
>;

function Content({ view, data, change, withdraw, rate }: ContentProps) {
  const [open, setOpen] = useState<RecipientChangeKind | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const notice = useRef<HTMLDivElement>(null);
  const told = (text: string) => {
    setOpen(null);
    setSaid(text);
  };
  // What was focused is gone with its form.
  useEffect(() => {
    if (said !== null) notice.current?.focus();
  }, [said]);
  const { proof, refusal } = data;
  const isOver = isFinal(view.status);
  const hasChanges = refusal !== 'ended' || data.changes.length > 0;
  return (
    <div className="flex flex-col gap-6">
      {proof && view.status === 'delivered' && <RateForm rating={data.rating} onRate={rate} />}
      {proof && <Proof proof={proof} data={data} />}
      <AtTheDoor data={data} />
      {/* Beside what can be changed there is room for what is known. */}
      <div
        className={classes(
          'flex flex-col gap-6 has-[>:only-child:empty]:hidden',
          !proof && hasChanges && 'xl:grid xl:grid-cols-2 xl:items-start xl:gap-x-12',
        )}
      >
        {!proof && (
          <div className="flex flex-col gap-6">
            <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] gap-x-6 gap-y-4">
              <Item name={texts.address}>
                {data.recipientName}
                <br />
                {data.address ?? texts.noAddress}
              </Item>
              {data.window && !isOver && (
                <Item name={texts.window}>
                  {formatLongDay(data.window.from)}, {formatTime(data.window.from)}–{formatTime(data.window.to)}
                </Item>
              )}
              {data.safePlace !== null && !isOver && <Item name={texts.safePlace}>{data.safePlace}</Item>}
              {data.instructions !== null && !isOver && (
                <Item name={texts.instructions}>
                  <span className="whitespace-pre-line">{data.instructions}</span>
                </Item>
              )}
            </dl>
            <CalendarButton view={view} data={data} />
          </div>
        )}
        <div className="flex flex-col gap-6 empty:hidden">
          {said !== null && (
            <div ref={notice} tabIndex={-1} className="outline-none">
              <Banner tone="green" icon={<CircleCheck />} live>
                {said}
              </Banner>
            </div>
          )}
          {data.changes.length > 0 && (
            <section>
              <h3 className="text-body font-semibold text-ink">{texts.chosen}</h3>
              <ul className="mt-1 divide-y divide-line">
                {data.changes.map((one) => (
                  <Chosen
                    key={one.id}
                    one={one}
                    data={data}
                    onUndo={() => withdraw(one.id).then(() => told(texts.undone))}
                  />
                ))}
              </ul>
            </section>
          )}
          {refusal !== 'ended' && (
            <section>
              <h3 className="text-body font-semibold text-ink">{texts.change}</h3>
              {refusal !== null ? (
                <p className="mt-1 text-ui text-ink-2">{texts.refusals[refusal]}</p>
              ) : (
                <>
                  <p className="mt-1 text-table text-ink-2">{changeableUntil(view, data)}</p>
                  <ul className="mt-2 divide-y divide-line border-y border-line">
                    {data.mayChange.map((kind) => (
                      <Choice
                        key={kind}
                        kind={kind}
                        data={data}
                        open={open === kind}
                        onToggle={() => setOpen(open === kind ? null : kind)}
                        onSave={(input) => change(input).then(() => told(texts.saved))}
                      />
                    ))}
                  </ul>
                  {!data.mayChange.includes('safe_place') && (
                    <p className="mt-2 text-table text-ink-3">
                      {data.pin !== null || data.age !== null ? texts.noSafePlaceForCheck : texts.noSafePlace}
                    </p>
                  )}
                </>
              )}
            </section>
          )}
        </div>
      </div>
    </div>
  );
}

/** What the driver asks for. */
function AtTheDoor({ data: { pin, age } }: { data: RecipientView }) {
  if (pin === null && age === null) return null;
  return (
    <div className="flex flex-col gap-3">
      {pin !== null && (
        <Banner tone="blue" icon={<KeyRound />} title={texts.pin}>
          <strong className="block text-section font-semibold tracking-[0.3em] text-ink figures">{pin}</strong>
          {texts.pinHint}
        </Banner>
      )}
      {age !== null && (
        <Banner tone="blue" icon={<IdCard />} title={texts.age}>
          {fill(texts.ageHint, { age })}
        </Banner>
      )}
    </div>
  );
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-table text-ink-3">{name}</dt>
      <dd className="mt-0.5 text-ui font-medium text-ink figures wrap-anywhere">{children}</dd>
    </div>
  );
}

function CalendarButton({ view, data }: { view: PublicView; data: RecipientView }) {
  const entry = calendarEntry(view, data);
  if (entry === null) return null;
  return (
    <div>
      <Button
        variant="secondary"
        icon={<CalendarPlus aria-hidden="true" className="size-5" />}
        onClick={() => saveFile(new Blob([entry], { type: 'text/calendar' }), `${view.trackingId}.ics`)}
      >
        {texts.calendar}
      </Button>
    </div>
  );
}

function Chosen({ one, data, onUndo }: { one: RecipientChange; data: RecipientView; onUndo: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const undo = () => {
    setBusy(true);
    setFailed(null);
    void onUndo().catch((error: unknown) => {
      setBusy(false);
      setFailed(failureOf(error));
    });
  };
  const text = told(one, data);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-[1_1_12rem]">
        <p className="text-ui text-ink wrap-anywhere">{text}</p>
        {one.acknowledgedAt !== null && (
          <p className="flex items-center gap-1 text-table text-ink-3">
            <Check aria-hidden="true" className="size-4" />
            {texts.seen}
          </p>
        )}
        {failed !== null && (
          <p role="alert" className="text-table text-danger">
            {failed}
          </p>
        )}
      </div>
      {data.refusal === null && (
        <Button
          variant="ghost"
          icon={<Undo2 aria-hidden="true" className="size-5" />}
          aria-label={`${texts.undo}: ${text}`}
          loading={busy}
          loadingText={texts.undoing}
          onClick={undo}
        >
          {texts.undo}
        </Button>
      )}
    </li>
  );
}

const icons = {
  reschedule: CalendarDays,
  window: Clock,
  safe_place: DoorOpen,
  neighbour: Users,
  instructions: PenLine,
  collect: Store,
};

const wordsOf = (kind: RecipientChangeKind): { title: string; hint: string } =>
  ({
    reschedule: { title: texts.reschedule, hint: texts.rescheduleHint },
    window: { title: texts.windowTitle, hint: texts.windowHint },
    safe_place: { title: texts.safePlaceTitle, hint: texts.safePlaceHint },
    neighbour: { title: texts.neighbour, hint: texts.neighbourHint },
    instructions: { title: texts.instructionsTitle, hint: texts.instructionsHint },
    collect: { title: texts.collect, hint: texts.collectHint },
  })[kind];

interface ChoiceProps {
  kind: RecipientChangeKind;
  data: RecipientView;
  open: boolean;
  onToggle: () => void;
  onSave: Parameters<typeof ChangeForm>[0]['onSave'];
}

/** One kind of change: a row that unfolds to its form. */
function Choice({ kind, data, open, onToggle, onSave }: ChoiceProps) {
  const Icon = icons[kind];
  const { title, hint } = wordsOf(kind);
  const panelId = useId();
  const row = useRef<HTMLButtonElement>(null);
  return (
    <li>
      <button
        ref={row}
        type="button"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={onToggle}
        className="flex min-h-15 w-full items-center gap-3 rounded-control py-2 text-left"
      >
        <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-3" />
        <span className="min-w-0 grow">
          <span className="block text-ui font-medium text-ink">{title}</span>
          <span className="block text-table text-ink-3">{hint}</span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className={open ? 'size-5 shrink-0 rotate-180 text-ink-3' : 'size-5 shrink-0 text-ink-3'}
        />
      </button>
      {open && (
        <div id={panelId}>
          <ChangeForm
            kind={kind}
            data={data}
            onSave={onSave}
            onCancel={() => {
              onToggle();
              row.current?.focus();
            }}
          />
        </div>
      )}
    </li>
  );
}

function Proof({ proof, data }: { proof: NonNullable<RecipientView['proof']>; data: RecipientView }) {
  const pictures = [
    { url: proof.photo, name: texts.photo },
    { url: proof.signature, name: texts.signature },
  ];
  return (
    <section>
      <h3 className="mb-3 text-body font-semibold text-ink">{texts.proof}</h3>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-x-6 gap-y-4">
        {proof.receivedBy !== null && <Item name={texts.receivedBy}>{proof.receivedBy}</Item>}
        <Item name={texts.address}>
          {data.recipientName !== proof.receivedBy && (
            <>
              {data.recipientName}
              <br />
            </>
          )}
          {data.address ?? texts.noAddress}
        </Item>
        {proof.note !== null && <Item name={texts.proofNote}>{proof.note}</Item>}
      </dl>
      <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-x-6 gap-y-4 empty:hidden">
        {pictures.map(
          ({ url, name }) =>
            url !== null && (
              <Item key={name} name={name}>
                <a href={url} target="_blank" rel="noreferrer" className="recipient-picture">
                  <img src={url} alt={name} className={classes(url === proof.photo && 'recipient-photo')} />
                </a>
              </Item>
            ),
        )}
      </dl>
    </section>
  );
}
