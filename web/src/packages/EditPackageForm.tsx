import { isOnTheRoad, mayChange } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { isDeepEqual } from '../platform/deep-equal.ts';
import { useOrganisation } from '../platform/organisation.ts';
import { toast } from '../platform/toasts.ts';
import { unsentNoteOf } from '../platform/upload-errors.ts';
import { useForm } from '../platform/useForm.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { EditConflictBanner } from './EditConflictBanner.tsx';
import { ContactField } from './ContactField.tsx';
import { ImageFields } from './ImageFields.tsx';
import { InstructionsField } from './InstructionsField.tsx';
import { toChangeBody, differencesOf, editFormSchema } from './package-edit.ts';
import { fieldOf, errorToast } from './package-errors.ts';
import { toFormValues } from './package-form.ts';
import type { PackageFormOutput } from './package-form.ts';
import { PackageFields } from './PackageFields.tsx';
import { PreferenceFields } from './PreferenceFields.tsx';
import { useEditPackage } from './queries.ts';
import { RecipientFields } from './RecipientFields.tsx';
import { ShippingFields } from './ShippingFields.tsx';
import { VisibilityFields } from './VisibilityFields.tsx';
import { WindowFields } from './WindowFields.tsx';

interface EditPackageFormProps {
  /** As it is now, kept up to date. */
  pkg: Package;
  onSaved: () => void;
  /** The page of the package. */
  href: string;
}

/** The create form with what the package has; under way and afterwards only what can still be changed. */
export function EditPackageForm({ pkg, onSaved, href }: EditPackageFormProps) {
  // What is being edited. The package goes on meanwhile.
  const [base, setBase] = useState(pkg);
  const { timeZone } = useOrganisation();
  const edit = useEditPackage(pkg.id);
  // Only what is on the screen: what an older version let in is no fault of this edit.
  const form = useForm(editFormSchema(toFormValues(base), base.status, timeZone), submit, {
    initial: toFormValues(base),
    refusal: edit.error,
    fieldOf,
    draft: `edit ${pkg.id}`,
    mode: 'onTouched',
  });
  const images = form.watch('images');
  const newImages = !isDeepEqual(images, base.images);
  const { dirtyFields, isSubmitting, errors } = form.formState;

  // Whoever leaves has cancelled: what is not sent by then never is.
  const latest = useRef(edit);
  useEffect(() => {
    latest.current = edit;
  });
  useEffect(() => () => latest.current.cancel(), []);

  // What the own save has changed is nobody else's doing.
  const isSaving = edit.isPending || edit.isSuccess;
  const differences = pkg.version > base.version && !isSaving ? differencesOf(base, pkg) : [];
  const load = (mine: 'kept' | 'gone') => {
    form.reset(toFormValues(pkg), { keepDirtyValues: mine === 'kept' });
    form.choose('images', mine === 'kept' && newImages ? images : pkg.images);
    setBase(pkg);
  };
  function submit({ images: chosen, ...values }: PackageFormOutput) {
    // What moved meanwhile without changing anything here is no reason to ask.
    const version = differences.length === 0 ? pkg.version : base.version;
    const body = toChangeBody(values, dirtyFields, base);
    edit.mutate(
      { version, body, images: newImages ? chosen : null },
      {
        onSuccess: () => {
          form.saved();
          toast({ title: 'Package changed', description: pkg.name });
          onSaved();
        },
        onError: (error) => {
          const told = errorToast(error, error.message || 'Failed to update package.');
          form.setError('root', { message: [told.description, unsentNoteOf(error)].filter(Boolean).join(' ') });
          toast({ ...told, variant: 'destructive' });
        },
      },
    );
  }
  const waiting = base.status === 'processing';
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-6">
        {differences.length > 0 && (
          <EditConflictBanner differences={differences} onLoad={() => load('gone')} onKeep={() => load('kept')} />
        )}
        {!waiting && (
          <Banner tone="blue" title={isOnTheRoad(base.status) ? 'On the road' : 'No longer waiting'}>
            {isOnTheRoad(base.status)
              ? 'The driver is told at once of what you change here. Everything else stays as it is.'
              : 'What the public page names can still be changed. Everything else stays as it is.'}
          </Banner>
        )}
        {waiting && (
          <>
            <PackageFields />
            <RecipientFields />
            <ShippingFields />
            <ImageFields files={images} onChange={(chosen) => form.choose('images', chosen)} />
            <PreferenceFields window={base.window} />
          </>
        )}
        {!waiting && mayChange('instructions', base.status) && (
          <Card title="Delivery">
            <div className="flex flex-col gap-6">
              <ContactField />
              <WindowFields present={base.window} />
              <InstructionsField />
            </div>
          </Card>
        )}
        {mayChange('hideRecipient', base.status) && <VisibilityFields />}
        {errors.root && (
          <p role="alert" className="text-ui text-danger wrap-anywhere sm:text-right">
            {errors.root.message}
          </p>
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <LinkButton variant="secondary" size="lg" href={href}>
            Cancel
          </LinkButton>
          <Button
            type="submit"
            size="lg"
            loading={isSubmitting || edit.isPending}
            loadingText="Saving..."
            disabled={!form.changed}
          >
            Save Changes
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}
