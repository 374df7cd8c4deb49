import { AddressInput, ProfileInput } from '@waybill/contract';
import type { User } from '@waybill/contract';
import { FormProvider } from 'react-hook-form';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { texts, translated } from '../platform/texts.ts';
import { toast } from '../platform/toasts.ts';
import { fromText, groupFromText, numberFromText } from '../platform/text-inputs.ts';
import { unchanged } from '../platform/uploads.ts';
import type { PictureChange } from '../platform/uploads.ts';
import { useForm } from '../platform/useForm.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { ImageButton } from '../ui/ImageButton.tsx';
import { ImagePreview } from '../ui/ImagePreview.tsx';
import { Input } from '../ui/Input.tsx';
import { useSaveProfile } from './account-queries.ts';
import { accountTexts } from './account-texts.ts';
import { VehicleFields } from './LazyVehicleFields.tsx';
import { ProfilePicture } from './ProfilePicture.tsx';
import { StreetInput } from './StreetInput.tsx';
import { typedAddress } from './suggestion-texts.ts';
import { typedVehicle, vehicleFields, type TypedVehicle } from './vehicle-form.ts';

const { name, phone, yearsOfExperience, currentLocation } = ProfileInput.shape;
const Profile = z.object({
  name,
  phone: fromText(phone),
  yearsOfExperience: numberFromText(yearsOfExperience),
  ...vehicleFields,
  currentLocation: fromText(currentLocation),
  returnAddress: groupFromText(AddressInput),
  picture: z.custom<PictureChange>(),
});

/** The user's own profile; a driver's also has what owners see. */
export function ProfileForm({ user }: { user: User }) {
  const driver = user.role === 'driver';
  const owner = user.role === 'owner';
  const { profile: words, returnAddress: back, vehicle, failed } = accountTexts();
  const save = useSaveProfile();
  const form = useForm(Profile, submit, {
    initial: {
      name: user.name,
      phone: user.phone ?? '',
      yearsOfExperience: user.yearsOfExperience === null ? '' : String(user.yearsOfExperience),
      ...typedVehicle(user),
      currentLocation: user.currentLocation ?? '',
      returnAddress: {
        street: user.returnAddress?.street ?? '',
        postalCode: user.returnAddress?.postalCode ?? '',
        city: user.returnAddress?.city ?? '',
        country: user.returnAddress?.country ?? '',
      },
      picture: unchanged,
    },
    refusal: save.error,
    draft: 'profile',
  });
  function submit({ returnAddress, vehicleInfo, startPlace, endPlace, ...profile }: z.output<typeof Profile>) {
    const own = driver ? { vehicleInfo, startPlace, endPlace } : owner ? { returnAddress } : {};
    save.mutate(
      { ...profile, ...own },
      {
        onSuccess: () => {
          form.saved({ picture: unchanged });
          toast({ title: words.saved });
        },
        onError: (error) => toast({ title: failed, description: translated(error.message), variant: 'destructive' }),
      },
    );
  }
  const { register, choose } = form;
  const { errors } = form.formState;
  const picture = form.watch('picture');
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <div className="flex items-center gap-4">
        {picture instanceof File ? (
          <ul className="w-32">
            <ImagePreview file={picture} onRemove={() => choose('picture', unchanged)} />
          </ul>
        ) : (
          <ProfilePicture picture={picture === null ? null : user.profilePicture} />
        )}
        <div className="flex min-w-0 flex-wrap gap-x-4">
          <ImageButton onChoose={(chosen) => choose('picture', chosen ?? unchanged)}>{words.choosePicture}</ImageButton>
          {user.profilePicture && picture === unchanged && (
            <Button variant="ghost" onClick={() => choose('picture', null)}>
              {words.removePicture}
            </Button>
          )}
        </div>
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={words.name} error={errors.name?.message}>
          <Input {...register('name')} maxLength={120} autoComplete="name" />
        </Field>
        <Field label={words.email} hint={words.emailHint}>
          <Input value={user.email} readOnly />
        </Field>
        <Field label={words.phone} optional error={errors.phone?.message} hint={words.phoneHint}>
          <Input {...register('phone')} type="tel" maxLength={20} autoComplete="tel" />
        </Field>
        {driver && (
          <>
            <Field label={words.experience} optional error={errors.yearsOfExperience?.message}>
              <Input {...register('yearsOfExperience')} type="number" min={0} max={80} inputMode="numeric" />
            </Field>
            <Field label={words.location} optional error={errors.currentLocation?.message}>
              <Input {...register('currentLocation')} maxLength={200} />
            </Field>
          </>
        )}
      </div>
      {driver && (
        <FormProvider {...(form as unknown as UseFormReturn<TypedVehicle>)}>
          <VehicleFields words={vehicle} />
        </FormProvider>
      )}
      {owner && (
        <fieldset id="return-address" className="scroll-mt-24 border-t border-line pt-5">
          <legend className="sr-only">{back.title}</legend>
          <p className="text-ui font-medium">
            {back.title} <span className="font-normal text-ink-3">{texts.optional}</span>
          </p>
          <p className="mb-3 text-ui text-ink-2">{back.lead}</p>
          <div className="grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-4">
            <div className="col-span-2 sm:col-span-4">
              <Field label={back.street} error={errors.returnAddress?.street?.message}>
                <StreetInput
                  {...register('returnAddress.street')}
                  autoComplete="street-address"
                  onChoose={(suggestion) => choose('returnAddress', typedAddress(suggestion))}
                />
              </Field>
            </div>
            <Field label={back.postalCode} error={errors.returnAddress?.postalCode?.message}>
              <Input {...register('returnAddress.postalCode')} autoComplete="postal-code" maxLength={20} />
            </Field>
            <div className="sm:col-span-2">
              <Field label={back.city} error={errors.returnAddress?.city?.message}>
                <Input {...register('returnAddress.city')} autoComplete="address-level2" maxLength={120} />
              </Field>
            </div>
            <div className="col-span-2 sm:col-span-1">
              <Field label={back.country} error={errors.returnAddress?.country?.message}>
                <Input {...register('returnAddress.country')} autoComplete="country-name" maxLength={80} />
              </Field>
            </div>
          </div>
        </fieldset>
      )}
      <div className="flex flex-col sm:flex-row">
        <Button type="submit" size="lg" loading={save.isPending} loadingText={words.saving}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
