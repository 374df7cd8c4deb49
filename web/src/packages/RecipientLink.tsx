import type { Package } from '@waybill/contract';
import { KeyRound, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../platform/api.ts';
import { writeToClipboard } from '../platform/clipboard.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { LocalTime } from '../ui/LocalTime.tsx';
import { Stars } from '../ui/Stars.tsx';
import { PermissionButton } from '../users/PermissionButton.tsx';

const icon = 'size-5';

/** What the recipient has chosen by their link, and the link itself. The link is a secret, so it is fetched only to be copied. */
export function RecipientLink({ pkg }: { pkg: Package }) {
  const [asking, setAsking] = useState(false);
  const params = { id: pkg.id };
  const copy = useSingleMutation({
    mutationFn: async (_: void, signal) => copied((await api.recipients.link({ params, signal })).url),
    onError: ({ message }) => toast({ title: message, variant: 'destructive' }),
  });
  const renew = useSingleMutation({
    mutationFn: async (_: void, signal) => copied((await api.recipients.renewLink({ params, signal })).url),
    onSuccess: () => setAsking(false),
  });
  return (
    <section
      aria-label="Recipient"
      className="flex flex-col gap-2.5 border-t border-line pt-3 sm:max-lg:basis-full! sm:max-lg:flex-row sm:max-lg:flex-wrap sm:max-lg:*:grow sm:max-lg:*:basis-[calc(50%-0.3125rem)]"
    >
      {pkg.recipientChanges.length > 0 && (
        <div className="sm:max-lg:basis-full!">
          <h3 className="text-ui font-medium text-ink">Chosen by {pkg.recipientName}</h3>
          <ul className="mt-1 divide-y divide-line">
            {pkg.recipientChanges.map(({ id, note, at, acknowledgedAt }) => (
              <li key={id} className="py-1.5">
                <p className="text-ui text-ink wrap-anywhere">{note}</p>
                <p className="text-table text-ink-3">
                  <LocalTime value={at} />
                  {acknowledgedAt !== null && ', seen by the driver'}
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      {pkg.recipientRating && (
        <div className="flex flex-wrap items-center justify-between gap-2 sm:max-lg:basis-full!">
          <span className="text-ui text-ink-2">Recipient's rating</span>
          <Stars value={pkg.recipientRating.stars} />
          {pkg.recipientRating.comment && (
            <p className="w-full text-ui text-ink-2 wrap-anywhere">{pkg.recipientRating.comment}</p>
          )}
        </div>
      )}
      <Button
        variant="secondary"
        fullWidth
        icon={<KeyRound aria-hidden="true" className={icon} />}
        loading={copy.isPending}
        onClick={() => copy.mutate()}
      >
        Copy recipient link
      </Button>
      <PermissionButton
        permissions={['packages.read']}
        variant="secondary"
        fullWidth
        icon={<RefreshCw aria-hidden="true" className={icon} />}
        onClick={() => setAsking(true)}
      >
        Make new recipient link
      </PermissionButton>
      <p className="text-table text-ink-3 sm:max-lg:basis-full!">
        Whoever has this link sees the address and the proof{pkg.allowChanges && ', and can change the delivery'}.
      </p>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Make new recipient link"
        description={`The link that the recipient has stops working${pkg.handling.pin ? ', and so does their PIN' : ''}. Send them the new one.`}
        confirmLabel="Make new link"
        loadingText="Making..."
        danger
        act={renew}
        error={renew.error?.message}
        onConfirm={() => renew.mutate()}
      />
    </section>
  );
}

/** Says that it was copied without showing it: others may look at the screen. */
async function copied(url: string): Promise<void> {
  if (await writeToClipboard(url))
    toast({ title: 'Recipient link copied', description: 'Only the recipient should have it.' });
  else toast({ title: 'The link could not be copied', description: url, variant: 'destructive' });
}
