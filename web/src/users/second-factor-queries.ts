import { api } from '../platform/api.ts';
import { refresh } from '../platform/refresh.ts';
import { refreshUser } from '../platform/session.ts';
import { useSingleMutation } from '../platform/single-mutation.ts';
import { userLists } from './admin-queries.ts';

const meta = { showsError: true };

interface Proof {
  password: string;
  code: string;
}

export const useStartSecondFactor = () => useSingleMutation({ mutationFn: () => api.users.startTotp(), meta });

export const useConfirmSecondFactor = () =>
  useSingleMutation({ mutationFn: (code: string) => api.users.confirmTotp({ body: { code } }), meta });

export const useRemoveSecondFactor = () =>
  useSingleMutation({
    mutationFn: (body: Proof) => api.users.removeTotp({ body }),
    onSuccess: refreshUser,
    meta,
  });

export const useMakeRecoveryCodes = () =>
  useSingleMutation({ mutationFn: (body: Proof) => api.users.makeRecoveryCodes({ body }), meta });

/** Of another account, for a lost phone. */
export const useRemoveSecondFactorOf = (id: string) =>
  useSingleMutation({
    mutationFn: () => api.users.removeTotpOf({ params: { id } }),
    onSuccess: () => refresh(userLists),
    meta,
  });

export const useConfirmPassword = () =>
  useSingleMutation({ mutationFn: (password: string) => api.auth.confirm({ body: { password } }), meta });
