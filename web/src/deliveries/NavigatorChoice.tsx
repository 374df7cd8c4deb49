import type { Texts } from '@waybill/contract/texts/en';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { chooseNavigator, navigators, offeredNavigators, useNavigator } from './navigation.ts';

/** Chooses the navigation app of this device. */
export function NavigatorChoice({ words }: { words: Pick<Texts['account']['navigation'], 'label' | 'own'> }) {
  const { inUse } = useNavigator();
  return (
    <Field label={words.label}>
      <Select
        options={offeredNavigators(inUse).map((name) => ({
          value: name,
          label: name === 'geo' ? words.own : navigators[name].label,
        }))}
        value={inUse}
        onValueChange={chooseNavigator}
      />
    </Field>
  );
}
