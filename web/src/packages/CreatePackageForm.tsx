import { generateTrackingId, type Package } from '@waybill/contract';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FocusEvent, ReactNode } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';
import { localStorageItem } from '../platform/local-storage.ts';
import { useMediaQuery } from '../platform/media-query.ts';
import { useOrganisation } from '../platform/organisation.ts';
import { getSession } from '../platform/session.ts';
import { toast } from '../platform/toasts.ts';
import { CancelledError, unsentNoteOf } from '../platform/upload-errors.ts';
import { countToUpload } from '../platform/uploads.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { classes } from '../ui/classes.ts';
import { Keys } from '../ui/Keys.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { missingFields, sectionNames, summaryOf } from './create-sections.ts';
import type { Missing, SectionName } from './create-sections.ts';
import { FormSection } from './FormSection.tsx';
import { imageCount, ImageFields } from './ImageFields.tsx';
import { LikeTheLastOne } from './LikeTheLastOne.tsx';
import { MissingWords } from './MissingWords.tsx';
import { toCreateBody, emptyPackage, packageFormSchema, toFormValues } from './package-form.ts';
import type { PackageFormInput, PackageFormOutput } from './package-form.ts';
import { fieldOf, errorToast } from './package-errors.ts';
import { PackageFields } from './PackageFields.tsx';
import { PictureThumbs } from './PictureThumbs.tsx';
import { PreferenceFields } from './PreferenceFields.tsx';
import { useCreatePackage } from './queries.ts';
import { RecipientFields } from './RecipientFields.tsx';
import { ShippingFields } from './ShippingFields.tsx';
import { TrackingIdField } from './TrackingIdField.tsx';
import { VisibilityFields } from './VisibilityFields.tsx';

interface CreatePackageFormProps {
  onCreated: (pkg: Package, next: { print: boolean; another: boolean }) => void;
  /** The label that the form fills in; it reads the form's context. */
  label: ReactNode;
}

/** Whether this browser prints the label of what it creates. */
const storedPrint = localStorageItem('printLabel');

/** What 'Like the last one' fills in: what is sent, and how. */
const repeated = ['name', 'category', 'description', 'weight', 'dimensions', 'handling'] as const;

/** Of the form and its label, and of the bar below them. */
const columns = 'lg:grid-cols-[minmax(0,1fr)_minmax(24rem,37.5rem)]';
const barClasses =
  'sticky bottom-0 z-20 border-t border-line bg-surface py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]';

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
    draftOverReload: true,
    mode: 'onTouched',
  });
  const { isSubmitting, errors, submitCount } = form.formState;
  const values = useWatch({ control: form.control }) as PackageFormInput;
  const { images } = values;
  const create = useCreatePackage((trackingId) => form.setValue('trackingId', trackingId));
  const [print, setPrint] = useState(() => storedPrint.read() === 'on');
  const another = useRef(false);
  const wide = useMediaQuery('(width >= 48rem)');
  const roomy = useMediaQuery('(width >= 80rem)');

  // Abort on unmount: leaving the page cancels in-flight uploads and requests.
  const latest = useRef(create);
  useEffect(() => {
    latest.current = create;
  });
  useEffect(() => () => latest.current.cancel(), []);

  // Sections that somebody opened or folded. Otherwise what is required is open, and what is optional closed until something is in it.
  const [chosen, setChosen] = useState<Partial<Record<SectionName, boolean>>>({});
  const show = (name: SectionName) => setChosen((before) => ({ ...before, [name]: true }));
  const fold = (name: SectionName) => setChosen((before) => ({ ...before, [name]: false }));

  const faulty = missingFields([...faultyPaths(errors)]);
  const isOpen = (name: SectionName) =>
    (chosen[name] ?? (name === 'pictures' ? images.length > 0 : name !== 'delivery')) ||
    faulty.some(({ section: one }) => one === name);

  const { error: faults } = rules.safeParse(values);
  const missing = missingFields((faults?.issues ?? []).map(({ path }) => path.join('.')));
  const isWhole = (name: SectionName) => !missing.some(({ section }) => section === name);
  const summaries: Record<SectionName, string> = {
    recipient: summaryOf('recipient', values),
    package: summaryOf('package', values),
    delivery: summaryOf('delivery', values),
    pictures: images.length > 0 ? imageCount(images) : '',
  };
  const isDone = (name: SectionName) => isWhole(name) && summaries[name] !== '';

  const element = useRef<HTMLFormElement>(null);
  const pointerDown = useRef(false);
  /** Folds what is done above the section that got the focus; its field stays where it is on the screen. */
  const foldOthers = (current: SectionName) => {
    const done = sectionNames.filter((name) => name !== current && isOpen(name) && isDone(name));
    if (done.length === 0) return;
    const focused = document.activeElement;
    const before = focused?.getBoundingClientRect().top ?? 0;
    done.forEach(fold);
    requestAnimationFrame(() => {
      if (document.activeElement === focused) scrollBy(0, (focused?.getBoundingClientRect().top ?? before) - before);
    });
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isSubmitting) return;
    event.preventDefault();
    another.current = false;
    form.onSubmit();
  });
  const onPointer = useEffectEvent((isDown: boolean) => (pointerDown.current = isDown));
  const onClick = useEffectEvent(() => {
    if (foldLater.current) foldOthers(foldLater.current);
    foldLater.current = null;
  });
  useEffect(() => {
    const { signal, abort } = listening();
    element.current?.addEventListener('keydown', onKey, { signal });
    element.current?.addEventListener('click', onClick, { signal });
    addEventListener('pointerdown', () => onPointer(true), { signal, capture: true });
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => onPointer(false), { signal });
    return abort;
  }, []);
  const foldLater = useRef<SectionName | null>(null);
  const onFocus = (name: SectionName) => (event: FocusEvent) => {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    // Not under a finger: the click would land on what has moved there.
    if (pointerDown.current) foldLater.current = name;
    else foldOthers(name);
  };

  const focusNow = ({ path }: Pick<Missing, 'path'>) => {
    const field = element.current?.querySelector<HTMLElement>(`[name="${path}"]`);
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
  };
  const focusField = (field: Pick<Missing, 'path' | 'section'>) => {
    show(field.section);
    requestAnimationFrame(() => focusNow(field));
  };
  // A closed field gets no focus: its section opens with its error, and then it does.
  const faultyList = faulty.map(({ path }) => path).join(' ');
  const focusedAt = useRef(0);
  const focusFaulty = useEffectEvent((paths: string, attempt: number) => {
    if (paths === '' || attempt === 0 || attempt === focusedAt.current) return;
    focusedAt.current = attempt;
    if (faulty[0] && document.activeElement?.getAttribute('aria-invalid') !== 'true') focusNow(faulty[0]);
  });
  useEffect(() => focusFaulty(faultyList, submitCount), [faultyList, submitCount]);

  async function submit({ images: pictures, ...content }: PackageFormOutput) {
    const goesOn = another.current;
    another.current = false;
    if (getSession().user === null) {
      return toast({
        title: 'Error',
        description: 'You must be logged in to create a package',
        variant: 'destructive',
      });
    }
    const files = pictures.filter((image) => image instanceof File);
    const toUpload = countToUpload(files);
    if (toUpload > 0) toast({ title: 'Uploading images...', description: `Uploading ${toUpload} image(s) to S3` });
    try {
      const pkg = await create.mutateAsync({ ...toCreateBody(content), files });
      form.saved(emptyPackage(generateTrackingId()));
      setRefusal(null);
      onCreated(pkg, { print, another: goesOn });
      if (!goesOn) return;
      setChosen({});
      focusField({ path: 'recipientName', section: 'recipient' });
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

  const repeat = (pkg: Package) => {
    const [before, last] = [form.getValues(), toFormValues(pkg)];
    const fill = (from: PackageFormInput) => {
      for (const name of repeated) form.choose(name, structuredClone(from[name]));
    };
    const kept = structuredClone({ ...before, images: [] });
    fill(last);
    toast({
      title: 'Filled in like the last one',
      description: pkg.name,
      action: { label: 'Undo', act: () => fill(kept) },
    });
  };
  const choosePrint = (on: boolean) => {
    setPrint(on);
    storedPrint.write(on ? 'on' : null);
  };

  const section = (name: SectionName, title: string, fields: ReactNode, summary: ReactNode, actions?: ReactNode) => (
    <div onFocus={onFocus(name)}>
      <FormSection
        position={sectionNames.indexOf(name) + 1}
        title={title}
        summary={summary}
        done={isDone(name)}
        open={isOpen(name)}
        onToggle={() => (isOpen(name) ? fold(name) : show(name))}
        actions={actions}
      >
        {fields}
      </FormSection>
    </div>
  );
  const printBox = (
    <Checkbox label="Print the label" checked={print} onChange={(event) => choosePrint(event.target.checked)} />
  );
  const addAnother = (
    <Button
      variant="secondary"
      fullWidth={!wide}
      onClick={() => {
        another.current = true;
        form.onSubmit();
      }}
      disabled={isSubmitting}
    >
      Create and add another
    </Button>
  );
  const leave = (
    <LinkButton variant="ghost" fullWidth={!wide} href="/owner/dashboard">
      Cancel
    </LinkButton>
  );
  const progress = (
    <div className="flex min-w-0 grow basis-64 items-center gap-4 max-lg:basis-full">
      <span aria-hidden="true" className="flex gap-1.5 max-md:hidden">
        {sectionNames.map((name) => (
          <span
            key={name}
            className={`h-1 w-6 rounded-full transition-colors ${isDone(name) ? 'bg-brand' : 'bg-bone'}`}
          />
        ))}
      </span>
      <MissingWords missing={missing} onChoose={focusField} />
    </div>
  );
  const verb = (
    <span className="shrink-0 max-md:w-full">
      <Button
        type="submit"
        fullWidth
        aria-keyshortcuts="Control+Enter Meta+Enter"
        loading={isSubmitting}
        loadingText="Creating..."
      >
        <span>Create Package</span>
        <span
          aria-hidden="true"
          className="contents max-lg:hidden pointer-coarse:hidden [&_kbd]:border-on-brand/40 [&_kbd]:bg-transparent [&_kbd]:text-on-brand"
        >
          <Keys keys="Mod Enter" />
        </span>
      </Button>
    </span>
  );

  return (
    <FormProvider {...form}>
      <form
        ref={element}
        noValidate
        onSubmit={(event) => {
          another.current = false;
          form.onSubmit(event);
        }}
        className="flex grow flex-col [&_:is(input,select,textarea,button)]:scroll-mt-20 [&_:is(input,select,textarea,button)]:scroll-mb-32"
      >
        <div className={classes('grow lg:grid', columns)}>
          <div className="mx-auto flex w-full min-w-0 flex-col gap-3 px-4 py-6 md:px-6 lg:max-w-[50rem] lg:px-10">
            <PageTitle
              title="Create New Package"
              subtitle="Fill in the details below to register a new package for shipping"
            />
            {section('recipient', 'Recipient', <RecipientFields />, summaries.recipient || 'Who gets it, and where')}
            {section(
              'package',
              'Package',
              <PackageFields />,
              summaries.package || 'What it is, its weight and how to handle it',
              <LikeTheLastOne onFound={repeat} />,
            )}
            {section(
              'delivery',
              'Delivery',
              <div className="flex flex-col gap-6">
                <ShippingFields />
                <PreferenceFields />
                <fieldset className="border-t border-line pt-5">
                  <legend className="sr-only">Public page</legend>
                  <p aria-hidden="true" className="mb-3 text-ui font-medium">
                    Public page
                  </p>
                  <VisibilityFields />
                </fieldset>
              </div>,
              summaries.delivery || 'Reference, day and time, instructions: all optional',
            )}
            {section(
              'pictures',
              'Pictures',
              <ImageFields
                files={images}
                onChange={(next) => {
                  form.choose('images', next);
                  show('pictures');
                }}
              />,
              <PictureThumbs files={images} />,
              <span role="status" className="figures text-ui text-ink-3">
                {imageCount(images)}
              </span>,
            )}
            {errors.root && (
              <p role="alert" className="mt-2 text-ui text-danger wrap-anywhere">
                {errors.root.message}
              </p>
            )}
          </div>
          {/* Beside the form where there is room; below it on a phone, so that nobody has to scroll past it. */}
          <aside aria-label="Label" className="border-line bg-kraft px-4 py-8 max-lg:border-t lg:border-l lg:px-8">
            <div className="mx-auto flex w-full max-w-[22.5rem] flex-col gap-5 lg:sticky lg:top-22">
              <div className="flex items-baseline justify-between gap-4">
                <h2 className="text-body font-semibold">The label, as it prints</h2>
                <span className="figures text-table text-kraft-ink">100 × 150 mm</span>
              </div>
              {label}
              <div className="rounded-card border border-line bg-surface p-4">
                <TrackingIdField />
              </div>
            </div>
          </aside>
        </div>
        {!wide && (
          <div className="flex flex-col gap-2 bg-surface px-4 pt-3 pb-4">
            {printBox}
            {addAnother}
            {leave}
          </div>
        )}
        {roomy ? (
          // In the columns of the form: the button ends where its fields do, and what goes with the label is below it.
          <div className={classes(barClasses, 'grid', columns)}>
            <div className="mx-auto flex w-full max-w-[50rem] min-w-0 items-center gap-4 px-10">
              {progress}
              {leave}
              {verb}
            </div>
            <div className="mx-auto flex w-full max-w-[22.5rem] flex-wrap items-center justify-between gap-x-4">
              {printBox}
              {addAnother}
            </div>
          </div>
        ) : (
          <div
            className={classes(
              barClasses,
              'flex flex-wrap items-center justify-end gap-x-4 gap-y-2 px-4 md:px-6 lg:px-10',
            )}
          >
            {progress}
            {wide && (
              <>
                {leave}
                {printBox}
                {addAnother}
              </>
            )}
            {verb}
          </div>
        )}
      </form>
    </FormProvider>
  );
}

function listening() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** The paths of all errors, nested ones by dots. */
function* faultyPaths(errors: object, before = ''): Generator<string> {
  for (const [name, value] of Object.entries(errors) as [string, unknown][]) {
    if (name === 'root' || typeof value !== 'object' || value === null) continue;
    if ('message' in value || 'type' in value) yield before + name;
    else yield* faultyPaths(value, `${before}${name}.`);
  }
}
