import { countDays, maxPerformanceDays } from '@waybill/contract';
import { useState } from 'react';
import { formatLongMonth } from '../platform/formats.ts';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Select } from '../ui/Select.tsx';
import { chosenDays, isMonth, periods } from './periods.ts';
import type { Period } from './periods.ts';

const choosing = 'Choose days...';
const none: readonly Period[] = [];

interface PeriodChoiceProps {
  period: Period;
  onPeriod: (period: Period) => void;
  /** Calendar months offered besides the last 7, 30 and 90 days. */
  months?: readonly Period[];
  /** Any first and last day may be chosen; `shown` are those to begin with, undefined until they are known. */
  days?: { shown: { from: string; to: string } | undefined };
}

/** The last days, a month, or any two days. */
export function PeriodChoice({ period, onPeriod, months = none, days }: PeriodChoiceProps) {
  const chosen = chosenDays(period);
  const offered: Period[] = [...periods, ...months];
  const listed = chosen || offered.includes(period) ? offered : [...offered, period];
  const options = listed.map((value) => ({
    value: value as string,
    label: isMonth(value) ? formatLongMonth(value) : `Last ${value} Days`,
  }));
  return (
    <>
      <Select
        aria-label="Period"
        options={days ? [...options, { value: choosing, label: choosing }] : options}
        value={chosen ? choosing : period}
        onValueChange={(value) => {
          const next = listed.find((one) => one === value);
          if (next) onPeriod(next);
          else if (days?.shown) onPeriod(`${days.shown.from}..${days.shown.to}`);
        }}
      />
      {chosen && <ChosenDays key={period} {...chosen} onDays={onPeriod} />}
    </>
  );
}

interface ChosenDaysProps {
  from: string;
  to: string;
  onDays: (period: Period) => void;
}

/** Two days, which apply as soon as they are a period. */
function ChosenDays({ onDays, ...shown }: ChosenDaysProps) {
  const [typed, setTyped] = useState(shown);
  const change = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    if (faultOf(next) === undefined) onDays(`${next.from}..${next.to}`);
  };
  const fault = faultOf(typed);
  return (
    <div className="grid w-full grid-cols-2 gap-3 max-sm:pl-4 sm:grid-cols-[10rem_10rem] sm:justify-end">
      <Field label="From">
        <Input
          type="date"
          min="2000-01-01"
          max={typed.to || '2999-12-31'}
          value={typed.from}
          onChange={(event) => change({ from: event.target.value })}
        />
      </Field>
      <Field label="To" {...(fault && { error: fault })}>
        <Input
          type="date"
          min={typed.from || '2000-01-01'}
          max="2999-12-31"
          value={typed.to}
          onChange={(event) => change({ to: event.target.value })}
        />
      </Field>
    </div>
  );
}

function faultOf({ from, to }: { from: string; to: string }): string | undefined {
  if (from === '' || to === '') return 'Choose both days.';
  if (!chosenDays(`${from}..${to}`)) return 'The last day must not be before the first.';
  if (countDays({ from, to }) > maxPerformanceDays) return `At most ${maxPerformanceDays} days.`;
  return undefined;
}
