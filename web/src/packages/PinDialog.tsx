import { useQuery } from '@tanstack/react-query';
import type { Package } from '@waybill/contract';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { MapView } from '../maps/MapView.tsx';
import { pinHint, pinText, PinText, typedPin } from '../places/pin-text.ts';
import { toast } from '../platform/toasts.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogClose } from '../ui/DialogClose.tsx';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';
import { depotsOfPackagesQuery, useSetPlace } from './queries.ts';

const formId = 'set-pin';
const none: never[] = [];

const Pin = z.object({ at: PinText });

/** The server names longitude and latitude, which are one field here. */
const fieldOf = () => 'at';

const typedPlace = ({ place }: Pick<Package, 'place'>) => ({ at: pinText(place) });

const set = 'Your next packages to this address have it as well.';
const returnSet = 'All that goes back there has it.';

interface PinDialogProps {
  pkg: Pick<Package, 'id' | 'recipientAddress' | 'place'>;
  /** It is about the address where the package goes back to, which is given as that of the recipient. */
  ofReturn?: boolean;
  onClose: () => void;
  /** Instead of closing after a pin is set: shows the next package, or closes after the last. */
  onSaved?: () => void;
  /** Leaves this one for later. */
  onSkip?: () => void;
  /** What else needs a pin. */
  children?: ReactNode;
}

/** Says where the address is, for this package and the next ones there. */
export function PinDialog({ pkg, ofReturn = false, onClose, onSaved, onSkip, children }: PinDialogProps) {
  const act = useSetPlace(pkg.id);
  const { place } = pkg;
  const form = useForm(Pin, submit, {
    initial: typedPlace(pkg),
    refusal: act.error,
    fieldOf,
    unsaved: false,
  });

  const typed = form.watch('at');
  const pin = useMemo(() => typedPin(typed), [typed]);
  const depots = useQuery(depotsOfPackagesQuery());
  // Where the map begins: at what is known of the address, else around the depots.
  const around = useMemo(
    () => (place ? [place] : (depots.data?.flatMap((depot) => depot.place ?? []) ?? none)),
    [place, depots.data],
  );

  function submit({ at }: z.output<typeof Pin>) {
    act.mutate(ofReturn ? { ...at, returnAddress: true } : at, {
      onSuccess: () => {
        form.saved();
        if (onSaved) return onSaved();
        toast({ title: 'Pin set', description: ofReturn ? returnSet : set });
        onClose();
      },
    });
  }
  // The next one takes the place of the one before; its dialog and map stay.
  const shown = useRef(pkg.id);
  const show = useEffectEvent(() => {
    shown.current = pkg.id;
    act.reset();
    form.clearErrors();
    form.saved(typedPlace(pkg));
    form.setFocus('at');
  });
  useEffect(() => {
    if (shown.current !== pkg.id) show();
  }, [pkg.id]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      act={act}
      title="Set a Pin"
      description={pkg.recipientAddress ?? ''}
      unsaved={form.changed}
      size="lg"
      footer={
        <>
          <DialogClose />
          {onSkip && (
            <Button variant="secondary" size="lg" onClick={onSkip}>
              Skip
            </Button>
          )}
          <Button type="submit" form={formId} size="lg" loading={act.isPending} loadingText="Saving...">
            Set Pin
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.onSubmit} className="space-y-4">
        <div className="space-y-2">
          <MapView
            label="Map: the pin of the address"
            className="h-72"
            pin={pin}
            onPin={({ lat, lon }) => form.choose('at', pinText({ lat, lon }))}
            fit={around}
            fitKey={pkg.id}
          />
          <p className="text-meta text-ink-2">
            Click where the door is, or drag the pin. With the keyboard, move the map with the arrow keys and press
            Enter to set the pin in its middle.
          </p>
        </div>
        <Field
          label="Latitude and longitude"
          error={form.formState.errors.at?.message ?? form.formError}
          hint={pinHint}
        >
          <Input {...form.register('at')} autoComplete="off" maxLength={60} />
        </Field>
      </form>
      {children}
    </Dialog>
  );
}
