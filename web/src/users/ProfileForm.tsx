import { imageTypes } from '@waybill/contract';
import type { User } from '@waybill/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ImagePreview } from '../ui/ImagePreview.tsx';
import { Input } from '../ui/Input.tsx';
import { useSaveProfile } from './account-queries.ts';
import { faultsOf } from './faults.ts';
import { ProfilePicture } from './ProfilePicture.tsx';

const blankToNull = (text: string) => text.trim() || null;

/** One's own name, and what owners see of a driver. */
export function ProfileForm({ user }: { user: User }) {
  const driver = user.role === 'driver';
  const [name, setName] = useState(user.name);
  const [phone, setPhone] = useState(user.phone ?? '');
  const [years, setYears] = useState(user.yearsOfExperience === null ? '' : String(user.yearsOfExperience));
  const [vehicle, setVehicle] = useState({
    type: user.vehicleInfo?.type ?? '',
    model: user.vehicleInfo?.model ?? '',
    licensePlate: user.vehicleInfo?.licensePlate ?? '',
  });
  const [location, setLocation] = useState(user.currentLocation ?? '');
  const [picture, setPicture] = useState<File | null>();
  const save = useSaveProfile();
  const faults = faultsOf(save.error);

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
          setPicture(undefined);
          toast({ title: 'Profile saved' });
        },
        onError: (error) => toast({ title: 'Error', description: error.message, variant: 'destructive' }),
      },
    );
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-4">
        {picture ? (
          <ul className="w-32">
            <ImagePreview file={picture} onRemove={() => setPicture(undefined)} />
          </ul>
        ) : (
          <ProfilePicture picture={picture === null ? null : user.profilePicture} />
        )}
        <label className="relative inline-flex min-h-11 items-center rounded-control border border-control px-4 text-ui font-medium hover:border-ink-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
          Choose picture
          <input
            type="file"
            accept={imageTypes.join()}
            className="absolute inset-0 cursor-pointer opacity-0"
            onChange={(event) => setPicture(event.target.files?.[0])}
          />
        </label>
        {user.profilePicture && picture === undefined && (
          <Button variant="ghost" onClick={() => setPicture(null)}>
            Remove picture
          </Button>
        )}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" error={faults.name}>
          <Input value={name} maxLength={120} autoComplete="name" onChange={(event) => setName(event.target.value)} />
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
            onChange={(event) => setPhone(event.target.value)}
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
                onChange={(event) => setYears(event.target.value)}
              />
            </Field>
            <Field label="Vehicle Type" optional error={faults['vehicleInfo.type']}>
              <Input
                value={vehicle.type}
                maxLength={80}
                placeholder="Van"
                onChange={(event) => setVehicle({ ...vehicle, type: event.target.value })}
              />
            </Field>
            <Field label="Vehicle Model" optional error={faults['vehicleInfo.model']}>
              <Input
                value={vehicle.model}
                maxLength={80}
                onChange={(event) => setVehicle({ ...vehicle, model: event.target.value })}
              />
            </Field>
            <Field label="License Plate" optional error={faults['vehicleInfo.licensePlate']}>
              <Input
                value={vehicle.licensePlate}
                maxLength={80}
                autoCapitalize="characters"
                onChange={(event) => setVehicle({ ...vehicle, licensePlate: event.target.value })}
              />
            </Field>
            <Field label="Current Location" optional error={faults.currentLocation}>
              <Input value={location} maxLength={200} onChange={(event) => setLocation(event.target.value)} />
            </Field>
          </>
        )}
      </div>
      <Button type="submit" size="lg" loading={save.isPending} loadingText="Saving...">
        Save Profile
      </Button>
    </form>
  );
}
