import type { Texts } from '@waybill/contract/texts/en';
import { chooseHighContrast, useHighContrast } from '../platform/contrast.ts';
import { Checkbox } from '../ui/Checkbox.tsx';

/** Switches high contrast on this device. */
export function ContrastChoice({ words }: { words: Pick<Texts['account']['display'], 'contrast' | 'contrastHint'> }) {
  const more = useHighContrast();
  return (
    <Checkbox
      label={words.contrast}
      hint={words.contrastHint}
      checked={more}
      onChange={(event) => chooseHighContrast(event.target.checked)}
    />
  );
}
