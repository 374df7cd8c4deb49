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

export function PublicPageForm({ settings }: { settings: Settings }) {
  const form = useSettingsForm('public page', settings);
  return (
    <SettingsCard
      title="Public Page"
      description="What whoever holds a tracking ID sees. Contact and address are never shown."
      form={form}
    >
      <Field
        label="Recipient"
        {...form.field('publicRecipient', 'Owners can hide the recipient of single packages besides')}
      >
        <Select
          options={choices}
          value={form.text('publicRecipient')}
          onValueChange={(choice) => form.type('publicRecipient', choice)}
        />
      </Field>
      <p className="text-ui text-ink-2">
        {publicForDays} days after the delivery recipient and locations disappear from the page, whatever is set here.
      </p>
    </SettingsCard>
  );
}
