import { useQuery } from '@tanstack/react-query';
import { ApiError, NextStepInput, nextSteps } from '@waybill/contract';
import type { Address, Depot, Package } from '@waybill/contract';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { useToday } from '../platform/clock.ts';
import { formatShortDay, localDay } from '../platform/formats.ts';
import { useSession } from '../platform/session.ts';
import { fromText } from '../platform/text-inputs.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { TextLink } from '../ui/TextLink.tsx';
import { depotsOfPackagesQuery, useChooseNextStep } from './queries.ts';

const formId = 'next-step';

const Choice = z.object({ kind: z.enum(nextSteps), day: fromText(NextStepInput.shape.day) });

const lineOf = (address: Address): string =>
  [address.street, [address.postalCode, address.city].filter(Boolean).join(' ')].filter(Boolean).join(', ');

/** 'Riverton depot, Mill Lane 4, 40112 Riverton, open 08:00–18:00' */
const placeOf = ({ name, address, opensAt, closesAt }: Depot): string =>
  [name, address && lineOf(address), opensAt && closesAt && `open ${opensAt}–${closesAt}`].filter(Boolean).join(', ');

interface NextStepDialogProps {
  pkg: Package;
  /** On which another attempt could be made. */
  proposedDay: string | null;
  open: boolean;
  onClose: () => void;
}

/** What happens to a package after a failed attempt: another one, a collection at the depot, or a return. */
export function NextStepDialog({ pkg, proposedDay, open, onClose }: NextStepDialogProps) {
  const { user } = useSession();
  const owns = pkg.userId === user?.id;
  const now = useToday();
  const choose = useChooseNextStep(pkg.id);
  const { data: depots } = useQuery(depotsOfPackagesQuery());
  const depot = depots?.find(({ id }) => id === pkg.depotId) ?? (depots?.length === 1 ? depots[0] : undefined);
  const form = useForm(Choice, submit, {
    initial: {
      kind: pkg.nextStep?.kind ?? (pkg.returnDue ? 'return' : 'again'),
      day: (pkg.nextStep ? pkg.nextStep.day : proposedDay) ?? '',
    },
    refusal: choose.error,
    draft: `next step ${pkg.id}`,
    open,
    unsaved: false,
  });
  const { errors } = form.formState;
  const kind = form.watch('kind');
  const returnAddress = owns ? (user.returnAddress ?? null) : null;
  const cannotReturn = owns && returnAddress === null;

  function submit({ kind: chosen, day }: z.output<typeof Choice>) {
    choose.mutate(chosen === 'again' && day ? { kind: chosen, day } : { kind: chosen }, {
      onSuccess: () => {
        form.saved();
        toast({ title: 'Your choice is saved' });
        onClose();
      },
      onError: (refusal) => {
        if (!(refusal instanceof ApiError) || refusal.code !== 'illegal_step') return;
        toast({ title: 'Too late', description: refusal.message, variant: 'destructive' });
        onClose();
      },
    });
  }
  const option = (value: (typeof nextSteps)[number], title: string, hint: ReactNode, disabled = false) => (
    <label className="flex min-h-12 cursor-pointer items-start gap-3 rounded-control border border-line px-4 py-3 transition-colors has-checked:border-brand has-checked:bg-brand-soft has-disabled:cursor-not-allowed has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      <input
        {...form.register('kind')}
        type="radio"
        value={value}
        disabled={disabled}
        aria-describedby={`${formId}-${value}`}
        className="radio mt-0.5"
      />
      <span className="min-w-0">
        <span className="block text-body font-medium">{title}</span>
        <span id={`${formId}-${value}`} className="block text-ui text-ink-2 wrap-anywhere">
          {hint}
        </span>
      </span>
    </label>
  );
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      act={choose}
      title="What happens next?"
      description={pkg.name}
      unsaved={form.changed}
      footer={
        <>
          <DialogClose />
          <Button type="submit" form={formId} size="lg" loading={choose.isPending} loadingText="Saving...">
            Save
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit}>
        <fieldset>
          <legend className="mb-2 text-ui text-ink-2">You can change it until a driver starts with it again.</legend>
          <div className="flex flex-col gap-2">
            {option('again', 'Deliver again', 'A driver tries it again.')}
            {kind === 'again' && (
              <div className="px-1 pb-2">
                <Field
                  label="On which day?"
                  optional
                  hint={
                    proposedDay === null
                      ? 'Without a day: as soon as possible'
                      : `The next on which a driver could take it is ${formatShortDay(proposedDay)}`
                  }
                  error={errors.day?.message}
                >
                  <Input {...form.register('day')} type="date" min={localDay(now)} max="9999-12-31" />
                </Field>
              </div>
            )}
            {option(
              'collect',
              'Collect at the depot',
              depot ? `It waits there: ${placeOf(depot)}.` : 'It waits there until somebody comes for it.',
            )}
            {option(
              'return',
              owns ? 'Send it back to me' : 'Send it back to the sender',
              cannotReturn ? (
                <>
                  Where to? Enter a <TextLink href="/account#return-address">return address</TextLink> in your account
                  first.
                </>
              ) : returnAddress ? (
                `A driver brings it to ${lineOf(returnAddress)}.`
              ) : (
                'A driver brings it to the return address of its sender.'
              ),
              cannotReturn,
            )}
          </div>
          {(errors.kind ?? form.formError) && (
            <p role="alert" className="mt-2 text-table text-danger">
              {errors.kind?.message ?? form.formError}
            </p>
          )}
        </fieldset>
      </form>
    </Dialog>
  );
}
