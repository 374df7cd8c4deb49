import * as z from 'zod/mini';

interface Typed {
  password: string;
  confirmPassword: string;
}

/** For a form whose new password is typed twice. */
export const passwordsMatch = /* @__PURE__ */ z.refine<Typed>(
  ({ password, confirmPassword }) => password === confirmPassword,
  {
    error: "Passwords don't match",
    path: ['confirmPassword'],
    // Also while another field is faulty: all that is wrong is told at once.
    when: ({ value }) => hasPasswords(value),
  },
);

const hasPasswords = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'password' in value && 'confirmPassword' in value;
