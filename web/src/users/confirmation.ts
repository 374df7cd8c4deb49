import * as z from 'zod/mini';

interface Typed {
  password: string;
  confirmPassword: string;
}

/** A refinement for forms in which a new password is typed twice. */
export const passwordsMatch = /* @__PURE__ */ z.refine<Typed>(
  ({ password, confirmPassword }) => password === confirmPassword,
  {
    error: "Passwords don't match",
    path: ['confirmPassword'],
    // Also run if another field is invalid, so that all errors are shown at once.
    when: ({ value }) => hasPasswords(value),
  },
);

const hasPasswords = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'password' in value && 'confirmPassword' in value;
