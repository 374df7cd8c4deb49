import { incidentActionTo, incidentStatuses } from '@waybill/contract';
import type { Incident, IncidentStatus } from '@waybill/contract';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useDraft } from '../platform/drafts.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Fact } from '../ui/Fact.tsx';
import { Field } from '../ui/Field.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { roleNames } from '../users/role-names.ts';
import { IncidentBadge } from './IncidentBadge.tsx';
import { useMoveIncident } from './queries.ts';

interface IncidentDialogProps {
  incident: Incident;
  open: boolean;
  onClose: () => void;
}

const steps: Record<IncidentStatus, string> = { Open: 'Open', Investigating: 'Investigate', Resolved: 'Resolve' };

/** What was reported, and the steps that its life allows. */
export function IncidentDialog({ incident, open, onClose }: IncidentDialogProps) {
  const draft = useDraft(`incident ${incident.id}`, { note: '' }, open);
  const { note } = draft.values;
  const move = useMoveIncident(incident.id);
  const next = incidentStatuses.filter((status) => incidentActionTo(status, incident.status) !== null);
  const go = (status: IncidentStatus) =>
    move.mutate(
      { status, note },
      {
        onSuccess: () => {
          draft.saved();
          toast({ title: `Incident #${incident.id}`, description: `Now ${status.toLowerCase()}` });
          onClose();
        },
      },
    );
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={`Incident #${incident.id}`}
      unsaved={draft.dirty}
      description={incident.packageName}
      footer={next.map((status, index) => (
        <Button
          key={status}
          size="lg"
          variant={index === next.length - 1 ? 'primary' : 'secondary'}
          loading={move.isPending && move.variables?.status === status}
          onClick={() => go(status)}
        >
          {incident.status === 'Resolved' ? 'Reopen' : steps[status]}
        </Button>
      ))}
    >
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <IncidentBadge status={incident.status} />
          <TrackingId id={incident.package} />
        </div>
        <p className="text-body whitespace-pre-line wrap-anywhere">{incident.description}</p>
        {incident.photo && (
          <img src={incident.photo} alt={`Incident ${incident.id}`} className="max-h-72 self-start rounded-control" />
        )}
        <dl className="grid grid-cols-2 gap-4">
          <Fact name="Type">{incident.type}</Fact>
          <Fact name="Location">{incident.location ?? 'Not specified'}</Fact>
          <Fact name="Reported by">
            {incident.reporter ? `${incident.reporter.name}, ${roleNames[incident.reporter.role]}` : 'Account deleted'}
          </Fact>
          <Fact name="Reported">
            <RelativeTime value={incident.time} />
          </Fact>
          {incident.note && (
            <Fact name="Last note" wide>
              {incident.note}
            </Fact>
          )}
        </dl>
        <Field label="Note" optional hint="Told to whoever is told of the step." error={move.error?.message}>
          <Textarea
            rows={2}
            value={note}
            maxLength={500}
            onChange={(event) => draft.change({ note: event.target.value })}
          />
        </Field>
      </div>
    </Dialog>
  );
}
