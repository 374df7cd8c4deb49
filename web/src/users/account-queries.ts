import { queryOptions } from '@tanstack/react-query';
import type { ProfileInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { refresh } from '../platform/invalidation.ts';
import { clearSession, refreshUser } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { uploadPicture } from '../platform/uploads.ts';
import type { PictureChange } from '../platform/uploads.ts';

const sessions = ['users', 'own sessions'];

/** The user's own sessions. */
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

export interface ProfileChange extends Pick<
  ProfileInput,
  | 'name'
  | 'phone'
  | 'yearsOfExperience'
  | 'vehicleInfo'
  | 'startPlace'
  | 'endPlace'
  | 'currentLocation'
  | 'returnAddress'
> {
  picture: PictureChange;
}

/** Deletes the user's own account. */
export const useDeleteOwnAccount = () =>
  useSingleMutation({
    mutationFn: (password: string, signal) => api.users.removeOwn({ body: { password }, signal }),
    onSuccess: clearSession,
    meta: { showsError: true },
  });

export const useSaveProfile = () =>
  useSingleMutation({
    mutationFn: async ({ picture, ...profile }: ProfileChange, signal) => {
      const profilePicture = await uploadPicture(picture, signal);
      return api.users.updateProfile({ body: { ...profile, profilePicture } });
    },
    onSuccess: refreshUser,
    meta: { showsError: true },
  });
