import { fill } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';

export type AskedWords = Texts['driver']['asked'];

/** What of a package is asked at the door. */
export type AskedPackage = Pick<Delivery, 'id' | 'pinState' | 'handling'> & { name: string };

interface AskedFieldsProps {
  words: AskedWords;
  packages: readonly AskedPackage[];
  /** By id of the package, as typed. */
  pins: Readonly<Record<string, string>>;
  /** The same. */
  errors: Readonly<Record<string, string | undefined>>;
  onPins: (pins: Record<string, string>) => void;
  ageChecked: boolean;
  ageError: string | undefined;
  onAgeChecked: (checked: boolean) => void;
}

/** The oldest age that any of these packages asks for; null without one. */
export const ageOf = (packages: readonly AskedPackage[]): number | null => {
  const ages = packages.flatMap(({ handling }) => handling.age ?? []);
  return ages.length > 0 ? Math.max(...ages) : null;
};

/** The PIN of each package that has one, on the number pad, and the check of an ID. */
export function AskedFields({
  words,
  packages,
  pins,
  errors,
  onPins,
  ageChecked,
  ageError,
  onAgeChecked,
}: AskedFieldsProps) {
  const withPin = packages.filter(({ pinState }) => pinState !== null);
  const age = ageOf(packages);
  return (
    <>
      {withPin.map(({ id, name, pinState }) =>
        pinState === 'waived' ? (
          <p key={id} className="text-ui text-ink-2">
            {words.waived}
          </p>
        ) : (
          <Field
            key={id}
            label={withPin.length === 1 ? words.pin : fill(words.pinFor, { package: name })}
            required
            disabled={pinState === 'locked'}
            hint={words.hint}
            error={pinState === 'locked' ? words.locked : errors[id]}
          >
            <Input
              name={`pin ${id}`}
              size="lg"
              code
              inputMode="numeric"
              autoComplete="off"
              enterKeyHint="done"
              maxLength={4}
              value={pins[id] ?? ''}
              onChange={({ target }) => onPins({ ...pins, [id]: target.value.replaceAll(/\D/g, '') })}
            />
          </Field>
        ),
      )}
      {age !== null && (
        <div>
          <Checkbox
            label={fill(words.checked, { age })}
            hint={words.checkedHint}
            checked={ageChecked}
            aria-invalid={ageError !== undefined}
            onChange={({ target }) => onAgeChecked(target.checked)}
          />
          {ageError !== undefined && (
            <p role="alert" className="text-table text-red">
              {ageError}
            </p>
          )}
        </div>
      )}
    </>
  );
}
