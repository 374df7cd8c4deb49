import type { Delivery } from '@waybill/contract';
import { UserRoundPen } from 'lucide-react';
import { useEffect } from 'react';
import { refreshDeliveries } from '../deliveries/steps.ts';
import { api } from '../platform/api.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { texts } from './round-texts.ts';
import { signal } from './signal.ts';

/** Changes that this page has told of by sound and vibration. */
const told = new Set<string>();

/** What the recipient of a stop has changed, until its driver has taken note of it. */
export function RecipientWishes({ stop }: { stop: Delivery }) {
  const open = stop.recipientChanges.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  const ids = open.map(({ id }) => id).join(' ');
  useEffect(() => {
    const fresh = ids.split(' ').filter((id) => id !== '' && !told.has(id));
    for (const id of fresh) told.add(id);
    if (fresh.length > 0) signal('added');
  }, [ids]);
  const acknowledge = useSingleMutation({
    mutationFn: (_: void, abort) => api.deliveries.acknowledge({ params: { id: stop.id }, signal: abort }),
    onSuccess: refreshDeliveries,
    onError: ({ message }) => toast({ title: message, variant: 'destructive' }),
  });
  if (open.length === 0) return null;
  return (
    <div
      role="status"
      className="strip mb-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-[20px] bg-yellow-bg px-4 py-3 text-yellow-ink max-md:mx-2"
    >
      <UserRoundPen aria-hidden="true" className="size-5 shrink-0" />
      <span className="min-w-0 flex-1 basis-48 text-body wrap-anywhere">
        <span className="block font-semibold">{texts.recipientChanged}</span>
        <span className="block text-ui">{(stop.recipientAddress ?? stop.packageName).split(', ')[0]}</span>
        {open.map(({ id, note }) => (
          <span key={id} className="block font-semibold">
            {note}
          </span>
        ))}
      </span>
      <Button variant="secondary" loading={acknowledge.isPending} onClick={() => acknowledge.mutate()}>
        {texts.gotIt}
      </Button>
    </div>
  );
}
