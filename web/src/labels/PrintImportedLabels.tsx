import { maxPackagesAtOnce, type Import } from '@waybill/contract';
import { useRef, useState } from 'react';
import { api } from '../platform/api.ts';
import { formatCount } from '../platform/formats.ts';
import { useSession } from '../platform/session.ts';
import { PrintLabels } from './PrintLabels.tsx';

/** The clocks of server and database may differ by this much. */
const toleranceMs = 10_000;

/** Labels of the packages that an import created, newest first, 200 at a time. @param created how many, with fixed rows */
export function PrintImportedLabels({ report, created }: { report: Import; created: number }) {
  const { user } = useSession();
  const [page, setPage] = useState<{ cursor: string | null; printed: number }>({ cursor: null, printed: 0 });
  const next = useRef<string | null>(null);
  const last = Math.min(page.printed + maxPackagesAtOnce, created);
  if (!user || last <= page.printed) return null;
  const idsOf = async (signal: AbortSignal) => {
    const { items, next: cursor } = await api.packages.listOfUser({
      params: { id: user.id },
      query: {
        from: new Date(Date.parse(report.createdAt) - toleranceMs).toISOString(),
        limit: last - page.printed,
        ...(page.cursor && { cursor: page.cursor }),
      },
      signal,
    });
    next.current = cursor;
    return items.filter(({ status }) => status !== 'cancelled' && status !== 'inactive').map(({ id }) => id);
  };
  const several = created > maxPackagesAtOnce;
  return (
    <PrintLabels
      idsOf={idsOf}
      onPrinted={() => next.current !== null && last < created && setPage({ cursor: next.current, printed: last })}
    >
      {several
        ? `Print labels ${formatCount(page.printed + 1)} to ${formatCount(last)} of ${formatCount(created)}`
        : created === 1
          ? 'Print label'
          : `Print ${formatCount(created)} labels`}
    </PrintLabels>
  );
}
