import { chooseHighContrast, useHighContrast } from '../platform/contrast.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import { texts } from './texts.ts';

/** Switches high contrast on this device. */
export function ContrastChoice() {
  const more = useHighContrast();
  return (
    <Checkbox
      label={texts.highContrast}
      hint={texts.highContrastHint}
      checked={more}
      onChange={(event) => chooseHighContrast(event.target.checked)}
    />
  );
}
