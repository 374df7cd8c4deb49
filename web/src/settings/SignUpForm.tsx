import type { AdminTotp, Settings, SignUpPolicy } from '@waybill/contract';
import { TriangleAlert } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import type { SelectOption } from '../ui/Select.tsx';
import { useSettingsForm } from './settings-form.ts';
import { SettingsCard } from './SettingsCard.tsx';

const policies: readonly SelectOption<SignUpPolicy>[] = [
  { value: 'open', label: 'Open: anybody can register' },
  { value: 'approval', label: 'Approval: an administrator activates each account' },
  { value: 'closed', label: 'Closed: nobody can register' },
];

const secondFactors: readonly SelectOption<AdminTotp>[] = [
  { value: 'optional', label: 'Optional: each decides' },
  { value: 'required', label: 'Required: nothing else works before it is set up' },
];

const names = ['driverSignUp', 'adminSignUp', 'adminTotp'] as const;

export function SignUpForm({ settings }: { settings: Settings }) {
  const form = useSettingsForm('sign-up', names, settings);
  return (
    <SettingsCard
      title="Sign-up"
      description="Anybody may register as a package owner. Administrators can always create accounts themselves."
      form={form}
    >
      <Field label="Drivers" {...form.field('driverSignUp')}>
        <Select {...form.register('driverSignUp')} options={policies} />
      </Field>
      <Field label="Administrators" {...form.field('adminSignUp')}>
        <Select {...form.register('adminSignUp')} options={policies} />
      </Field>
      {form.text('adminSignUp') === 'open' && (
        <Banner tone="yellow" icon={<TriangleAlert />} live>
          Whoever can reach this server can make themselves an administrator, with every permission.
        </Banner>
      )}
      <Field label="Second factor for administrators" {...form.field('adminTotp')}>
        <Select {...form.register('adminTotp')} options={secondFactors} />
      </Field>
    </SettingsCard>
  );
}
