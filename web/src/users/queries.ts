import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { Role } from '@waybill/contract';
import { api } from '../platform/api.ts';

interface Credentials {
  email: string;
  password: string;
}

interface Login extends Credentials {
  /** The code of the second factor. */
  code?: string;
}

interface Registration extends Credentials {
  name: string;
  role: Role;
}

export const loginMutation = mutationOptions({
  mutationFn: (body: Login) => api.auth.login({ body }),
  meta: { showsError: true },
});

export const registerMutation = mutationOptions({
  mutationFn: (body: Registration) => api.auth.register({ body }),
  meta: { showsError: true },
});

export const forgotMutation = mutationOptions({ mutationFn: (body: { email: string }) => api.auth.forgot({ body }) });

export const resetMutation = mutationOptions({
  mutationFn: (body: { token: string; password: string }) => api.auth.reset({ body }),
  meta: { showsError: true },
});

export const changePasswordMutation = mutationOptions({
  mutationFn: (body: { currentPassword: string; newPassword: string }) => api.users.changePassword({ body }),
  meta: { showsError: true },
});

/** Whether a registration is open, needs approval or is closed, by role; the form also works without it. */
export const signUpPolicyQuery = queryOptions({
  queryKey: ['sign-up policy'],
  queryFn: () => api.auth.signUpPolicy(),
  staleTime: 60_000,
  meta: { showsError: true },
});
