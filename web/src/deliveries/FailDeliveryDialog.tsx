import { useQuery } from '@tanstack/react-query';
import { ApiError, FailInput, fill, otherReason } from '@waybill/contract';
import type { Delivery } from '@waybill/contract';
import type { Texts } from '@waybill/contract/texts/en';
import { Undo2 } from 'lucide-react';
import * as z from 'zod/mini';
import { api } from '../platform/api.ts';
import { useToday } from '../platform/clock.ts';
import { localDay } from '../platform/formats.ts';
import { useSession } from '../platform/session.ts';
import { translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { fromText } from '../platform/text-inputs.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { Textarea } from '../ui/Textarea.tsx';
import { PhotoField } from './PhotoField.tsx';
import { weekdayOf } from './due.ts';
import { useFailDelivery } from './queries.ts';

const formId = 'fail-delivery';
/** The most frequent reasons, one tap each. */
const reasons = [
  'Nobody was at home',
  'Address not found',
  'Refused by the recipient',
  'No ID, or too young',
  'No PIN',
  'Package damaged',
  otherReason,
] as const;
/** For dispatchers, who return a delivery on the driver's behalf. */
const dispatcherReasons = ['Driver not available', ...reasons] as const;

type Words = Pick<
  Texts['driver'],
  | 'failDialog'
  | 'deliveryFailed'
  | 'error'
  | 'cancel'
  | 'close'
  | 'sending'
  | 'whatHappened'
  | 'note'
  | 'photo'
  | 'addPhoto'
>;

const english: Words = {
  deliveryFailed: 'Delivery failed',
  error: 'Error',
  cancel: 'Cancel',
  close: 'Close',
  sending: 'Sending...',
  whatHappened: 'What happened?',
  note: 'Note',
  photo: 'Photo',
  addPhoto: 'Add photo',
  failDialog: {
    backToPending: '“{name}” goes back to the pending deliveries.',
    staysInVan: '“{name}” stays in the van. Hand it back at the depot at the end of your round.',
    pendingAgain: '“{name}” is a pending delivery again',
    backToDepot: '“{name}” goes back to the depot with you',
    goesBack: '“{name}” goes back to its sender.',
    goesBackHint:
      'It is not tried again by itself: plan its way back on the dispatch screen. The sender may choose something else.',
    reason: 'Reason',
    cardLeft: 'A card was left at the door',
    cardLeftHint: 'It says where the package is',
    tryAgainOn: 'Try again on',
    tryAgainHint: 'The sender may choose another day',
    tomorrow: 'Tomorrow',
    where: 'Where is it now?',
    whereHint: 'Shown on its public page too',
    reasons: {
      'Driver not available': 'Driver not available',
      'Nobody was at home': 'Nobody was at home',
      'Address not found': 'Address not found',
      'Refused by the recipient': 'Refused by the recipient',
      'No ID, or too young': 'No ID, or too young',
      'No PIN': 'No PIN',
      'Package damaged': 'Package damaged',
      Other: 'Other',
    },
  },
};

const rules = FailInput.shape;
/** One of the reasons; Other needs a note. */
const Failure = z
  .object({
    reason: z.string().check(z.minLength(1, 'Please choose a reason')),
    note: fromText(rules.note),
    photo: z.custom<File | null>(),
    cardLeft: z.boolean(),
    nextDay: fromText(rules.nextDay),
    location: fromText(rules.location),
  })
  .check(
    z.refine(({ reason, note }) => reason !== otherReason || Boolean(note), {
      path: ['note'],
      error: 'Please say what happened',
    }),
  );

interface FailDeliveryDialogProps {
  delivery: Pick<Delivery, 'id' | 'packageName'> & Partial<Pick<Delivery, 'returnDue'>>;
  /** It stays with the driver until the round is finished. */
  onRound?: boolean;
  open: boolean;
  onClose: () => void;
  /** Called after success and failure. */
  onSettled?: () => void;
  /** The driver's; dispatchers read English. */
  words?: Words;
}

const initial = { reason: '', note: '', photo: null as File | null, cardLeft: false, nextDay: '', location: '' };

/** Fails the attempt with a reason; the package waits for a driver again. */
export function FailDeliveryDialog({
  delivery,
  onRound = false,
  open,
  onClose,
  onSettled,
  words = english,
}: FailDeliveryDialogProps) {
  const { failDialog: said } = words;
  const fail = useFailDelivery(delivery.id);
  const form = useForm(Failure, submit, {
    initial,
    refusal: fail.error,
    draft: `failed ${delivery.id}`,
    draftOverReload: true,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;
  const { user } = useSession();
  const offered = user?.role === 'driver' ? reasons : dispatcherReasons;

  const [reason, photo, nextDay] = form.watch(['reason', 'photo', 'nextDay']);
  const now = useToday();
  const today = localDay(now);
  const tomorrow = localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1));
  const { data: proposal } = useQuery({
    queryKey: ['day after failing', delivery.id],
    queryFn: ({ signal }) => api.dispatch.dayAfterFailing({ params: { id: delivery.id }, signal }),
    enabled: open,
    retry: false,
    meta: { showsError: true },
  });
  /** Without the network it is tomorrow. */
  const proposed = proposal?.day ?? tomorrow;
  /** After the last attempt, and after a return that fails, no day is asked for. */
  const goesBack = proposal?.returns ?? delivery.returnDue ?? false;
  const afterwards = onRound ? said.staysInVan : goesBack ? said.goesBack : said.backToPending;

  function submit(failure: z.output<typeof Failure>) {
    fail.mutate(
      { ...failure, location: failure.location ?? undefined },
      {
        onSuccess: ({ returnDue }) => {
          form.saved();
          const next = returnDue ? said.goesBack : onRound ? said.backToDepot : said.pendingAgain;
          toast({ title: words.deliveryFailed, description: fill(next, { name: delivery.packageName }) });
          onClose();
        },
        onError: (refusal) => {
          toast({ title: words.error, description: translated(refusal.message), variant: 'destructive' });
          if (refusal instanceof ApiError && (refusal.status === 404 || refusal.code === 'illegal_step')) onClose();
        },
        onSettled,
      },
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={fail}
      title={words.deliveryFailed}
      closeLabel={words.close}
      unsaved={form.changed}
      description={fill(afterwards, { name: delivery.packageName })}
      footer={
        <>
          <DialogClose>{words.cancel}</DialogClose>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            // A driver presses it with the thumb.
            size={user?.role === 'driver' ? 'xl' : 'lg'}
            loading={fail.isPending}
            loadingText={words.sending}
          >
            {words.deliveryFailed}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit}>
        <fieldset>
          <legend className="mb-2 text-ui font-medium">{said.reason}</legend>
          {/* In two columns the whole form fits beside its photo. */}
          <div className="grid gap-2 md:grid-cols-2">
            {offered.map((one) => (
              <label
                key={one}
                className="flex min-h-12 md:odd:last:col-span-2 cursor-pointer items-center gap-3 rounded-control border border-line px-4 text-body transition-colors md:pointer-fine:min-h-10 md:pointer-fine:px-3 md:pointer-fine:text-ui has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
              >
                <input {...form.register('reason')} type="radio" value={one} className="radio" />
                {said.reasons[one]}
              </label>
            ))}
          </div>
          {errors.reason && (
            <p role="alert" className="mt-2 text-table text-danger">
              {translated(errors.reason.message ?? '')}
            </p>
          )}
        </fieldset>
        <div className="mt-4 flex flex-col gap-4">
          <div className="grid gap-4 md:grid-cols-[minmax(0,1fr)_10rem] md:[&_textarea]:min-h-36">
            {reason === otherReason ? (
              <Field key="what" label={words.whatHappened} error={errors.note?.message}>
                <Textarea {...form.register('note')} rows={2} maxLength={2000} autoComplete="off" />
              </Field>
            ) : (
              <Field key="note" label={words.note} optional error={errors.note?.message}>
                <Textarea {...form.register('note')} rows={2} maxLength={2000} autoComplete="off" />
              </Field>
            )}
            <PhotoField words={words} photo={photo} onChange={(taken) => form.choose('photo', taken)} />
          </div>
          <Checkbox {...form.register('cardLeft')} label={said.cardLeft} hint={said.cardLeftHint} />
          {goesBack ? (
            <p className="flex items-start gap-2.5 rounded-card bg-blue-bg px-3 py-2.5 text-ui text-blue-ink">
              <Undo2 aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              <span>
                {onRound && `${fill(said.goesBack, { name: delivery.packageName })} `}
                {said.goesBackHint}
              </span>
            </p>
          ) : (
            <Field
              label={said.tryAgainOn}
              optional
              hint={said.tryAgainHint}
              error={errors.nextDay?.message}
              aside={
                nextDay !== proposed && (
                  <button
                    type="button"
                    className="-my-3 -mr-1 min-h-11 px-1 font-medium text-brand"
                    onClick={() => form.choose('nextDay', proposed)}
                  >
                    {proposed === tomorrow ? said.tomorrow : weekdayOf(proposed, now)}
                  </button>
                )
              }
            >
              <Input
                {...form.register('nextDay')}
                type="date"
                min={today}
                max="9999-12-31"
                data-empty={!nextDay || undefined}
              />
            </Field>
          )}
          <Field label={said.where} optional hint={said.whereHint} error={errors.location?.message}>
            <Input {...form.register('location')} maxLength={200} autoComplete="off" />
          </Field>
        </div>
      </form>
    </Dialog>
  );
}
