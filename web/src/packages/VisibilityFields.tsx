import { useFormContext } from 'react-hook-form';
import { Checkbox } from '../ui/Checkbox.tsx';
import type { PackageFormInput } from './package-form.ts';

/** Whether the public page names recipient and sender. */
export function VisibilityFields() {
  const { register } = useFormContext<PackageFormInput>();
  return (
    <div className="-my-2.5 flex flex-col gap-2">
      <Checkbox
        {...register('hideRecipient')}
        label="Hide recipient on the public page"
        hint="Otherwise anyone with the tracking link can see their name."
      />
      <Checkbox
        {...register('showSender')}
        label="Show sender on the public page"
        hint="Only the owner's name, never an email address or phone number."
      />
    </div>
  );
}
