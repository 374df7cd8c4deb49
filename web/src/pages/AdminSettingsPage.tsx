import type { Permission } from '@waybill/contract';
import { useNavigate } from '@tanstack/react-router';
import {
  Building2,
  Globe,
  Hourglass,
  Mail,
  MapIcon,
  ShieldCheck,
  UserRoundPlus,
  UserRoundSearch,
  Warehouse,
} from 'lucide-react';
import { usePageSearch } from '../app/usePageSearch.ts';
import { importWithRetry } from '../platform/import-with-retry.ts';
import { lazyComponent } from '../platform/lazy-component.tsx';
import { useSession } from '../platform/session.ts';
import type { SettingsTab } from '../settings/search.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import type { TabItem } from '../ui/Tabs.tsx';
import { AdminPage } from '../app/AdminPage.tsx';
import { confirmLeave } from '../app/navigation-guard.ts';

// Each section by itself, with its forms and dialogs.
const SettingsPanel = lazyComponent(() =>
  importWithRetry(() => import('../settings/SettingsPanel.tsx')).then((code) => code.SettingsPanel),
);
const RolesPanel = lazyComponent(() =>
  importWithRetry(() => import('../users/RolesPanel.tsx')).then((code) => code.RolesPanel),
);
const DepotsPanel = lazyComponent(() =>
  importWithRetry(() => import('../depots/DepotsPanel.tsx')).then((code) => code.DepotsPanel),
);

const MapPanel = lazyComponent(() =>
  importWithRetry(() => import('../maps/MapPanel.tsx')).then((code) => code.MapPanel),
);

const TemplatesPanel = lazyComponent(() =>
  importWithRetry(() => import('../notifications/TemplatesPanel.tsx')).then((code) => code.TemplatesPanel),
);

const PersonsPanel = lazyComponent(() =>
  importWithRetry(() => import('../privacy/PersonsPanel.tsx')).then((code) => code.PersonsPanel),
);

const tabs: readonly TabItem<SettingsTab>[] = [
  { value: 'organisation', label: 'Organisation', icon: <Building2 aria-hidden="true" /> },
  { value: 'sign-up', label: 'Sign-up', icon: <UserRoundPlus aria-hidden="true" /> },
  { value: 'public-page', label: 'Public Page', icon: <Globe aria-hidden="true" /> },
  { value: 'retention', label: 'Retention', icon: <Hourglass aria-hidden="true" /> },
  { value: 'messages', label: 'Messages', icon: <Mail aria-hidden="true" /> },
  { value: 'depots', label: 'Depots', icon: <Warehouse aria-hidden="true" /> },
  { value: 'map', label: 'Map', icon: <MapIcon aria-hidden="true" /> },
  { value: 'roles', label: 'Roles & Permissions', icon: <ShieldCheck aria-hidden="true" /> },
  { value: 'persons', label: 'Personal Data', icon: <UserRoundSearch aria-hidden="true" /> },
];

export function AdminSettingsPage() {
  const { permissions } = useSession();
  const navigate = useNavigate();
  const search = usePageSearch('adminSettings');
  const rightsFor = (value: SettingsTab): readonly Permission[] => {
    if (value === 'persons') return ['admin.manage_users', 'packages.view_all'];
    return value === 'roles' ? ['roles.read'] : ['admin.system_config'];
  };
  const allowed = tabs.filter(({ value }) => rightsFor(value).every((right) => permissions.includes(right)));
  const tab = allowed.find(({ value }) => value === search.tab)?.value ?? allowed[0]?.value ?? 'organisation';
  // Replace the history entry, so that Back leaves the page, which asks if there are unsaved changes.
  const open = async (next: SettingsTab) => {
    if (await confirmLeave())
      await navigate({ to: '/admin/settings', search: { tab: next }, replace: true, resetScroll: false });
  };
  return (
    <AdminPage>
      <PageTitle title="System Settings" subtitle="Installation-wide settings and permissions" />
      <Tabs label="Sections" items={allowed} value={tab} onValueChange={(next) => void open(next)}>
        <div className={tab === 'messages' ? 'max-w-content' : 'max-w-[52rem]'}>
          {tab === 'roles' && <RolesPanel />}
          {tab === 'depots' && <DepotsPanel />}
          {tab === 'map' && <MapPanel />}
          {tab === 'messages' && <TemplatesPanel confirmLeave={confirmLeave} />}
          {tab === 'persons' && <PersonsPanel />}
          {tab !== 'roles' && tab !== 'depots' && tab !== 'map' && tab !== 'messages' && tab !== 'persons' && (
            <SettingsPanel key={tab} section={tab} />
          )}
        </div>
      </Tabs>
    </AdminPage>
  );
}
