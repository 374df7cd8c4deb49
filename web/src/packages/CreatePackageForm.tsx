import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ApiError, drawTrackingId } from '@waybill/contract';
import { useEffect, useRef, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import type { FieldPath } from 'react-hook-form';
import { findDraft, useKeepDraft } from '../platform/drafts.ts';
import { getSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { useUnsaved } from '../platform/unsaved.ts';
import { CancelledError, UploadError, noteOf } from '../platform/unsent.ts';
import { Button } from '../ui/Button.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { ImageFields } from './ImageFields.tsx';
import { PackageForm, asCreateBody, emptyPackage, formField } from './package-form.ts';
import type { PackageFormInput, PackageFormOutput } from './package-form.ts';
import { PackageFields } from './PackageFields.tsx';
import { PreferenceFields } from './PreferenceFields.tsx';
import { useCreatePackage } from './queries.ts';
import { RecipientFields } from './RecipientFields.tsx';
import { ShippingFields } from './ShippingFields.tsx';

interface PackageDraft {
  values: PackageFormInput;
  images: File[];
}

interface CreatePackageFormProps {
  onCreated: () => void;
}

export function CreatePackageForm({ onCreated }: CreatePackageFormProps) {
  const [blank] = useState(() => emptyPackage(drawTrackingId()));
  const form = useForm<PackageFormInput, unknown, PackageFormOutput>({
    resolver: standardSchemaResolver(PackageForm),
    defaultValues: blank,
    mode: 'onTouched',
  });
  const create = useCreatePackage((trackingId) => form.setValue('trackingId', trackingId));
  const [draft] = useState(() => findDraft('package') as PackageDraft | null);
  const [images, setImages] = useState<File[]>(draft?.images ?? []);
  const isDirty = form.formState.isDirty || images.length > 0;
  const saved = useUnsaved(isDirty);
  useKeepDraft('package', (): PackageDraft | null => (isDirty ? { values: form.getValues(), images } : null));

  // Whoever leaves has cancelled: what is not sent by then never is.
  const latest = useRef(create);
  useEffect(() => {
    latest.current = create;
  });
  useEffect(() => () => latest.current.cancel(), []);

  useEffect(() => {
    if (draft) form.reset(draft.values, { keepDefaultValues: true });
  }, [form, draft]);

  const submit = form.handleSubmit(async (values) => {
    if (getSession().user === null) {
      return toast({
        title: 'Error',
        description: 'You must be logged in to create a package',
        variant: 'destructive',
      });
    }
    if (images.length > 0)
      toast({ title: 'Uploading images...', description: `Uploading ${images.length} image(s) to S3` });
    try {
      const pkg = await create.mutateAsync({ ...asCreateBody(values), files: images });
      saved();
      form.reset(emptyPackage(drawTrackingId()));
      setImages([]);
      toast({ title: 'Package created!', description: `Successfully created package: ${pkg.name}` });
      onCreated();
    } catch (error) {
      // By whoever left: the page is gone.
      if (error instanceof CancelledError || (error instanceof Error && error.name === 'AbortError')) return;
      const message = (error instanceof Error && error.message) || 'Failed to create package. Please try again.';
      if (error instanceof ApiError) {
        for (const [index, [path, fault]] of Object.entries(error.fields).entries()) {
          const name = fieldNames.find((known) => known === formField(path));
          if (name) form.setError(name, { message: fault }, { shouldFocus: index === 0 });
        }
      }
      const told =
        error instanceof UploadError && error.notConfigured ? notConfigured : { title: 'Error', description: message };
      // The toast goes; what is to be mended stays.
      form.setError('root', { message: [told.description, noteOf(error)].filter(Boolean).join(' ') });
      toast({ ...told, variant: 'destructive' });
    }
  });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-6">
        <PackageFields />
        <RecipientFields />
        <ShippingFields />
        <ImageFields files={images} onChange={setImages} />
        <PreferenceFields />
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
      </form>
    </FormProvider>
  );
}

const notConfigured = {
  title: 'Configuration Error',
  description: 'AWS S3 is not properly configured. Please check your environment variables.',
};

/** Every field that an error of the server can land on. */
const fieldNames: readonly FieldPath<PackageFormInput>[] = [
  'name',
  'category',
  'description',
  'weight',
  'dimensions.width',
  'dimensions.height',
  'dimensions.length',
  'recipientName',
  'recipientContact',
  'trackingId',
  'reference',
  'location',
  'eta',
  'address.street',
  'address.postalCode',
  'address.city',
  'address.country',
  'window.day',
  'window.from',
  'window.until',
  'handling.safePlaceNote',
];
