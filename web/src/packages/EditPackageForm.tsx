import { isOnTheRoad, mayChange } from '@waybill/contract';
import type { Package } from '@waybill/contract';
import { PackageCheck, Truck } from 'lucide-react';
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
import { classes } from '../ui/classes.ts';
import { LinkButton } from '../ui/LinkButton.tsx';
import { EditConflictBanner } from './EditConflictBanner.tsx';
import { ContactField } from './ContactField.tsx';
import { imageCount, ImageFields } from './ImageFields.tsx';
import { InstructionsField } from './InstructionsField.tsx';
import { toChangeBody, differencesOf, editFormSchema } from './package-edit.ts';
import { fieldOf, errorToast } from './package-errors.ts';
import { toFormValues } from './package-form.ts';
import type { PackageFormOutput } from './package-form.ts';
import { PackageFields } from './PackageFields.tsx';
import { PreferenceFields } from './PreferenceFields.tsx';
import { TrackingIdField } from './TrackingIdField.tsx';
import { useEditPackage } from './queries.ts';
import { ReachFields } from './ReachFields.tsx';
import { RecipientFields } from './RecipientFields.tsx';
import { ShippingFields } from './ShippingFields.tsx';
import { VisibilityFields } from './VisibilityFields.tsx';
import { WindowFields } from './WindowFields.tsx';

interface EditPackageFormProps {
  /** The current package, updated live. */
  pkg: Package;
  onSaved: () => void;
  /** The package's page. */
  href: string;
}

/** The create form with the package's values; after the start only the fields that its status still allows to change. */
export function EditPackageForm({ pkg, onSaved, href }: EditPackageFormProps) {
  // The version being edited; `pkg` keeps changing live.
  const [base, setBase] = useState(pkg);
  const { timeZone } = useOrganisation();
  const edit = useEditPackage(pkg.id);
  // Validate visible fields only: a value that an older version accepted must not block this edit.
  const form = useForm(editFormSchema(toFormValues(base), base.status, timeZone), submit, {
    initial: toFormValues(base),
    refusal: edit.error,
    fieldOf,
    draft: `edit ${pkg.id}`,
    mode: 'onTouched',
  });
  const images = form.watch('images');
  const imagesChanged = !isDeepEqual(images, base.images);
  const { dirtyFields, isSubmitting, errors } = form.formState;

  // Abort on unmount: leaving the page cancels in-flight uploads and requests.
  const latest = useRef(edit);
  useEffect(() => {
    latest.current = edit;
  });
  useEffect(() => () => latest.current.cancel(), []);

  // Our own save also raises the version: that is no conflict.
  const isSaving = edit.isPending || edit.isSuccess;
  const differences = pkg.version > base.version && !isSaving ? differencesOf(base, pkg) : [];
  const load = (edits: 'keep' | 'discard') => {
    form.reset(toFormValues(pkg), { keepDirtyValues: edits === 'keep' });
    form.choose('images', edits === 'keep' && imagesChanged ? images : pkg.images);
    setBase(pkg);
  };
  function submit({ images: chosen, ...values }: PackageFormOutput) {
    // The version may rise without a change to these fields: then save over it without asking.
    const version = differences.length === 0 ? pkg.version : base.version;
    const body = toChangeBody(values, dirtyFields, base);
    edit.mutate(
      { version, body, images: imagesChanged ? chosen : null },
      {
        onSuccess: () => {
          form.saved();
          toast({ title: 'Package changed', description: pkg.name });
          onSaved();
        },
        onError: (error) => {
          const errorText = errorToast(error, error.message || 'Failed to update package.');
          form.setError('root', { message: [errorText.description, unsentNoteOf(error)].filter(Boolean).join(' ') });
          toast({ ...errorText, variant: 'destructive' });
        },
      },
    );
  }
  const waiting = base.status === 'processing';
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-6">
        {differences.length > 0 && (
          <EditConflictBanner differences={differences} onLoad={() => load('discard')} onKeep={() => load('keep')} />
        )}
        {!waiting && (
          <Banner
            tone="blue"
            icon={isOnTheRoad(base.status) ? <Truck /> : <PackageCheck />}
            title={isOnTheRoad(base.status) ? 'On the road' : 'No longer waiting'}
          >
            {isOnTheRoad(base.status)
              ? 'The driver is told at once about a new contact, time or instructions. Only these fields can still be changed.'
              : 'What the public page names can still be changed. Everything else stays as it is.'}
          </Banner>
        )}
        {waiting && (
          <>
            <Card title="Recipient">
              <RecipientFields />
            </Card>
            <Card title="Package">
              <PackageFields />
            </Card>
            <Card title="Delivery">
              <div className="mb-5">
                <TrackingIdField />
              </div>
              <div className="flex flex-col gap-6">
                <ShippingFields />
                <PreferenceFields window={base.window} />
              </div>
            </Card>
            <Card
              title="Pictures"
              actions={
                <span role="status" className="figures text-ui text-ink-3">
                  {imageCount(images)}
                </span>
              }
            >
              <ImageFields files={images} onChange={(chosen) => form.choose('images', chosen)} />
            </Card>
          </>
        )}
        {!waiting && mayChange('instructions', base.status) && (
          <Card title="Delivery">
            <div className="flex flex-col gap-5">
              <ContactField />
              <ReachFields />
              <WindowFields present={base.window} />
              <InstructionsField />
            </div>
          </Card>
        )}
        {mayChange('hideRecipient', base.status) && (
          <Card title="Public page">
            <VisibilityFields />
          </Card>
        )}
        {errors.root && (
          <p role="alert" className="text-ui text-danger wrap-anywhere sm:text-right">
            {errors.root.message}
          </p>
        )}
        {/* At hand from the first change on: the form is longer than a window. */}
        <div
          className={classes(
            'flex gap-3 max-sm:*:flex-1 sm:justify-end',
            form.changed &&
              'sticky bottom-0 z-20 border-t border-line bg-canvas py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]',
          )}
        >
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
