import { useQuery } from '@tanstack/react-query';
import { fill } from '@waybill/contract';
import type { Route } from '@waybill/contract';
import { useState } from 'react';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { QueryNote } from '../ui/QueryNote.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { colleaguesQuery, useOffers, useOfferStops } from './offers.ts';
import { openStops } from './rounds.ts';
import { RoundFault } from './RoundFault.tsx';
import { counted, texts } from './round-texts.ts';
import { nameOf } from './TickList.tsx';

/** Offers open stops of the round to a colleague. They stay the driver's until they are accepted. */
export function OfferStops({ route, onDone }: { route: Route; onDone: () => void }) {
  const { made } = useOffers(useSession().user?.id);
  const offered = new Set(made.flatMap(({ deliveries }) => deliveries.map(({ id }) => id)));
  const stops = openStops(route).filter(({ packageId }) => !offered.has(packageId));
  const colleagues = useQuery(colleaguesQuery());
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [driverId, setDriverId] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const offer = useOfferStops(route.id);

  const packageIds = stops.flatMap(({ packageId }) => (ticked.includes(packageId) ? packageId : []));
  // The only one, or the chosen one while they are on the road.
  const to =
    colleagues.data?.find(({ id }) => id === driverId) ??
    (colleagues.data?.length === 1 ? colleagues.data[0] : undefined);
  const missing = packageIds.length === 0 ? texts.chooseStops : to ? null : texts.chooseColleague;

  const submit = () => {
    setTried(true);
    if (missing !== null || !to) return;
    offer.mutate(
      { packageIds, driverId: to.id },
      {
        onSuccess: () => {
          toast({ title: fill(counted(texts.offeredTo, packageIds.length), { name: to.name }) });
          onDone();
        },
      },
    );
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ui text-ink-2">{texts.offerHint}</p>
      <Card>
        <fieldset>
          <legend className="mb-1 text-ui font-semibold">{texts.toWhom}</legend>
          {colleagues.isPending && <Skeleton height="h-11" />}
          <QueryNote query={colleagues} title={texts.colleaguesNotLoaded} />
          {colleagues.data?.length === 0 && <p className="text-ui text-ink-2">{texts.noColleagues}</p>}
          {colleagues.data?.map(({ id, name }) => (
            <label key={id} className="flex min-h-12 cursor-pointer items-center gap-3 text-body wrap-anywhere">
              <input
                type="radio"
                name="colleague"
                checked={to?.id === id}
                onChange={() => setDriverId(id)}
                className="size-5 shrink-0 accent-brand"
              />
              {name}
            </label>
          ))}
        </fieldset>
      </Card>
      <Card>
        <fieldset>
          <legend className="mb-1 text-ui font-semibold">{texts.whichStops}</legend>
          {stops.map((stop) => (
            <Checkbox
              key={stop.packageId}
              label={nameOf(stop)}
              hint={[stop.delivery.recipientName, stop.delivery.packageName].filter(Boolean).join(' · ')}
              checked={ticked.includes(stop.packageId)}
              onChange={() =>
                setTicked(
                  ticked.includes(stop.packageId)
                    ? ticked.filter((id) => id !== stop.packageId)
                    : [...ticked, stop.packageId],
                )
              }
            />
          ))}
        </fieldset>
      </Card>
      <div className="round-acts">
        {isTried && missing !== null && (
          <p role="alert" className="px-2 text-ui font-medium text-danger">
            {missing}
          </p>
        )}
        <RoundFault error={offer.error} />
        <div className="flex flex-wrap gap-2 *:grow">
          <Button variant="secondary" size="xl" onClick={onDone}>
            {texts.cancel}
          </Button>
          <Button size="xl" loading={offer.isPending} loadingText={texts.offering} onClick={submit}>
            {packageIds.length === 0 ? texts.offer : counted(texts.offerStops, packageIds.length)}
          </Button>
        </div>
      </div>
    </div>
  );
}
