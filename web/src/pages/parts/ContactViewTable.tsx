import type { ContactView } from '@waybill/contract';
import { packageHref } from '../../packages/links.ts';
import { TrackingId } from '../../packages/TrackingId.tsx';
import { formatCount } from '../../platform/formats.ts';
import { useSession } from '../../platform/session.ts';
import { LocalTime } from '../../ui/LocalTime.tsx';

/** Who saw the contact details of which package's recipient; one row per viewer, package and hour. On a phone each row becomes a card. */
export function ContactViewTable({ views }: { views: readonly ContactView[] }) {
  const session = useSession();
  return (
    <table aria-label="Who saw contacts" className="w-full border-collapse text-left max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-line text-table text-ink-3">
          {['Seen by', 'Package', 'First', 'Last', 'Times'].map((name) => (
            <th key={name} scope="col" className="px-4 py-3 font-medium first:pl-5 last:pr-5 last:text-right">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-md:block">
        {views.map((view) => (
          <tr
            key={view.id}
            className="text-ui max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-4 max-md:gap-y-1.5 max-md:px-5 max-md:py-4 md:hover:bg-sunken/50"
          >
            <th scope="row" className="font-medium text-ink wrap-anywhere md:py-3 md:pr-4 md:pl-5">
              {view.viewerName ?? 'Account deleted'}
            </th>
            <td className="max-md:col-start-1 md:px-4 md:py-3">
              {view.trackingId === null ? (
                'No longer there'
              ) : (
                <TrackingId
                  id={view.trackingId}
                  href={packageHref({ id: view.packageId, trackingId: view.trackingId }, session)}
                />
              )}
            </td>
            <td className="text-table whitespace-nowrap text-ink-2 max-md:hidden md:px-4 md:py-3">
              <LocalTime value={view.firstAt} />
            </td>
            <td className="text-table whitespace-nowrap text-ink-2 max-md:col-start-2 max-md:row-start-1 md:px-4 md:py-3">
              <LocalTime value={view.lastAt} />
            </td>
            <td className="figures text-table text-ink-2 max-md:col-start-2 max-md:row-start-2 max-md:text-right md:py-3 md:pr-5 md:pl-4 md:text-right">
              {formatCount(view.times)}
              <span className="md:sr-only">{view.times === 1 ? ' time' : ' times'}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
