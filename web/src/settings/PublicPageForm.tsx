import { publicForDays } from '@waybill/contract';
import type { PublicRecipient, Settings } from '@waybill/contract';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import type { SelectOption } from '../ui/Select.tsx';
import { useSettingsForm } from './settings-form.ts';
import { SettingsCard } from './SettingsCard.tsx';

const choices: readonly SelectOption<PublicRecipient>[] = [
  { value: 'full', label: 'Full name: Anna Maria Berg' },
  { value: 'masked', label: 'First name and initial: Anna B.' },
  { value: 'hidden', label: 'Not at all' },
];

const names = ['publicRecipient'] as const;

export function PublicPageForm({ settings }: { settings: Settings }) {
  const form = useSettingsForm('public page', names, settings);
  return (
    <SettingsCard
      title="Public Page"
      description="What anybody with a tracking ID can see. Contact and address are never shown."
      form={form}
    >
      <Field
        label="Recipient"
        {...form.field('publicRecipient', 'Owners can also hide the recipient of a single package')}
      >
        <Select {...form.register('publicRecipient')} options={choices} />
      </Field>
      <p className="text-ui text-ink-2">
        {publicForDays} days after delivery, the recipient and all locations disappear from the page, whatever is set
        here.
      </p>
    </SettingsCard>
  );
}
