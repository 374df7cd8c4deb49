import { fill } from '@waybill/contract';
import type { Stop } from '@waybill/contract';
import { Check, X } from 'lucide-react';
import { formatWeight } from '../platform/formats.ts';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { findByCode, codeOf } from './codes.ts';
import { ScanField } from './ScanField.tsx';
import { signal } from './signal.ts';
import { bringBackTo, texts } from './round-texts.ts';
import { setTicks, useTicks } from './ticks.ts';

/** How a stop is called in a line. */
export const nameOf = ({ delivery: { recipientAddress, location, packageName } }: Stop): string =>
  (recipientAddress ?? location ?? packageName).split(', ')[0] ?? packageName;

interface TickListProps {
  /** Of the count, over reloads. */
  name: string;
  stops: Stop[];
  /** 'In the van: {name}' */
  label: string;
  /** '{count} of {all} in the van' */
  progress: string;
}

/** Counts packages one by one: by ticking, by scanning and by typing. What is scanned and not on the round is listed. */
export function TickList({ name, stops, label, progress }: TickListProps) {
  const { ticked, foreign } = useTicks(name);
  const isTicked = new Set(ticked);
  const count = stops.filter(({ packageId }) => isTicked.has(packageId)).length;
  const toggle = (id: string) =>
    setTicks(name, { ticked: isTicked.has(id) ? ticked.filter((one) => one !== id) : [...ticked, id], foreign });
  const scan = (text: string, by: 'camera' | 'keys') => {
    const stop = findByCode(stops, text);
    // The camera has a sound of its own.
    if (by === 'keys') signal(stop ? 'ticked' : 'wrong');
    if (!stop) {
      const code = codeOf(text);
      setTicks(name, { ticked, foreign: foreign.includes(code) ? foreign : [...foreign, code] });
      return { text: `${texts.foreignTitle}: ${code}`, wrong: true };
    }
    const called = `${nameOf(stop)}, ${stop.delivery.packageName}`;
    if (isTicked.has(stop.packageId)) return { text: fill(texts.tickedBefore, { name: called }), wrong: false };
    setTicks(name, { ticked: [...ticked, stop.packageId], foreign });
    return { text: fill(texts.ticked, { name: called }), wrong: false };
  };
  const all = count === stops.length;
  return (
    <div className="flex flex-col gap-4">
      <ScanField onCode={scan} />
      {foreign.length > 0 && (
        <section aria-label={texts.foreignTitle} className="strip rounded-card bg-yellow-bg px-4 py-3 text-yellow-ink">
          <h3 className="text-body font-semibold">{texts.foreignTitle}</h3>
          <p className="text-ui">{texts.foreignHint}</p>
          <ul>
            {foreign.map((code) => (
              <li key={code} className="flex items-center justify-between gap-2">
                <span className="code text-body font-semibold wrap-anywhere">{code}</span>
                <span className="-mr-3 [&_button]:text-yellow-ink">
                  <IconButton
                    label={fill(texts.forget, { code })}
                    icon={<X aria-hidden="true" />}
                    onClick={() => setTicks(name, { ticked, foreign: foreign.filter((one) => one !== code) })}
                  />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <p role="status" className="text-body font-semibold figures">
            {fill(progress, { count, all: stops.length })}
          </p>
          <button
            type="button"
            className="-mr-2 min-h-11 rounded-control px-2 text-ui font-medium text-brand"
            onClick={() => setTicks(name, { ticked: all ? [] : stops.map(({ packageId }) => packageId), foreign })}
          >
            {all ? texts.untickAll : texts.tickAll}
          </button>
        </div>
        <div aria-hidden="true" className="bar h-2 bg-line">
          <span
            className="block h-full rounded-full bg-green-dot transition-[width]"
            style={{ width: `${stops.length === 0 ? 0 : (count / stops.length) * 100}%` }}
          />
        </div>
      </div>
      <ul className="-mx-4 divide-y divide-line border-y border-line bg-surface md:mx-0 md:rounded-card md:border">
        {stops.map((stop) => (
          <li key={stop.packageId}>
            <TickRow
              stop={stop}
              label={fill(label, { name: `${nameOf(stop)}, ${stop.delivery.packageName}` })}
              ticked={isTicked.has(stop.packageId)}
              onToggle={() => toggle(stop.packageId)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface TickRowProps {
  stop: Stop;
  label: string;
  ticked: boolean;
  onToggle: () => void;
}

function TickRow({ stop, label, ticked, onToggle }: TickRowProps) {
  const { position, delivery } = stop;
  return (
    <label className="flex min-h-17 cursor-pointer items-center gap-3 px-4 py-2 select-none has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus">
      <input type="checkbox" aria-label={label} checked={ticked} onChange={onToggle} className="peer sr-only" />
      <span
        aria-hidden="true"
        className={classes(
          'dot flex size-9 shrink-0 items-center justify-center rounded-full text-ui font-semibold figures',
          ticked ? 'bg-green-strong text-on-green' : 'border-2 border-control text-ink-2',
        )}
      >
        {ticked ? <Check className="size-5" strokeWidth={3} /> : position}
      </span>
      <span className="min-w-0 grow">
        <span className="block text-[1.0625rem]/[1.375rem] font-semibold wrap-anywhere">{nameOf(stop)}</span>
        <span className="block text-ui text-balance text-ink-2 wrap-anywhere">
          {delivery.returnDue
            ? `${bringBackTo(delivery.recipientName)} · `
            : delivery.recipientName && `${delivery.recipientName} · `}
          {delivery.packageName}
        </span>
      </span>
      <span className="shrink-0 text-right text-ui text-ink-2">
        <span className="code block">…{delivery.trackingId.slice(-4)}</span>
        <span className="block figures">{formatWeight(delivery.weight)}</span>
      </span>
    </label>
  );
}
