import type { PerformanceDay } from '@waybill/contract';
import { ChevronDown, Download } from 'lucide-react';
import { api } from '../platform/api.ts';
import { saveResponse, saveFile } from '../platform/download.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { csvOfDays } from './figures-csv.ts';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { MenuItem } from '../ui/MenuItem.tsx';
import { useCan } from '../users/useCan.ts';

/** Exports written by the server. */
const files = {
  packages: () => api.packages.exportAll({ query: {} }),
  users: () => api.users.exportAll({ query: {} }),
  incidents: () => api.incidents.exportReachable({ query: {} }),
};

/** CSV exports of the figures on the screen and of the lists behind them. @param days undefined while loading */
export function ReportExports({ days }: { days: readonly PerformanceDay[] | undefined }) {
  const mayPackages = useCan({ permissions: ['packages.view_all'] });
  const mayUsers = useCan({ permissions: ['admin.manage_users'] });
  const save = useSingleMutation({
    mutationFn: async (name: keyof typeof files) => saveResponse(await files[name](), `${name}.csv`),
  });
  const saveDays = () => {
    const name = `figures-${days?.[0]?.day}-to-${days?.at(-1)?.day}.csv`;
    saveFile(new Blob([csvOfDays(days ?? [])], { type: 'text/csv' }), name);
  };
  return (
    <Menu
      trigger={
        <Button variant="secondary" icon={<Download aria-hidden="true" className="size-4" />} loading={save.isPending}>
          Export CSV
          <ChevronDown aria-hidden="true" className="size-4" />
        </Button>
      }
    >
      <MenuItem disabled={!days || days.length === 0} onSelect={saveDays}>
        Figures for this period
      </MenuItem>
      {mayPackages && <MenuItem onSelect={() => save.mutate('packages')}>All packages</MenuItem>}
      {mayUsers && <MenuItem onSelect={() => save.mutate('users')}>All users</MenuItem>}
      <MenuItem onSelect={() => save.mutate('incidents')}>All incidents</MenuItem>
    </Menu>
  );
}
