import type { FormEvent, ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import type { SettingsForm } from './settings-form.ts';

interface SettingsCardProps {
  title: string;
  description: string;
  form: SettingsForm;
  children: ReactNode;
}

/** One section of the settings, saved as a whole. */
export function SettingsCard({ title, description, form, children }: SettingsCardProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.isDirty) form.save();
  };
  return (
    <Card title={title} description={description}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        {children}
        {form.error && (
          <p role="alert" className="text-ui text-danger">
            {form.error.message}
          </p>
        )}
        <div className="flex flex-wrap gap-2 border-t border-line pt-5">
          <Button type="submit" size="lg" disabled={!form.isDirty} loading={form.saving} loadingText="Saving...">
            Save Changes
          </Button>
          {form.isDirty && !form.saving && (
            <Button variant="ghost" size="lg" onClick={form.discard}>
              Discard
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
