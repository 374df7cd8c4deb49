import type { LabelContent } from '@waybill/contract';
import { useFormContext, useWatch } from 'react-hook-form';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { useOrganisation } from '../platform/organisation.ts';
import { useSession } from '../platform/session.ts';
import { trackerLink } from '../packages/links.ts';
import { handlingOf, type PackageFormInput } from '../packages/package-form.ts';

const LabelPreview = lazyComponent(() =>
  importWithRetry(() => import('./LabelPreview.tsx')).then((module) => module.LabelPreview),
);

/** The label of the package that the form creates, as it is filled in. */
export function CreateLabel() {
  const { control } = useFormContext<PackageFormInput>();
  const values = useWatch({ control }) as PackageFormInput;
  const { name: organisation, timeZone } = useOrganisation();
  const { user } = useSession();
  const trackingId = values.trackingId || 'PKG-XXXXXXXX';
  return (
    <div className="aspect-2/3">
      <LabelPreview
        label={{ ...labelOf(values), trackingId, organisation, sender: user?.name ?? null }}
        link={trackerLink(trackingId) ?? `${location.origin}/track/${trackingId}`}
        zone={timeZone}
      />
    </div>
  );
}

function labelOf({
  reference,
  name,
  weight,
  recipientName,
  address,
  window,
  eta,
  handling,
}: PackageFormInput): Omit<LabelContent, 'trackingId' | 'organisation' | 'sender'> {
  const isWindow = window.day && window.from && window.until;
  return {
    reference: reference.trim() || null,
    name: name.trim(),
    weight: Number.isFinite(weight) ? weight : null,
    recipientName: recipientName.trim(),
    address: {
      street: address.street.trim(),
      postalCode: address.postalCode.trim() || null,
      city: address.city.trim(),
      country: address.country.trim() || null,
    },
    window: isWindow
      ? {
          from: new Date(`${window.day}T${window.from}`).toISOString(),
          to: new Date(`${window.day}T${window.until}`).toISOString(),
        }
      : null,
    eta: eta || null,
    handling: handlingOf(handling),
  };
}
