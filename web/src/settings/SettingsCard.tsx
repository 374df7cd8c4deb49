import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import type { SettingsForm } from './settings-form.ts';

interface SettingsCardProps {
  title: string;
  description: string;
  form: SettingsForm;
  children: ReactNode;
}

/** The form of one settings section, saved as a whole. */
export function SettingsCard({ title, description, form, children }: SettingsCardProps) {
  return (
    <Card title={title} description={description}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        {children}
        {form.formError && (
          <p role="alert" className="text-ui text-danger">
            {form.formError}
          </p>
        )}
        <div className="flex flex-wrap gap-2 border-t border-line pt-5">
          <Button type="submit" size="lg" disabled={!form.changed} loading={form.saving} loadingText="Saving...">
            Save Changes
          </Button>
          {form.changed && !form.saving && (
            <Button variant="ghost" size="lg" onClick={form.discard}>
              Discard
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
