import { ApiError, fill, missingAgeMessage } from '@waybill/contract';
import { useState } from 'react';
import { ageOf, type AskedPackage, type AskedWords } from './AskedFields.tsx';

/** What was refused, in the words of the screen; null if it is another error. */
export function pinRefusal(error: unknown, words: AskedWords): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'pin_locked') return words.locked;
  if (error.code !== 'pin_wrong') return null;
  const tries = Number(/\d+/.exec(error.message)?.[0] ?? 1);
  return fill(tries === 1 ? words.wrong.one : words.wrong.other, { count: tries });
}

/**
 * The state of AskedFields.
 * @param error of the last request
 * @param missingAge the message for an age that was not checked
 */
export function useAsked(
  packages: readonly AskedPackage[],
  words: AskedWords,
  error: unknown,
  missingAge = missingAgeMessage,
) {
  const [pins, setPins] = useState<Record<string, string>>({});
  const [ageChecked, setAgeChecked] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const [refused, setRefused] = useState<unknown>(null);
  const asked = packages.filter(({ pinState }) => pinState === 'asked' || pinState === 'locked');
  const isPin = (id: string) => /^\d{4}$/.test(pins[id] ?? '');
  const needsAge = ageOf(packages) !== null && !ageChecked;
  // The same refusal is not shown any more once something else is typed.
  const refusal = error === refused ? null : pinRefusal(error, words);
  const fields = error instanceof ApiError ? (error.fields ?? {}) : {};
  const errors = Object.fromEntries(
    asked.map(({ id }) => {
      const isRefused = refusal !== null && (asked.length === 1 || `pins.${id}` in fields);
      return [id, isRefused ? refusal : isTried && !isPin(id) ? words.hint : undefined];
    }),
  );
  return {
    fields: {
      words,
      packages,
      pins,
      errors,
      onPins: (typed: Record<string, string>) => {
        setPins(typed);
        setRefused(error);
      },
      ageChecked,
      ageError: isTried && needsAge ? missingAge : undefined,
      onAgeChecked: setAgeChecked,
    },
    /** For the request. */
    pins: Object.fromEntries(asked.flatMap(({ id }) => (isPin(id) ? [[id, pins[id] ?? '']] : []))),
    ageChecked: ageOf(packages) === null ? undefined : ageChecked,
    /** Shows what is missing. @returns whether nothing is */
    check(): boolean {
      setIsTried(true);
      return !needsAge && asked.every(({ id }) => isPin(id));
    },
  };
}
