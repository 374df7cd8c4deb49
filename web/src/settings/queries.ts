import { queryOptions } from '@tanstack/react-query';
import type { SettingsInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { refreshOrganisation } from '../platform/organisation.ts';
import { queryClient } from '../platform/query-client.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { uploadPicture } from '../platform/uploads.ts';
import type { PictureChange } from '../platform/uploads.ts';

export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => api.settings.read({ signal }),
    meta: { showsError: true },
  });

/** The changed settings, and the change of the logo. */
export interface SettingsChange extends SettingsInput {
  picture: PictureChange;
}

export const useSaveSettings = () =>
  useSingleMutation({
    mutationFn: async ({ picture, ...input }: SettingsChange, signal) => {
      const logo = await uploadPicture(picture, signal);
      return api.settings.update({ body: { ...input, logo } });
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(settingsQuery().queryKey, saved);
      void refreshOrganisation();
      // The registration form must refetch it.
      queryClient.removeQueries({ queryKey: ['sign-up policy'] });
    },
    meta: { showsError: true },
  });
