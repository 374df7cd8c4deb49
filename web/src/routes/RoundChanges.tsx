import type { Route } from '@waybill/contract';
import { BellRing } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { noteChanges, useOpenChanges } from './round-changes.ts';
import { counted, texts } from './round-texts.ts';

/** What came to the round on the road and what was taken off it, until the driver has taken note. */
export function RoundChanges({ route }: { route: Route }) {
  const { added, removed } = useOpenChanges(route);
  const names = removed.flatMap(({ name }) => name ?? []);
  return (
    <div role="status">
      {added.length + removed.length > 0 && (
        <div className="strip mb-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-[20px] bg-yellow-bg px-4 py-3 text-yellow-ink max-md:mx-2">
          <BellRing aria-hidden="true" className="size-5 shrink-0" />
          <span className="min-w-0 flex-1 basis-48 text-body font-semibold">
            {added.length > 0 && <span className="block">{counted(texts.newTitle, added.length)}</span>}
            {removed.length > 0 && (
              <span className="block">
                {counted(texts.removedTitle, removed.length)}
                {names.length > 0 && <span className="block font-normal wrap-anywhere">{names.join(', ')}</span>}
              </span>
            )}
          </span>
          <Button variant="secondary" onClick={noteChanges}>
            {texts.gotIt}
          </Button>
        </div>
      )}
    </div>
  );
}
