import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { chooseNavigator, navigatorNames, navigators, useNavigator } from './navigation.ts';

/** Chooses the navigation app of this device. */
export function NavigatorChoice() {
  const { inUse } = useNavigator();
  return (
    <Field label="Navigate with">
      <Select
        options={navigatorNames.map((name) => ({ value: name, label: navigators[name].label }))}
        value={inUse}
        onValueChange={chooseNavigator}
      />
    </Field>
  );
}
