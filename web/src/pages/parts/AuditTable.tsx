import type { AuditEntry } from '@waybill/contract';
import type { ReactNode } from 'react';
import { packageHref } from '../../packages/links.ts';
import { TrackingId } from '../../packages/TrackingId.tsx';
import { formatCount } from '../../platform/formats.ts';
import { useSession } from '../../platform/session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { classes } from '../../ui/classes.ts';
import { LocalTime } from '../../ui/LocalTime.tsx';
import { nameOfBrowser } from '../../users/browser-name.ts';
import { actorOf, actTexts, detailsOf, subjectOf } from '../../audit/audit-texts.ts';

const columns = ['What', 'Who', 'Whom', 'Where from', 'When', 'Details'];

/** The entries of the audit log. On a phone each row becomes a card. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <table aria-label="Audit log" className="w-full border-collapse text-left max-lg:block">
      <thead className="max-lg:sr-only">
        <tr className="border-b border-line text-table text-ink-3">
          {columns.map((name) => (
            <th key={name} scope="col" className="px-4 py-3 font-medium first:pl-5 last:pr-5">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-lg:block">
        {entries.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const details = detailsOf(entry);
  return (
    <tr className="text-ui max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-baseline max-lg:gap-x-4 max-lg:gap-y-1.5 max-lg:px-5 max-lg:py-4 lg:align-baseline lg:hover:bg-sunken/50">
      <th scope="row" className="font-medium text-ink lg:py-3 lg:pr-4 lg:pl-5">
        {actTexts[entry.act]}
        {entry.times > 1 && (
          <span className="ml-2">
            <Badge tone="yellow">{formatCount(entry.times)} times</Badge>
          </span>
        )}
      </th>
      <Cell placement="max-lg:col-span-full">
        <span className="block wrap-anywhere text-ink lg:min-w-24">{actorOf(entry)}</span>
      </Cell>
      <Cell placement="max-lg:col-span-full" label={subjectOf(entry) === null ? null : 'Whom'}>
        <Subject entry={entry} />
      </Cell>
      <Cell placement="max-lg:col-span-full">
        {entry.address !== null && <span className="code block text-table wrap-anywhere">{entry.address}</span>}
        {entry.device !== null && <span className="block text-table text-ink-3">{nameOfBrowser(entry.device)}</span>}
      </Cell>
      <Cell placement="max-lg:col-start-2 max-lg:row-start-1">
        <span className="text-table whitespace-nowrap text-ink-2">
          <LocalTime value={entry.at} />
        </span>
      </Cell>
      <Cell placement="max-lg:col-span-full" last>
        {details.map((line) => (
          <span key={line} className="block text-table text-ink-2 wrap-anywhere">
            {line}
          </span>
        ))}
      </Cell>
    </tr>
  );
}

function Subject({ entry }: { entry: AuditEntry }) {
  const session = useSession();
  const subject = subjectOf(entry);
  if (subject === null) return null;
  const { subjectId, subjectName } = entry;
  if (subjectId !== null && subjectName?.startsWith('PKG-'))
    return <TrackingId id={subjectName} href={packageHref({ id: subjectId, trackingId: subjectName }, session)} />;
  return <span className="wrap-anywhere lg:inline-block lg:min-w-24">{subject}</span>;
}

interface CellProps {
  /** Grid placement classes for the card layout of phones. */
  placement: string;
  /** The label before the value in the card layout. */
  label?: string | null;
  last?: boolean;
  children: ReactNode;
}

const Cell = ({ placement, label = null, last = false, children }: CellProps) => (
  <td className={classes(placement, 'max-lg:empty:hidden lg:py-3 lg:pl-4', last ? 'lg:pr-5' : 'lg:pr-4')}>
    {label !== null && <span className="text-table text-ink-3 lg:hidden">{label}: </span>}
    {children}
  </td>
);
