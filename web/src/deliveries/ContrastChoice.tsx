import { chooseHighContrast, useHighContrast } from '../platform/contrast.ts';
import { Checkbox } from '../ui/Checkbox.tsx';

/** Switches high contrast on this device. */
export function ContrastChoice() {
  const more = useHighContrast();
  return (
    <Checkbox
      label="High contrast"
      hint="Black on white, thicker lines. It is on by itself when the device asks for more contrast."
      checked={more}
      onChange={(event) => chooseHighContrast(event.target.checked)}
    />
  );
}
