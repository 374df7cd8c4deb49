import type { ReauthenticationInput } from '@waybill/contract';
import { api } from '../platform/api.ts';
import { refresh } from '../platform/invalidation.ts';
import { refreshUser } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { userLists } from './admin-queries.ts';

const meta = { showsError: true };

export const useStartSecondFactor = () => useSingleMutation({ mutationFn: () => api.users.startTotp(), meta });

export const useConfirmSecondFactor = () =>
  useSingleMutation({ mutationFn: (code: string) => api.users.confirmTotp({ body: { code } }), meta });

export const useCancelSecondFactor = () => useSingleMutation({ mutationFn: () => api.users.cancelTotp(), meta });

export const useRemoveSecondFactor = () =>
  useSingleMutation({
    mutationFn: (body: ReauthenticationInput, signal) => api.users.removeTotp({ body, signal }),
    onSuccess: refreshUser,
    meta,
  });

export const useMakeRecoveryCodes = () =>
  useSingleMutation({
    mutationFn: (body: ReauthenticationInput, signal) => api.users.makeRecoveryCodes({ body, signal }),
    meta,
  });

/** Removes the second factor of another account, after a lost phone. */
export const useRemoveSecondFactorOf = (id: string) =>
  useSingleMutation({
    mutationFn: (_, signal) => api.users.removeTotpOf({ params: { id }, signal }),
    onSuccess: () => refresh(userLists),
    meta,
  });

export const useConfirmPassword = () =>
  useSingleMutation({
    mutationFn: (password: string, signal) => api.auth.confirm({ body: { password }, signal }),
    meta,
  });
