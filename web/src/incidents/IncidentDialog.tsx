import { MoveIncidentInput, incidentActionTo, incidentStatuses } from '@waybill/contract';
import type { Incident, IncidentStatus } from '@waybill/contract';
import * as z from 'zod/mini';
import { packageHref } from '../packages/links.ts';
import { StatusBadge } from '../packages/StatusBadge.tsx';
import { TrackingId } from '../packages/TrackingId.tsx';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { fromText } from '../platform/text-inputs.ts';
import { useForm } from '../platform/useForm.ts';
import type { Dispatch } from '../shifts/dispatch.ts';
import { DispatchDialog } from '../shifts/DispatchDialog.tsx';
import { DispatchMenu } from '../shifts/DispatchMenu.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { Field } from '../ui/Field.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { roleNames } from '../users/role-names.ts';
import { IncidentBadge } from './IncidentBadge.tsx';
import { refreshIncidents, useMoveIncident } from './queries.ts';

const { status, note } = MoveIncidentInput.shape;
const Step = z.object({ status, note: fromText(note) });

interface IncidentDialogProps {
  incident: Incident;
  open: boolean;
  onClose: () => void;
}

const steps: Record<IncidentStatus, string> = { Open: 'Open', Investigating: 'Investigate', Resolved: 'Resolve' };

/** An incident with its allowed status changes, and the dispatch actions of its package. */
export function IncidentDialog({ incident, open, onClose }: IncidentDialogProps) {
  const move = useMoveIncident(incident.id);
  const form = useForm(Step, submit, {
    initial: { status: incident.status, note: '' },
    refusal: move.error,
    draft: `incident ${incident.id}`,
    open,
    unsaved: false,
  });
  const dispatching = useDialogState<Dispatch>();
  const session = useSession();
  const next = incidentStatuses.filter((to) => incidentActionTo(to, incident.status) !== null);
  function submit(step: z.output<typeof Step>) {
    move.mutate(step, {
      onSuccess: () => {
        form.saved();
        toast({ title: `Incident #${incident.id}`, description: `Now ${step.status.toLowerCase()}` });
        onClose();
      },
    });
  }
  const moveTo = (to: IncidentStatus) => {
    form.setValue('status', to);
    form.onSubmit();
  };
  return (
    <>
      <Dialog
        // One dialog at a time: reopens when the dispatch dialog closes.
        open={open && !dispatching.open}
        onOpenChange={onClose}
        act={move}
        title={`Incident #${incident.id}`}
        unsaved={form.watch('note') !== ''}
        description={incident.packageName}
        footer={next.map((to, index) => (
          <Button
            key={to}
            size="lg"
            variant={index === next.length - 1 ? 'primary' : 'secondary'}
            loading={move.isPending && move.variables?.status === to}
            onClick={() => moveTo(to)}
          >
            {incident.status === 'Resolved' ? 'Reopen' : steps[to]}
          </Button>
        ))}
      >
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <IncidentBadge status={incident.status} />
            <span className="text-table text-ink-3">
              Reported <RelativeTime value={incident.time} align="end" />
            </span>
          </div>
          <p className="text-body whitespace-pre-line wrap-anywhere">{incident.description}</p>
          {incident.photo && (
            <img
              src={incident.photo}
              alt={`Incident ${incident.id}`}
              className="max-h-72 w-auto max-w-full self-start rounded-control"
            />
          )}
          <dl className="grid grid-cols-2 gap-4">
            <DescriptionItem name="Type">{incident.type}</DescriptionItem>
            <DescriptionItem name="Location">{incident.location ?? 'Not specified'}</DescriptionItem>
            <DescriptionItem name="Reported by" wide>
              {incident.reporter
                ? `${incident.reporter.name}, ${roleNames[incident.reporter.role]}`
                : 'Account deleted'}
            </DescriptionItem>
            {incident.note && (
              <DescriptionItem name="Last note" wide>
                {incident.note}
              </DescriptionItem>
            )}
          </dl>
          <div className="flex items-center gap-2 rounded-card bg-sunken px-4 py-2.5 has-[[aria-haspopup]]:pr-2.5">
            <div className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <div className="min-w-0 text-ui">
                <TrackingId
                  id={incident.package}
                  href={packageHref({ id: incident.packageId, trackingId: incident.package }, session)}
                />
                <p className="text-table text-ink-2 wrap-anywhere">
                  {incident.driver ? `Driver: ${incident.driver.name}` : 'No driver'}
                </p>
              </div>
              <StatusBadge status={incident.packageStatus} />
            </div>
            <DispatchMenu
              pkg={{
                id: incident.packageId,
                name: incident.packageName,
                trackingId: incident.package,
                status: incident.packageStatus,
                driverId: incident.driver?.id ?? null,
              }}
              onAction={dispatching.show}
            />
          </div>
          <Field
            label="Note"
            optional
            hint="Included in the notification"
            error={form.formState.errors.note?.message ?? form.formError}
          >
            <Textarea {...form.register('note')} rows={2} maxLength={500} />
          </Field>
        </div>
      </Dialog>
      {dispatching.shown && (
        <DispatchDialog
          key={dispatching.opening}
          dispatch={dispatching.shown}
          open={dispatching.open}
          onClose={dispatching.close}
          onSettled={refreshIncidents}
        />
      )}
    </>
  );
}
