import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { useCan } from '../users/useCan.ts';

/** Link to the log of staff who viewed a package's recipient, for readers of the audit log. */
export function RecipientAccessLink({ trackingId }: { trackingId: string }) {
  if (!useCan({ permissions: ['admin.system_config'] })) return null;
  return (
    <DescriptionItem name="Contact Views">
      <a href={`/admin/audit?tab=contacts&package=${trackingId}`} className="text-brand hover:underline">
        See who and when
      </a>
    </DescriptionItem>
  );
}
