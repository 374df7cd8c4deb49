import { queryOptions } from '@tanstack/react-query';
import { api } from '../platform/api.ts';
import { refresh } from '../platform/refresh.ts';
import { forgetAccount, refreshUser } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { uploadImages } from '../platform/uploads.ts';

const sessions = ['users', 'own sessions'];

/** Where the account is signed in. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: sessions,
    queryFn: ({ signal }) => api.users.sessions({ signal }),
    meta: { showsError: true },
  });

export const useEndSession = () =>
  useSingleMutation({
    mutationFn: (id: string) => api.users.endSession({ params: { id } }),
    onSettled: () => refresh(sessions),
  });

export interface ProfileChange {
  name: string;
  phone: string | null;
  yearsOfExperience: number | null;
  vehicleInfo: { type: string; model: string; licensePlate: string } | null;
  currentLocation: string | null;
  /** A new picture; null takes the present one away, undefined leaves it. */
  picture: File | null | undefined;
}

/** Deletes the own account. */
export const useDeleteOwnAccount = () =>
  useSingleMutation({
    mutationFn: (password: string, signal) => api.users.removeOwn({ body: { password }, signal }),
    onSuccess: forgetAccount,
    meta: { showsError: true },
  });

export const useSaveProfile = () =>
  useSingleMutation({
    mutationFn: async ({ picture, ...profile }: ProfileChange, signal) => {
      const profilePicture = picture ? (await uploadImages([picture], signal))[0] : picture;
      return api.users.updateProfile({ body: { ...profile, profilePicture } });
    },
    onSuccess: refreshUser,
    meta: { showsError: true },
  });
