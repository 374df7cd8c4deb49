import { CircleX, Link2, Printer, Trash2 } from 'lucide-react';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { BarButton, SelectionBar } from '../ui/SelectionBar.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import type { Selection } from '../ui/useSelection.ts';
import { useCan } from '../users/useCan.ts';
import type { Picked, SaveLabels } from './bulk.ts';
import type { BulkAct } from './BulkDialog.tsx';

const BulkDialog = lazyComponent(() =>
  importWithRetry(() => import('./BulkDialog.tsx')).then((module) => module.BulkDialog),
);

interface ChosenPackagesBarProps {
  selection: Selection;
  /** The loaded packages, as they are shown. */
  shown: readonly Picked[];
  saveLabels: SaveLabels;
}

/** What a dispatcher can do with the chosen packages at once. */
export function ChosenPackagesBar({ selection, shown, saveLabels }: ChosenPackagesBarProps) {
  const mayUpdate = useCan({ permissions: ['packages.update'] });
  const mayDelete = useCan({ permissions: ['packages.update', 'packages.delete'], requireAll: true });
  const dialog = useDialogState<{ act: BulkAct; chosen: readonly Picked[] }>();
  const start = (act: BulkAct) => () => dialog.show({ act, chosen: shown.filter(({ id }) => selection.has(id)) });
  return (
    <>
      <SelectionBar selection={selection} loaded={shown.length} total={null}>
        <BarButton icon={<Printer aria-hidden="true" />} onClick={start('labels')}>
          Print labels
        </BarButton>
        <BarButton icon={<Link2 aria-hidden="true" />} onClick={start('links')}>
          Copy links
        </BarButton>
        {mayUpdate && (
          <BarButton icon={<CircleX aria-hidden="true" />} onClick={start('cancel')}>
            Cancel...
          </BarButton>
        )}
        {mayDelete && (
          <BarButton icon={<Trash2 aria-hidden="true" />} onClick={start('delete')}>
            Delete...
          </BarButton>
        )}
      </SelectionBar>
      {dialog.shown && (
        <BulkDialog
          key={dialog.opening}
          act={dialog.shown.act}
          chosen={dialog.shown.chosen}
          saveLabels={saveLabels}
          open={dialog.open}
          onClose={dialog.close}
          onDone={selection.clear}
        />
      )}
    </>
  );
}
