import type { User } from '@waybill/contract';
import type { FormEvent } from 'react';
import { useDraft } from '../platform/drafts.ts';
import { toast } from '../platform/toasts.ts';
import { useUnsaved } from '../platform/unsaved.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ImageButton } from '../ui/ImageButton.tsx';
import { ImagePreview } from '../ui/ImagePreview.tsx';
import { Input } from '../ui/Input.tsx';
import { useFocusFault } from '../ui/useFocusFault.ts';
import { useSaveProfile } from './account-queries.ts';
import { faultsOf } from '../platform/faults.ts';
import { ProfilePicture } from './ProfilePicture.tsx';

const blankToNull = (text: string) => text.trim() || null;

/** One's own name, and what owners see of a driver. */
export function ProfileForm({ user }: { user: User }) {
  const driver = user.role === 'driver';
  const draft = useDraft('profile', {
    name: user.name,
    phone: user.phone ?? '',
    years: user.yearsOfExperience === null ? '' : String(user.yearsOfExperience),
    vehicle: {
      type: user.vehicleInfo?.type ?? '',
      model: user.vehicleInfo?.model ?? '',
      licensePlate: user.vehicleInfo?.licensePlate ?? '',
    },
    location: user.currentLocation ?? '',
    picture: undefined as File | null | undefined,
  });
  const { name, phone, years, vehicle, location, picture } = draft.values;
  useUnsaved(draft.dirty);
  const save = useSaveProfile();
  const faults = faultsOf(save.error);
  const form = useFocusFault(save.error);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      {
        name,
        phone: blankToNull(phone),
        yearsOfExperience: years.trim() === '' ? null : Number(years),
        vehicleInfo: Object.values(vehicle).some((value) => value.trim() !== '') ? vehicle : null,
        currentLocation: blankToNull(location),
        picture,
      },
      {
        onSuccess: () => {
          draft.saved({ picture: undefined });
          toast({ title: 'Profile saved' });
        },
        onError: (error) => toast({ title: 'Error', description: error.message, variant: 'destructive' }),
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-4">
        {picture ? (
          <ul className="w-32">
            <ImagePreview file={picture} onRemove={() => draft.change({ picture: undefined })} />
          </ul>
        ) : (
          <ProfilePicture picture={picture === null ? null : user.profilePicture} />
        )}
        <ImageButton onChoose={(chosen) => draft.change({ picture: chosen })}>Choose picture</ImageButton>
        {user.profilePicture && picture === undefined && (
          <Button variant="ghost" onClick={() => draft.change({ picture: null })}>
            Remove picture
          </Button>
        )}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" error={faults.name}>
          <Input
            value={name}
            maxLength={120}
            autoComplete="name"
            onChange={(event) => draft.change({ name: event.target.value })}
          />
        </Field>
        <Field label="Email" hint="The email of an account cannot be changed">
          <Input value={user.email} readOnly />
        </Field>
        <Field label="Phone" optional error={faults.phone} hint="In international form, like +4915112345678">
          <Input
            type="tel"
            value={phone}
            maxLength={20}
            autoComplete="tel"
            onChange={(event) => draft.change({ phone: event.target.value })}
          />
        </Field>
        {driver && (
          <>
            <Field label="Years of Experience" optional error={faults.yearsOfExperience}>
              <Input
                type="number"
                min={0}
                max={80}
                inputMode="numeric"
                value={years}
                onChange={(event) => draft.change({ years: event.target.value })}
              />
            </Field>
            <Field label="Vehicle Type" optional error={faults['vehicleInfo.type']}>
              <Input
                value={vehicle.type}
                maxLength={80}
                placeholder="Van"
                onChange={(event) => draft.change({ vehicle: { ...vehicle, type: event.target.value } })}
              />
            </Field>
            <Field label="Vehicle Model" optional error={faults['vehicleInfo.model']}>
              <Input
                value={vehicle.model}
                maxLength={80}
                onChange={(event) => draft.change({ vehicle: { ...vehicle, model: event.target.value } })}
              />
            </Field>
            <Field label="License Plate" optional error={faults['vehicleInfo.licensePlate']}>
              <Input
                value={vehicle.licensePlate}
                maxLength={80}
                autoCapitalize="characters"
                onChange={(event) => draft.change({ vehicle: { ...vehicle, licensePlate: event.target.value } })}
              />
            </Field>
            <Field label="Current Location" optional error={faults.currentLocation}>
              <Input
                value={location}
                maxLength={200}
                onChange={(event) => draft.change({ location: event.target.value })}
              />
            </Field>
          </>
        )}
      </div>
      <div className="flex flex-col sm:flex-row">
        <Button type="submit" size="lg" loading={save.isPending} loadingText="Saving...">
          Save Profile
        </Button>
      </div>
    </form>
  );
}
