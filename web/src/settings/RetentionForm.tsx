import type { Settings } from '@waybill/contract';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { useSettingsForm } from './settings-form.ts';
import { SettingsCard } from './SettingsCard.tsx';

const periods = [
  {
    name: 'recipientDays',
    label: 'Recipients, after delivery',
    hint: 'Removes name, contact, address and proof for good. Left\u00a0blank:\u00a0never',
  },
  { name: 'notificationDays', label: 'Notifications, once read', hint: 'Left blank: 180 days' },
  {
    name: 'messageDays',
    label: 'Contact messages, once resolved',
    hint: 'Left blank: 180 days',
  },
  { name: 'importReportDays', label: 'CSV import reports', hint: 'Left blank: 90 days' },
] as const;
const names = periods.map(({ name }) => name);

export function RetentionForm({ settings }: { settings: Settings }) {
  const form = useSettingsForm('retention', names, settings);
  return (
    <SettingsCard
      title="Retention"
      description="How long these records are kept. Expired ones are removed once an hour."
      form={form}
    >
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {periods.map(({ name, label, hint }) => (
          <Field key={name} label={label} {...form.field(name, hint)}>
            <Input
              {...form.register(name)}
              type="number"
              min={1}
              max={36_500}
              inputMode="numeric"
              end={<span className="pr-2">days</span>}
            />
          </Field>
        ))}
      </div>
      <div className="border-t border-line pt-5">
        <h3 className="mb-3 text-ui font-semibold">Fixed periods</h3>
        <dl className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2">
          <DescriptionItem name="Sessions">7 days without use, 30 days at most</DescriptionItem>
          <DescriptionItem name="Links for a new password">1 hour</DescriptionItem>
          <DescriptionItem name="Responses to repeated requests">7 days</DescriptionItem>
          <DescriptionItem name="Unused images">1 day</DescriptionItem>
          <DescriptionItem name="Packages, events, figures, audit log">For good</DescriptionItem>
        </dl>
      </div>
    </SettingsCard>
  );
}
