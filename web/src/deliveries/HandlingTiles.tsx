import { texts } from './texts.ts';
import type { Handling } from '@waybill/contract';
import { ArrowUpToLine, House, KeyRound, Signature, Snowflake, UserRound, Wine } from 'lucide-react';
import { handlingLabels } from '../packages/handling.ts';
import { classes } from '../ui/classes.ts';

const none: Handling = {
  fragile: false,
  keepUpright: false,
  refrigerated: false,
  signatureRequired: false,
  pin: false,
  age: null,
  safePlace: null,
};

/** Special handling as large tiles: what the driver must do is yellow, what he must know is grey. */
export function HandlingTiles({ handling }: { handling: Handling }) {
  const { signatureRequired, pin, age, safePlace, fragile, keepUpright, refrigerated } = handling;
  const tiles = [
    signatureRequired && { icon: Signature, mustDo: true, handling: { ...none, signatureRequired } },
    pin && { icon: KeyRound, mustDo: true, handling: { ...none, pin } },
    age !== null && { icon: UserRound, mustDo: true, handling: { ...none, age } },
    safePlace !== null && { icon: House, mustDo: true, handling: { ...none, safePlace } },
    fragile && { icon: Wine, mustDo: false, handling: { ...none, fragile } },
    keepUpright && { icon: ArrowUpToLine, mustDo: false, handling: { ...none, keepUpright } },
    refrigerated && { icon: Snowflake, mustDo: false, handling: { ...none, refrigerated } },
  ].filter((tile) => tile !== false);
  if (tiles.length === 0) return null;
  return (
    <ul
      aria-label={texts.handling}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,6.25rem),1fr))] gap-2 text-center"
    >
      {tiles.map(({ icon: Icon, mustDo, handling: one }) => (
        <li
          key={handlingLabels(one, texts).join('')}
          className={classes(
            'tile flex min-h-20 flex-col items-center justify-center gap-1.5 rounded-card px-2 py-2.5 text-[0.9375rem]/[1.125rem] font-medium wrap-anywhere',
            mustDo ? 'bg-yellow-bg text-yellow-ink' : 'bg-sunken text-ink',
          )}
        >
          <Icon aria-hidden="true" className="size-7 shrink-0" strokeWidth={1.75} />
          {handlingLabels(one, texts)}
        </li>
      ))}
    </ul>
  );
}
