import type { Package } from '@waybill/contract';
import { CircleX, Download, Link2, Printer, Trash2 } from 'lucide-react';
import { api } from '../platform/api.ts';
import { saveFile, saveResponse } from '../platform/download.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { BarButton, SelectionBar } from '../ui/SelectionBar.tsx';
import { useDialogState } from '../ui/useDialogState.ts';
import type { Selection } from '../ui/useSelection.ts';
import { useCan } from '../users/useCan.ts';
import type { SaveLabels } from './bulk.ts';
import type { BulkAct } from './BulkDialog.tsx';
import { toQuery } from './filters.ts';
import type { PackageSearch } from './search.ts';

const BulkDialog = lazyComponent(() =>
  importWithRetry(() => import('./BulkDialog.tsx')).then((module) => module.BulkDialog),
);

interface PackageSelectionBarProps {
  ownerId: string;
  selection: Selection;
  /** The loaded packages, as they are shown. */
  shown: readonly Package[];
  search: PackageSearch;
  total: number | null;
  isCapped: boolean;
  saveLabels: SaveLabels;
}

/** What can be done with the selected packages at once. */
export function PackageSelectionBar({
  ownerId,
  selection,
  shown,
  search,
  total,
  isCapped,
  saveLabels,
}: PackageSelectionBarProps) {
  const mayUpdate = useCan({ permissions: ['packages.update'] });
  const mayDelete = useCan({ permissions: ['packages.update', 'packages.delete'], requireAll: true });
  const dialog = useDialogState<{ act: BulkAct; chosen: Package[] | null }>();
  const chosen = selection.all ? null : shown.filter(({ id }) => selection.has(id));
  const start = (act: BulkAct) => () => dialog.show({ act, chosen });
  const save = useSingleMutation({
    mutationFn: async () => {
      if (chosen) {
        const { exportChosen } = await importWithRetry(() => import('./bulk.ts'));
        const file = await exportChosen(
          ownerId,
          chosen.map(({ id }) => id),
        );
        return saveFile(file, 'packages.csv');
      }
      const query = toQuery(search);
      return saveResponse(await api.packages.exportOfUser({ params: { id: ownerId }, query }), 'packages.csv');
    },
  });
  return (
    <>
      <SelectionBar selection={selection} loaded={shown.length} total={total} isCapped={isCapped}>
        <BarButton icon={<Printer aria-hidden="true" />} onClick={start('labels')}>
          Print labels
        </BarButton>
        <BarButton icon={<Link2 aria-hidden="true" />} onClick={start('links')}>
          Copy links
        </BarButton>
        <BarButton icon={<Download aria-hidden="true" />} disabled={save.isPending} onClick={() => save.mutate()}>
          Export
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
          pickAll={async (onProgress, signal) => {
            const { pickAllMatching } = await importWithRetry(() => import('./bulk.ts'));
            return pickAllMatching(ownerId, search, onProgress, signal);
          }}
          saveLabels={saveLabels}
          open={dialog.open}
          onClose={dialog.close}
          onDone={selection.clear}
        />
      )}
    </>
  );
}
