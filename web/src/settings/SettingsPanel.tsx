import { useQuery } from '@tanstack/react-query';
import type { Settings } from '@waybill/contract';
import type { ReactNode } from 'react';
import { refresh, useInvalidation } from '../platform/invalidation.ts';
import { OrganisationForm } from './OrganisationForm.tsx';
import { PublicPageForm } from './PublicPageForm.tsx';
import { settingsQuery } from './queries.ts';
import { RetentionForm } from './RetentionForm.tsx';
import { SignUpForm } from './SignUpForm.tsx';
import { Panel } from '../ui/Panel.tsx';

const sections = {
  organisation: { title: 'Organisation', Form: OrganisationForm },
  'sign-up': { title: 'Sign-up', Form: SignUpForm },
  'public-page': { title: 'Public Page', Form: PublicPageForm },
  retention: { title: 'Retention', Form: RetentionForm },
} satisfies Record<string, { title: string; Form: (props: { settings: Settings }) => ReactNode }>;

/** One settings section: loads the settings and renders the section's form. */
export function SettingsPanel({ section }: { section: keyof typeof sections }) {
  const settings = useQuery(settingsQuery());
  useInvalidation('settings', () => refresh(settingsQuery().queryKey));
  const { title, Form } = sections[section];
  if (settings.data) return <Form settings={settings.data} />;
  return (
    <Panel title={title} query={settings} loadingHeight="h-72">
      {() => null}
    </Panel>
  );
}
