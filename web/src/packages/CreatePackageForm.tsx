import { generateTrackingId, type Package } from '@waybill/contract';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { FormProvider } from 'react-hook-form';
import { useOrganisation } from '../platform/organisation.ts';
import { getSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { CancelledError, unsentNoteOf } from '../platform/upload-errors.ts';
import { countToUpload } from '../platform/uploads.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { ImageFields } from './ImageFields.tsx';
import { toCreateBody, emptyPackage, packageFormSchema } from './package-form.ts';
import type { PackageFormOutput } from './package-form.ts';
import { fieldOf, errorToast } from './package-errors.ts';
import { PackageFields } from './PackageFields.tsx';
import { PreferenceFields } from './PreferenceFields.tsx';
import { useCreatePackage } from './queries.ts';
import { RecipientFields } from './RecipientFields.tsx';
import { ShippingFields } from './ShippingFields.tsx';
import { VisibilityFields } from './VisibilityFields.tsx';

interface CreatePackageFormProps {
  onCreated: (pkg: Package) => void;
  /** The label that the form fills in; it reads the form's context. */
  label: ReactNode;
}

export function CreatePackageForm({ onCreated, label }: CreatePackageFormProps) {
  const { timeZone } = useOrganisation();
  const rules = packageFormSchema(timeZone);
  const [blank] = useState(() => emptyPackage(generateTrackingId()));
  const [refusal, setRefusal] = useState<Error | null>(null);
  const form = useForm(rules, submit, {
    initial: blank,
    refusal,
    fieldOf,
    draft: 'package',
    mode: 'onTouched',
  });
  const images = form.watch('images');
  const create = useCreatePackage((trackingId) => form.setValue('trackingId', trackingId));

  // Abort on unmount: leaving the page cancels in-flight uploads and requests.
  const latest = useRef(create);
  useEffect(() => {
    latest.current = create;
  });
  useEffect(() => () => latest.current.cancel(), []);

  async function submit({ images: chosen, ...values }: PackageFormOutput) {
    if (getSession().user === null) {
      return toast({
        title: 'Error',
        description: 'You must be logged in to create a package',
        variant: 'destructive',
      });
    }
    const files = chosen.filter((image) => image instanceof File);
    const toUpload = countToUpload(files);
    if (toUpload > 0) toast({ title: 'Uploading images...', description: `Uploading ${toUpload} image(s) to S3` });
    try {
      const pkg = await create.mutateAsync({ ...toCreateBody(values), files });
      form.saved(emptyPackage(generateTrackingId()));
      onCreated(pkg);
    } catch (error) {
      // Cancelled by leaving the page: there is no form left to show an error in.
      if (error instanceof CancelledError || (error instanceof Error && error.name === 'AbortError')) return;
      setRefusal(error instanceof Error ? error : null);
      const message = (error instanceof Error && error.message) || 'Failed to create package. Please try again.';
      const errorText = errorToast(error, message);
      // The toast disappears; the error stays in the form until it is corrected.
      form.setError('root', { message: [errorText.description, unsentNoteOf(error)].filter(Boolean).join(' ') });
      toast({ ...errorText, variant: 'destructive' });
    }
  }

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={form.onSubmit}
        className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(18rem,22.5rem)] lg:items-start lg:gap-10"
      >
        <div className="flex min-w-0 flex-col gap-6">
          <PackageFields />
          <RecipientFields />
          <ShippingFields />
          <ImageFields files={images} onChange={(chosen) => form.choose('images', chosen)} />
          <PreferenceFields />
          <VisibilityFields />
          {form.formState.errors.root && (
            <p className="text-ui text-danger wrap-anywhere sm:text-right">{form.formState.errors.root.message}</p>
          )}
          <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <LinkButton variant="secondary" size="lg" href="/owner/dashboard">
              Cancel
            </LinkButton>
            <Button type="submit" size="lg" loading={form.formState.isSubmitting} loadingText="Creating...">
              Create Package
            </Button>
          </div>
        </div>
        {/* Beside the form where there is room; below it on a phone, so that nobody has to scroll past it. */}
        <aside aria-label="Label" className="mx-auto w-full max-w-[22.5rem] lg:sticky lg:top-20">
          {label}
          <p className="mt-3 text-center text-table text-ink-3">
            The label, as you can print it after creating the package
          </p>
        </aside>
      </form>
    </FormProvider>
  );
}
