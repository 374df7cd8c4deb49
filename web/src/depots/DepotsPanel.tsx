import { useQuery } from '@tanstack/react-query';
import type { Depot } from '@waybill/contract';
import { Pencil, Plus, Trash2, Warehouse } from 'lucide-react';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Panel } from '../ui/Panel.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import { DepotDialog } from './DepotDialog.tsx';
import { depotsQuery, useDeleteDepot, useLiveDepots } from './queries.ts';

/** Where packages wait, and where routes begin and end. */
export function DepotsPanel() {
  useLiveDepots();
  const depots = useQuery(depotsQuery());
  const editing = useDialogState<{ depot: Depot | null }>();
  const deleting = useDialogState<Depot>();
  return (
    <>
      <Panel
        title="Depots"
        query={depots}
        loadingHeight="h-40"
        flush
        actions={
          <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => editing.show({ depot: null })}>
            Add Depot
          </Button>
        }
      >
        {(list) => (
          <ul aria-label="Depots" className="divide-y divide-line border-t border-line">
            {list.map((depot) => (
              <li key={depot.id} className="flex items-start gap-3 px-5 py-4">
                <Warehouse aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-3" />
                <div className="min-w-0 grow">
                  <p className="text-ui font-semibold wrap-anywhere">{depot.name}</p>
                  <p className="mt-0.5 text-ui text-ink-2 wrap-anywhere">{addressOf(depot) ?? 'No address yet'}</p>
                  <p className="mt-1 text-table figures text-ink-3">
                    {[depot.opensAt && `${depot.opensAt} to ${depot.closesAt}`, depot.timeZone]
                      .filter(Boolean)
                      .join(' · ')}
                  </p>
                </div>
                <span className="-mx-2 flex self-center">
                  <IconButton
                    size="sm"
                    label={`Edit ${depot.name}`}
                    icon={<Pencil aria-hidden="true" />}
                    onClick={() => editing.show({ depot })}
                  />
                  <IconButton
                    size="sm"
                    label={`Delete ${depot.name}`}
                    icon={<Trash2 aria-hidden="true" />}
                    onClick={() => deleting.show(depot)}
                  />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {editing.shown && (
        <DepotDialog
          key={`edit ${editing.opening}`}
          depot={editing.shown.depot}
          open={editing.open}
          onClose={editing.close}
        />
      )}
      {deleting.shown && (
        <DeleteDepotDialog
          key={`delete ${deleting.opening}`}
          depot={deleting.shown}
          open={deleting.open}
          onClose={deleting.close}
        />
      )}
    </>
  );
}

const addressOf = ({ address }: Depot): string | null =>
  address &&
  [address.street, [address.postalCode, address.city].filter(Boolean).join(' '), address.country]
    .filter(Boolean)
    .join(', ');

interface DeleteDepotDialogProps {
  depot: Depot;
  open: boolean;
  onClose: () => void;
}

function DeleteDepotDialog({ depot, open, onClose }: DeleteDepotDialogProps) {
  const remove = useDeleteDepot(depot.id);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Delete the depot ${depot.name}?`}
      description="Finished routes keep its name."
      confirmLabel="Delete"
      loadingText="Deleting..."
      danger
      act={remove}
      error={remove.error?.message}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            toast({ title: 'Depot deleted', description: depot.name });
            onClose();
          },
        })
      }
    />
  );
}
