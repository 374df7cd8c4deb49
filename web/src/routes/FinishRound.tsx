import { isOpenStop } from '@waybill/contract';
import type { Route } from '@waybill/contract';
import { Flag } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { useDepotOf, useFinishRound } from './rounds.ts';
import { faultText, RoundFault } from './RoundFault.tsx';
import { RoundFigures } from './RoundFigures.tsx';
import { counted, texts } from './round-texts.ts';
import { nameOf, TickList } from './TickList.tsx';
import { setTicks, useTicks } from './ticks.ts';

/** The end of a round: what is left in the van is counted back to the depot. */
export function FinishRound({ route, onFinished }: { route: Route; onFinished: () => void }) {
  const depot = useDepotOf(route);
  const [confirming, setConfirming] = useState(false);
  const finish = useFinishRound(route.id);
  const count = `end ${route.id}`;
  const { ticked } = useTicks(count);
  // What failed lies in the van, too.
  const left = route.stops.filter(({ state }) => isOpenStop(state) || state === 'failed');
  const open = left.filter(({ state }) => isOpenStop(state));
  const uncounted = left.filter(({ packageId }) => !ticked.includes(packageId));

  const send = () =>
    finish.mutate(
      left.flatMap(({ packageId }) => (ticked.includes(packageId) ? packageId : [])),
      {
        onSuccess: () => {
          setConfirming(false);
          setTicks(count, null);
          onFinished();
        },
      },
    );
  const press = () => {
    finish.reset();
    if (open.length > 0 || uncounted.length > 0) setConfirming(true);
    else send();
  };
  return (
    <section aria-labelledby="finish-round" className="flex grow flex-col">
      <div className="flex grow flex-col gap-4 px-4 pt-2 pb-4 md:px-0">
        <div>
          <h2 id="finish-round" className="text-[1.75rem]/[2.125rem] font-semibold tracking-[-0.03em]">
            {texts.endTitle}
          </h2>
          {depot && <p className="mt-1 text-body text-ink-2">{depot.name}</p>}
        </div>
        <RoundFigures route={route} />
        {left.length === 0 ? (
          <p className="text-[1.125rem]/[1.625rem] text-ink-2">{texts.endAllDone}</p>
        ) : (
          <>
            <div>
              {open.length > 0 && <p className="text-body font-semibold">{counted(texts.endOpen, open.length)}</p>}
              <p className="text-body text-ink-2">{texts.endHint}</p>
            </div>
            <TickList name={count} stops={left} label={texts.handBack} progress={texts.handedBack} />
          </>
        )}
      </div>
      <div className="thumb-zone bottom-0 z-20 flex flex-col gap-2 bg-canvas px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:px-0">
        {!confirming && <RoundFault error={finish.error} />}
        <Button
          size="verb"
          fullWidth
          icon={<Flag aria-hidden="true" className="size-6" />}
          loading={finish.isPending}
          loadingText={texts.finishing}
          onClick={press}
        >
          {texts.finish}
        </Button>
        {open.length > 0 && (
          <LinkButton variant="secondary" size="lg" fullWidth href="/driver/dashboard">
            {texts.backToRound}
          </LinkButton>
        )}
      </div>
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={
          uncounted.length > 0
            ? counted(texts.uncountedTitle, uncounted.length)
            : counted(texts.openStopsTitle, open.length)
        }
        description={uncounted.length > 0 ? texts.uncountedText : texts.openStopsText}
        cancelLabel={texts.cancel}
        confirmLabel={texts.finish}
        danger={uncounted.length > 0}
        act={finish}
        loadingText={texts.finishing}
        error={faultText(finish.error)}
        onConfirm={send}
      >
        {uncounted.length > 0 && (
          <ul className="text-ui text-ink">
            {uncounted.map((stop) => (
              <li key={stop.packageId} className="wrap-anywhere">
                {nameOf(stop)}, {stop.delivery.packageName}
              </li>
            ))}
          </ul>
        )}
      </ConfirmDialog>
    </section>
  );
}
