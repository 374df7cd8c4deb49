import type { Settings } from '@waybill/contract';
import { Building2 } from 'lucide-react';
import { unchanged } from '../platform/uploads.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ImageButton } from '../ui/ImageButton.tsx';
import { ImagePreview } from '../ui/ImagePreview.tsx';
import { Input } from '../ui/Input.tsx';
import { useSettingsForm } from './settings-form.ts';
import { SettingsCard } from './SettingsCard.tsx';

const names = ['organisationName', 'timeZone', 'replyAddress', 'costPerKilometre', 'costPerHour', 'currency'] as const;

const costs = [
  { name: 'costPerKilometre', label: 'Cost of a Kilometre', hint: 'Fuel and wear. Left blank: nothing' },
  { name: 'costPerHour', label: 'Cost of an Hour', hint: 'Wages and vehicle. Left blank: nothing' },
] as const;

export function OrganisationForm({ settings }: { settings: Settings }) {
  const form = useSettingsForm('organisation', names, settings);
  const { logo, chooseLogo } = form;
  const present = logo === null ? null : form.settings.logo.value;
  const { error } = form.field('logo');
  return (
    <SettingsCard
      title="Organisation"
      description="Who runs this installation: in the header, in page titles and link previews, and on receipts."
      form={form}
    >
      <Field label="Organisation Name" {...form.field('organisationName', 'Left blank: Waybill')}>
        <Input {...form.register('organisationName')} maxLength={120} autoComplete="organization" />
      </Field>
      <Field
        label="Time Zone"
        {...form.field('timeZone', 'Figures and on-time deliveries count days in this zone. Left blank: UTC')}
      >
        <span className="block sm:max-w-80">
          <Input
            {...form.register('timeZone')}
            maxLength={60}
            list="time-zones"
            autoComplete="off"
            spellCheck={false}
            placeholder="Europe/Berlin"
          />
        </span>
      </Field>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
      <Field
        label="Reply Address"
        {...form.field('replyAddress', 'Where replies to emails go. Left blank: the address that sends them')}
      >
        <Input {...form.register('replyAddress')} type="email" inputMode="email" maxLength={254} autoComplete="off" />
      </Field>
      <div role="group" aria-label="Logo">
        <p aria-hidden="true" className="mb-1.5 text-ui font-medium text-ink">
          Logo
        </p>
        <div className="flex flex-wrap items-center gap-4">
          {logo instanceof File ? (
            <ul className="w-32">
              <ImagePreview file={logo} onRemove={() => chooseLogo(unchanged)} />
            </ul>
          ) : (
            <span className="flex h-16 w-32 shrink-0 items-center justify-center rounded-card border border-line bg-sunken p-2 text-ink-3">
              {present ? (
                <img src={present} alt="Present logo" className="max-h-full max-w-full object-contain" />
              ) : (
                <Building2 aria-hidden="true" strokeWidth={1.5} className="size-7" />
              )}
            </span>
          )}
          <ImageButton onChoose={(chosen) => chooseLogo(chosen ?? unchanged)}>Choose logo</ImageButton>
          {present && logo === unchanged && (
            <Button variant="ghost" onClick={() => chooseLogo(null)}>
              Remove logo
            </Button>
          )}
        </div>
        <p className="mt-1.5 text-table text-ink-3">
          JPEG, PNG, GIF or WebP, at most 10MB. One with a transparent background looks right in light and dark.
        </p>
        {error && (
          <p role="alert" className="mt-1.5 text-table text-danger">
            {error}
          </p>
        )}
      </div>
      <div className="border-t border-line pt-5">
        <h3 className="text-ui font-semibold">What driving costs</h3>
        <p className="mt-1 mb-3 text-table text-ink-3">
          Dispatch shows what each route costs, and reports add it up. Leave both blank to show no costs.
        </p>
        <div className="grid grid-cols-1 gap-x-4 gap-y-5 sm:grid-cols-3">
          {costs.map(({ name, label, hint }) => (
            <Field key={name} label={label} {...form.field(name, hint)}>
              <Input {...form.register(name)} type="number" min={0} max={10_000} step="any" inputMode="decimal" />
            </Field>
          ))}
          <Field label="Currency" {...form.field('currency', 'Its three letters. Left blank: EUR')}>
            <Input
              {...form.register('currency')}
              maxLength={3}
              autoComplete="off"
              spellCheck={false}
              placeholder="EUR"
            />
          </Field>
        </div>
      </div>
    </SettingsCard>
  );
}
