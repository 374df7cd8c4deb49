import type { AuditEntry } from '@waybill/contract';
import { SearchX } from 'lucide-react';
import { actorOf, actTexts, detailsOf, idsOf, subjectOf } from '../../audit/audit-texts.ts';
import { packageHref } from '../../packages/links.ts';
import { TrackingId } from '../../packages/TrackingId.tsx';
import { formatCount } from '../../platform/formats.ts';
import { useSession } from '../../platform/session.ts';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LocalTime } from '../../ui/LocalTime.tsx';
import { neighboursOf } from '../../ui/neighbours.ts';
import { PanelSteps } from '../../ui/PanelSteps.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { nameOfBrowser } from '../../platform/browser-name.ts';

interface AuditPanelProps {
  id: string;
  /** The loaded entries. */
  entries: readonly AuditEntry[];
  total: number | null;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** An entry of the audit log beside its list, with all that a row has no room for. */
export function AuditPanel({ id, entries, total, onOpen, onClose }: AuditPanelProps) {
  const entry = entries.find((one) => String(one.id) === id);
  const neighbours = neighboursOf(
    id,
    entries.map((one) => String(one.id)),
    total,
  );
  return (
    <SidePanel
      label={entry ? actTexts[entry.act] : 'Entry'}
      onClose={onClose}
      head={entry && <h2 className="truncate text-body font-semibold">{actTexts[entry.act]}</h2>}
      tools={<PanelSteps noun="entry" neighbours={neighbours} onOpen={onOpen} />}
    >
      {entry ? (
        <Content entry={entry} />
      ) : (
        <EmptyState icon={<SearchX />} title="Not in this list" description="It does not match the filters." />
      )}
    </SidePanel>
  );
}

function Content({ entry }: { entry: AuditEntry }) {
  const details = detailsOf(entry);
  const ids = idsOf(entry);
  const subject = subjectOf(entry);
  return (
    <dl className="grid gap-x-6 gap-y-4 px-5 py-4 sm:grid-cols-2">
      <DescriptionItem name="Who">{actorOf(entry)}</DescriptionItem>
      {subject !== null && (
        <DescriptionItem name="Whom">
          <Subject entry={entry} name={subject} />
        </DescriptionItem>
      )}
      <DescriptionItem name="When">
        <LocalTime value={entry.at} />
      </DescriptionItem>
      <DescriptionItem name="Number">
        <span className="figures">{entry.id}</span>
      </DescriptionItem>
      {entry.times > 1 && (
        <DescriptionItem name="Times">
          <span className="figures">{formatCount(entry.times)}</span>
        </DescriptionItem>
      )}
      {entry.address !== null && (
        <DescriptionItem name="IP Address">
          <span className="code">{entry.address}</span>
        </DescriptionItem>
      )}
      {entry.device !== null && (
        <DescriptionItem name="Device" wide>
          {nameOfBrowser(entry.device)}
          <span className="block text-table font-normal text-ink-3">{entry.device}</span>
        </DescriptionItem>
      )}
      {details.length > 0 && (
        <DescriptionItem name="Details" wide>
          {details.map((line) => (
            <span key={line} className="block font-normal">
              {line}
            </span>
          ))}
        </DescriptionItem>
      )}
      {ids.map(({ name, id }) => (
        <DescriptionItem key={`${name} ${id}`} name={name} wide>
          <span className="code text-table font-normal text-ink-2">{id}</span>
        </DescriptionItem>
      ))}
    </dl>
  );
}

function Subject({ entry: { subjectId, subjectName }, name }: { entry: AuditEntry; name: string }) {
  const session = useSession();
  if (subjectId !== null && subjectName?.startsWith('PKG-'))
    return <TrackingId id={subjectName} href={packageHref({ id: subjectId, trackingId: subjectName }, session)} />;
  return <>{name}</>;
}
